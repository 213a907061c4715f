// A model's inputs: out of files, or generated so that the same command gives the same inputs
// everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/input_rules.h"
#include "src/model/graph.h"

namespace onnxv {

// INPUTS of cli.md. --input beats --inputs beats --data; what none of them gives is generated.
struct InputSources {
  std::vector<std::pair<std::string, std::string>> files;  // --input NAME=FILE (.pb, .npy)
  std::string npz;                                         // --inputs
  std::string data;                                        // --data: a test_data_set_N folder
  uint64_t seed = 0;
  std::map<std::string, std::pair<double, double>> ranges;  // --range NAME=LO:HI
  std::map<std::string, std::vector<int64_t>> shapes;       // --shape NAME=1,3,224,224
  std::map<std::string, int64_t> dims;                      // --dim N=1
};

struct ModelInputs {
  std::map<std::string, Value> values;
  std::vector<std::string>
      generated;  // per generated input, how: "x: float32[3] uniform in [-1,1), seed 0"
};

// Errors: kUsage for a name that the model has not, an unknown shape, an unreadable range; kModel
// for unreadable files.
ModelInputs gather_inputs(const Model& model, const InputSources& sources);

// Draws a value of the type. Floats are uniform in [-1,1) (float8e8m0: powers of two from 2^-4 to
// 2^3), integers 0 to 9 or the largest value of the type, bool even, strings from a fixed list; a
// sequence holds 2 items, a map 3 entries, an optional is not empty. What the model's nodes demand
// of the input (`demanded`, or null) goes before that, and a given range before both. Each element
// follows from the seed, the name and its index alone. `how` says what was done.
Value generate_value(const ValueInfo& info, const InputSources& sources, const InputRule* demanded,
                     std::string* how);

// The shape that a generated tensor will have; nullopt where nothing says.
std::optional<std::vector<int64_t>> shape_to_be(const std::string& name, const Type& type,
                                                const InputSources& sources);

// The value of a file by the type it must have: .npy, else the protobuf that the type asks for.
Value read_input_file(const std::string& path, const Type& type);

}  // namespace onnxv
