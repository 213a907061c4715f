// One conformance test in the official layout:
//   test_NAME/model.onnx
//   test_NAME/tolerance.json                              where the test asks for another tolerance
//   than the usual test_NAME/test_data_set_N/input_K.pb, output_K.pb
// As paths: nothing is read before it is asked for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "src/model/graph.h"
#include "src/tensor/value.h"

namespace onnxv {

// One test_data_set_N, or any folder that holds input_K.pb and output_K.pb.
struct DataSetFiles {
  int64_t number = 0;
  std::string directory;
  std::map<size_t, std::string> inputs, outputs;  // K to path; what has no file is absent
};

struct Case {
  std::string name;  // of its directory
  std::string directory;
  std::string model_path;
  std::string tolerance_path;           // "": there is none
  std::vector<DataSetFiles> data_sets;  // by number; a test without data has none
};

// The values of a data set, matched to a model's graph.
struct DataSet {
  std::vector<Value> inputs;  // as many as required_inputs(graph); absent ones do not exist
  std::vector<std::string> input_paths;  // as many; "" where absent
  std::map<std::string, Value>
      overridden;              // graph inputs that are initializers too, where a file gives them
  std::vector<Value> outputs;  // as many as graph outputs; those without a file do not exist
  std::vector<std::string> output_paths;  // as many; "" where absent
};

// The graph inputs that are not initializers: what input_K.pb counts.
std::vector<const ValueInfo*> required_inputs(const Graph& graph);

}  // namespace onnxv
