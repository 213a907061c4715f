// The graph around a node, for operators that differentiate it.
#pragma once

#include <memory>
#include <vector>

#include "ops/enclosing.h"
#include "src/run/frame.h"

namespace onnxv {

class GraphEnclosing : public Enclosing {
 public:
  // `node` is one of the frame's; only what stands before it is seen. `depth` counts the enclosings
  // around this one.
  GraphEnclosing(Frame& frame, const NodePlan& node, int depth = 0);
  ~GraphEnclosing() override;

  Cut cut(std::span<const std::string> names, const std::string& target) override;
  const OpCall& call(const CutNode& node, std::vector<Value> inputs) override;
  Outputs run(const CutNode& node, const OpCall& call) override;

 private:
  struct Made;  // a call, and the graph around its node
  struct Slots;

  size_t position() const { return static_cast<size_t>(&node_ - frame_.plan.nodes.data()); }
  const NodePlan& plan_of(const CutNode& node) const { return frame_.plan.nodes[node.index]; }

  Frame& frame_;
  const NodePlan& node_;
  int depth_;
  std::vector<std::unique_ptr<Made>> made_;
};

}  // namespace onnxv
