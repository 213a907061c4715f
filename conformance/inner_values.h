// The cumulative view: a backend's own values inside a whole model, beside the exact ones.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/backend/scratch.h"
#include "conformance/check.h"
#include "conformance/origin.h"
#include "src/run/evaluate.h"

namespace onnxv {

// Collects the exact values of the main graph as they are made, and asks the backend for its own
// ones a portion at a time. What is larger than a few small values waits in files: in memory there are never more than one
// value of either side. A backend that says that it can is asked for the values of the model as it is; any other is given the
// model with these values as its outputs.
class InnerValues {
 public:
  InnerValues(const Trial& trial, const TrialData& data, Backend& backend,
              const CheckSettings& settings, Outcome& outcome);

  // The node of outcome.nodes[index], which has just been evaluated.
  void note(const NodeEvent& event, size_t index);
  // The last portion; then outcome.first_in_model is known.
  void finish();

 private:
  struct Noted {
    size_t node = 0;  // in outcome.nodes
    std::string name;
    Type type;
    Value value;       // does not exist: it waits in `file`
    std::string file;
    std::vector<UnspecifiedMark> marks;  // as of output 0
  };
  void ask();
  BackendAnswer answer(const Model& opened, BackendJob whole) const;
  BackendJob job() const;
  void set_aside(Noted& noted);
  void compare(const Noted& noted, const Value& actual, const Origin& origin);

  const Trial& trial_;
  const TrialData& data_;
  Backend& backend_;
  const CheckSettings& settings_;
  Outcome& outcome_;
  const uint64_t portion_;  // bytes of exact values per run of the backend
  std::vector<Noted> noted_;
  std::unique_ptr<ScratchDirectory> files_;  // made when the first value is set aside
  uint64_t noted_bytes_ = 0, held_ = 0;      // those that are in memory
  bool possible_ = true;  // the backend has given what it was asked for so far
};

}  // namespace onnxv
