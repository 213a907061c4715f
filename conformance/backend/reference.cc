#include "conformance/backend/reference.h"

#include <map>
#include <memory>
#include <new>
#include <utility>

#include "src/base/error.h"
#include "src/run/evaluate.h"

namespace onnxv {

ReferenceBackend::ReferenceBackend(std::string spelling) {
  description_.name = "onnx-verify";
  description_.version = ONNXV_VERSION;
  description_.device = "cpu";
  description_.spelling = std::move(spelling);
}

Status status_of(const Error& error) {
  // A version that is not written yet is no gap in the spec.
  if (error.slug().find("unimplemented") != std::string::npos) return Status::kUnsupported;
  return error.kind() == ErrorKind::kUndefined ? Status::kUndefined : Status::kError;
}

BackendAnswer ReferenceBackend::run(const BackendJob& job) {
  try {
    const PreparedModel prepared(std::make_shared<const Model>(read_model(job.model_path)));
    std::map<std::string, Value> inputs;
    const auto required = prepared.required_inputs();
    for (size_t i = 0; i < required.size() && i < job.inputs.size(); ++i) {
      inputs[required[i]->name] = job.inputs[i];
    }
    Evaluation evaluation = prepared.evaluate(inputs);
    BackendAnswer answer;
    const auto& outputs = prepared.model().graph->outputs;
    for (const std::string& name : job.want) {
      for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].name == name) answer.outputs.push_back(evaluation.outputs[i]);
      }
    }
    return answer;
  } catch (const Error& error) {
    return {status_of(error), error.what(), {}};
  } catch (const std::bad_alloc&) {
    return {Status::kError, "limit/memory: not enough memory", {}};
  }
}

}  // namespace onnxv
