// Subgraph attributes, as operators see them.
#include "src/run/frame.h"

namespace onnxv {
namespace {

class GraphBody : public Body {
 public:
  GraphBody(std::shared_ptr<const GraphPlan> plan, Frame& outer, std::string path)
      : plan_(std::move(plan)), outer_(outer), path_(std::move(path)) {}

  const std::vector<Port>& inputs() const override { return plan_->inputs; }
  const std::vector<Port>& outputs() const override { return plan_->outputs; }

  Outputs run(std::span<const Value> arguments) override {
    std::string path;
    path.reserve(path_.size() + 21);  // of an iteration's number: one piece of memory, since loops come here often
    path.append(path_).append("/").append(std::to_string(iteration_++));
    Frame frame(*plan_, outer_, std::move(path));
    bind(frame, arguments);
    walk(frame);
    Outputs results = outputs_of(frame);
    for (size_t i = 0; i < results.size(); ++i) {
      check(plan_->outputs[i], results[i], "subgraph output");
    }
    return results;
  }

 private:
  void bind(Frame& frame, std::span<const Value> arguments) const {
    const auto& ports = plan_->inputs;
    if (arguments.size() > ports.size()) {
      fail_schema("subgraph-inputs", "the subgraph has " + std::to_string(ports.size()) + " inputs",
                  "must have " + std::to_string(arguments.size()));
    }
    for (size_t i = 0; i < ports.size(); ++i) {
      if (i < arguments.size()) {
        check(ports[i], arguments[i], "subgraph input");
        frame.at(plan_->input_slots[i]) = arguments[i];
      } else if (!plan_->has_initializer[i]) {
        fail_schema("subgraph-inputs", "subgraph input \"" + ports[i].name + "\" is not given",
                    "the subgraph must have " + std::to_string(arguments.size()) + " inputs");
      }
    }
  }

  // The declared element type must hold. Shapes may differ: bodies often declare those of their
  // first iteration.
  void check(const Port& port, const Value& value, std::string_view what) const {
    if (is_as_declared(port.type, value)) return;
    check_declared_type(port.type, value, std::string(what) + " \"" + port.name + "\"");
  }

  std::shared_ptr<const GraphPlan> plan_;
  Frame& outer_;
  std::string path_;
  int64_t iteration_ = 0;
};

}  // namespace

std::shared_ptr<Body> make_body(std::shared_ptr<const GraphPlan> plan, Frame& outer,
                                std::string path) {
  return std::make_shared<GraphBody>(std::move(plan), outer, std::move(path));
}

}  // namespace onnxv
