// What can be put under test: a runtime that is given a model file and inputs, and gives outputs
// back.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/outcome.h"
#include "src/model/graph.h"
#include "src/model/model_io.h"

namespace onnxv {

// One run: files where they exist, values that a backend writes by itself where they do not.
struct BackendJob {
  std::string model_path;
  const Model* model = nullptr;
  std::string
      test;  // name of the test directory, for recorded outputs; the model's stem in the main job
  int data_set = 0;
  // By the graph inputs that are not initializers; a value that does not exist is an omitted one.
  std::vector<Value> inputs;
  std::vector<std::string> kinds;        // "tensor", "sequence", "optional", "map", "sparse_tensor"
  std::vector<std::string> input_paths;  // as many, or none; "" where there is no file yet
  // Outputs by name with their types (kUnknown: as the answer says).
  std::vector<std::string> want;
  std::vector<Type> types;
  double time_limit = 0;  // seconds; 0: none
  // Where given, a backend that reads its outputs one after the other may hand each over as it is read, in their order, and
  // keep none.
  std::function<void(size_t, Value)> take;
};

struct BackendAnswer {
  Status status = Status::kPass;  // or unsupported, error, crash, timeout
  std::string message;
  std::vector<Value> outputs;  // as many as were wanted, where the status is pass and `take` took none
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendDescription& description() const = 0;
  // Never throws for what the backend does; what it gives back has been read whole, types and
  // counts checked.
  virtual BackendAnswer run(const BackendJob& job) = 0;
  // False where only whole tests can be answered (recorded outputs).
  virtual bool runs_any_model() const { return true; }
  // True where `want` may name any value of the model's main graph ("intermediates" of the worker's
  // first line).
  virtual bool gives_inner_values() const { return false; }
};

struct BackendSettings {
  std::string python;       // --backend-python; "": find one
  uint64_t memory = 0;      // bytes for a child process; 0: no limit
  double start_limit = 60;  // seconds for a worker's first line
  std::string scratch;      // a directory for files in transit
};

// `--backend X`. Usage error "backend" for a spelling that names nothing.
std::unique_ptr<Backend> make_backend(const std::string& spelling, const BackendSettings& settings);
// The same check without making one: errors early, before any test runs.
void check_backend_spelling(const std::string& spelling);

}  // namespace onnxv
