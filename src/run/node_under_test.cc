#include "src/run/testing.h"

namespace onnxv::testing {

NodeUnderTest::NodeUnderTest(std::string op, int64_t opset, std::string domain) : opset_(opset) {
  node_.name = "under_test";
  node_.op = std::move(op);
  node_.domain = std::move(domain);
  node_.outputs = {"output_0"};
}

NodeUnderTest& NodeUnderTest::add(std::string name, Attribute::Kind kind,
                                  decltype(Attribute::value) value) {
  node_.attributes.push_back({std::move(name), kind, {}, {}, std::move(value)});
  done_.reset();
  return *this;
}

NodeUnderTest& NodeUnderTest::attribute(std::string name, const char* value) {
  return add(std::move(name), Attribute::Kind::kString, std::string(value));
}
NodeUnderTest& NodeUnderTest::attribute(std::string name, std::string value) {
  return add(std::move(name), Attribute::Kind::kString, std::move(value));
}
NodeUnderTest& NodeUnderTest::attribute(std::string name, std::vector<int64_t> value) {
  return add(std::move(name), Attribute::Kind::kInts, std::move(value));
}
NodeUnderTest& NodeUnderTest::attribute(std::string name, std::vector<float> value) {
  return add(std::move(name), Attribute::Kind::kFloats, std::move(value));
}
NodeUnderTest& NodeUnderTest::attribute(std::string name, std::vector<std::string> value) {
  return add(std::move(name), Attribute::Kind::kStrings, std::move(value));
}
NodeUnderTest& NodeUnderTest::attribute(std::string name, Tensor value) {
  return add(std::move(name), Attribute::Kind::kTensor, std::move(value));
}
NodeUnderTest& NodeUnderTest::attribute(std::string name, std::vector<Tensor> value) {
  return add(std::move(name), Attribute::Kind::kTensors, std::move(value));
}
NodeUnderTest& NodeUnderTest::attribute(std::string name, SparseTensor value) {
  return add(std::move(name), Attribute::Kind::kSparseTensor, std::move(value));
}
NodeUnderTest& NodeUnderTest::attribute(std::string name, Type value) {
  return add(std::move(name), Attribute::Kind::kTypeProto, std::move(value));
}
NodeUnderTest& NodeUnderTest::attribute(std::string name, Graph value) {
  return add(std::move(name), Attribute::Kind::kGraph,
             std::make_shared<const Graph>(std::move(value)));
}
NodeUnderTest& NodeUnderTest::integers(std::string name, std::vector<int64_t> value) {
  return attribute(std::move(name), std::move(value));
}
NodeUnderTest& NodeUnderTest::reals(std::string name, std::vector<float> value) {
  return attribute(std::move(name), std::move(value));
}
NodeUnderTest& NodeUnderTest::texts(std::string name, std::vector<std::string> value) {
  return attribute(std::move(name), std::move(value));
}

NodeUnderTest& NodeUnderTest::input(Value value) {
  inputs_.push_back(std::move(value));
  done_.reset();
  return *this;
}
NodeUnderTest& NodeUnderTest::no_input() { return input(Value()); }

NodeUnderTest& NodeUnderTest::outputs(size_t n) {
  node_.outputs.clear();
  for (size_t i = 0; i < n; ++i) node_.outputs.push_back("output_" + std::to_string(i));
  done_.reset();
  return *this;
}
NodeUnderTest& NodeUnderTest::no_output(size_t output) {
  node_.outputs.at(output).clear();
  done_.reset();
  return *this;
}
NodeUnderTest& NodeUnderTest::output_type(size_t output, Type type) {
  if (surroundings_.output_types.size() <= output) surroundings_.output_types.resize(output + 1);
  surroundings_.output_types[output] = std::move(type);
  done_.reset();
  return *this;
}
NodeUnderTest& NodeUnderTest::seed(uint64_t seed) {
  surroundings_.seed = seed;
  done_.reset();
  return *this;
}
NodeUnderTest& NodeUnderTest::outer(std::string name, Value value) {
  surroundings_.outer[std::move(name)] = std::move(value);
  done_.reset();
  return *this;
}

const Outputs& NodeUnderTest::run() {
  if (!done_) done_ = evaluate_node(node_, opset_, inputs_, surroundings_);
  return done_->outputs;
}
Tensor NodeUnderTest::one() { return output(0); }
Tensor NodeUnderTest::output(size_t n) { return run().at(n).tensor(); }
std::vector<std::string> NodeUnderTest::warnings() {
  run();
  return done_->warnings;
}
std::vector<UnspecifiedMark> NodeUnderTest::unspecified() {
  run();
  return done_->unspecified;
}
std::string NodeUnderTest::error() {
  try {
    run();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace onnxv::testing
