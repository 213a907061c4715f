// One call of a node's operator: what it is given, and what it says beside its outputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/run/frame.h"

namespace onnxv {

class OperatorCall {
 public:
  // Checks the inputs' types. Errors: kUndefined where the version has no behaviour or no value by
  // its text; kSchema. `enclosing` may be null.
  OperatorCall(Frame& frame, const NodePlan& node, std::vector<Value> inputs, Enclosing* enclosing);
  const OpCall& call() { return builder_.call(); }
  // The operator's outputs; its warnings go to the run.
  Outputs run();
  std::vector<UnspecifiedMark> take_marks() { return std::move(marks_); }

 private:
  Frame& frame_;
  const NodePlan& node_;
  std::vector<std::string> warnings_;
  std::vector<UnspecifiedMark> marks_;
  // Where the attributes depend on the call.
  std::optional<CallAttributes> of_this_call_;
  std::vector<NamedAttribute> attributes_;
  OpCallBuilder builder_;
};

}  // namespace onnxv
