// Small models in one expression, for tests of graphs, subgraphs and functions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/run/testing.h"

namespace onnxv::testing {

// Attributes are added by the functions below: with_int(node("Cast", …), "to", 1).
Node node(std::string op, std::vector<std::string> inputs, std::vector<std::string> outputs, std::string name = {});
Node with_int(Node node, std::string name, int64_t value);
Node with_float(Node node, std::string name, float value);
Node with_graph(Node node, std::string name, Graph graph);
// The value of the enclosing function's attribute `of`.
Node with_reference(Node node, std::string name, Attribute::Kind kind, std::string of);
Node in_domain(Node node, std::string domain, std::string overload = {});

ValueInfo info(std::string name, DType dtype, std::vector<int64_t> dims);
ValueInfo info(std::string name, DType dtype);  // of unknown rank
Graph graph(std::vector<ValueInfo> inputs, std::vector<Node> nodes, std::vector<ValueInfo> outputs);
Attribute int_attribute(std::string name, int64_t value);

// Imports ai.onnx at `opset`.
Model model(Graph graph, int64_t opset, std::vector<Function> functions = {});

Evaluation evaluate(const Model& model, const std::map<std::string, Value>& inputs, const EvaluateOptions& options = {});
// The error line of preparing and evaluating; "" when it runs.
std::string error_of(const Model& model, const std::map<std::string, Value>& inputs);

}  // namespace onnxv::testing
