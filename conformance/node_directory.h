// Finds, reads and writes test directories of the official layout.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/case.h"

namespace onnxv {

// `directory` is one test (it holds model.onnx) or a tree of tests, searched to any depth and
// sorted by path. Nothing below a test is searched. Usage error "no-tests" when there is none,
// "unreadable" when it is no directory.
std::vector<Case> find_cases(const std::string& directory);

// The test in `directory`, whose model.onnx is known to exist.
Case case_at(const std::string& directory);

// The input_K.pb and output_K.pb in `directory`. Usage error "unreadable" when it is no directory.
DataSetFiles data_set_at(const std::string& directory);

// Reads the values, with the types that the graph declares. Errors: kModel, the file's name as
// place; "data-set" for a file whose number is none of the graph's inputs or outputs.
DataSet read_data_set(const DataSetFiles& files, const Model& model);
// Inputs alone: the outputs' files are not touched.
DataSet read_data_set_inputs(const DataSetFiles& files, const Model& model);

// A test to be written. Values that do not exist get no file.
struct CaseContents {
  struct Values {
    std::vector<Value> inputs;   // by required_inputs(model's graph)
    std::vector<Value> outputs;  // by graph outputs
  };
  const Model* model = nullptr;
  // Copies this file with its external data (linked where the file system allows) instead of
  // writing `model` anew.
  std::string model_source;
  std::vector<Values> data_sets;
  std::string tolerance_json;  // "": no tolerance.json
};

// Writes beside (a hidden name), then renames: `directory` holds the whole test or what it held
// before. A test that stands there is replaced; anything else there is a usage error "not-a-test".
// The same contents give the same bytes.
void write_case(const CaseContents& contents, const std::string& directory);

}  // namespace onnxv
