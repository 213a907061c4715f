// If: runs one of two subgraphs; both see the enclosing scope and take no inputs.
//   since 1   tensors; the text wants equal shapes from both branches, which nothing can check: only one runs.
//   since 11  the branches' shapes may differ.
//   since 13  sequences too.  16: optionals too.
#include "ops/control/control.h"

#include "src/tensor/index.h"

namespace onnxv {
namespace {

// A branch that is not taken says its types only by declaration.
bool types_agree(const Type& a, const Type& b) {
  const bool declared = a.kind != Type::Kind::kUnknown && b.kind != Type::Kind::kUnknown;
  if (!declared) return true;
  if (a.kind != b.kind) return false;
  const bool tensors = a.kind == Type::Kind::kTensor;
  const bool typed = a.dtype != DType::kUndefined && b.dtype != DType::kUndefined;
  return !tensors || !typed || a.dtype == b.dtype;
}

void check_branches(const Body& then_branch, const Body& else_branch) {
  const auto& a = then_branch.outputs();
  const auto& b = else_branch.outputs();
  if (a.size() != b.size()) {
    fail_schema("branch-outputs", "then_branch has " + std::to_string(a.size()) + " outputs, else_branch " +
                std::to_string(b.size()), "must be as many");
  }
  for (size_t i = 0; i < a.size(); ++i) {
    if (!types_agree(a[i].type, b[i].type)) {
      fail_schema("type-mismatch", "output " + std::to_string(i) + " is " + a[i].type.text() +
                  " in then_branch, " + b[i].type.text() + " in else_branch", "must be one type");
    }
  }
}

Outputs taken_branch(const OpCall& call) {
  Body& then_branch = call.body("then_branch");
  Body& else_branch = call.body("else_branch");
  check_branches(then_branch, else_branch);
  Body& taken = bool_value(call.tensor("cond"), "cond") ? then_branch : else_branch;
  Outputs outputs = taken.run({});
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool allowed = outputs[i].is_tensor() || (call.since_version() >= 13 && outputs[i].is_sequence()) ||
                         (call.since_version() >= 16 && outputs[i].is_optional());
    if (!allowed) {
      fail_schema("type-mismatch", "output " + std::to_string(i) + " is " + outputs[i].type().text(),
                  "is not allowed by this version");
    }
  }
  return outputs;
}

}  // namespace

const Operator kIf{"ai.onnx", "If", {
    {.since = 1, .also = {11, 13, 16, 19, 21, 23, 24, 25}, .run = taken_branch},
}};

}  // namespace onnxv
