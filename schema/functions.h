// The functions of a model: found by their key, called without end or not.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/graph.h"

namespace onnxv {

// Domain ("ai.onnx" for ""), name, overload.
struct FunctionKey {
  std::string domain, name, overload;
  auto operator<=>(const FunctionKey&) const = default;
};
FunctionKey key_of(const Function& function);
FunctionKey key_of_call(const Node& node);

using FunctionIndex = std::map<FunctionKey, const Function*>;
// Of two functions with one key the first stands.
FunctionIndex index_functions(const std::vector<Function>& functions);

// "com.example::Gelu", with ":overload" behind it where there is one.
std::string text(const FunctionKey& key);

// The keys along one chain of calls that comes back to its start; empty when no function reaches
// itself.
std::vector<FunctionKey> find_recursion(const FunctionIndex& functions);

}  // namespace onnxv
