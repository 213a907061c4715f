// A single-node model with its inputs, as something that can be cut down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/node_trial.h"

namespace onnxv {

struct Axis {
  std::string operand;
  int64_t axis = 0;
};

class Operands {
 public:
  explicit Operands(const SingleNode& alone);

  const Node& node() const { return node_; }

  void drop_output(const std::string& name);
  void omit_input(size_t position);    // "" stands there, or nothing where it is the last
  void remove_input(size_t position);  // those behind it move up

  // Sizes above 1 of any axis of a tensor, largest first; and who has them.
  std::vector<int64_t> sizes() const;
  std::vector<Axis> axes_of(int64_t size) const;
  // Keeps [begin, end) of the axes. False where one of them has not that size.
  bool slice(const std::vector<Axis>& axes, int64_t size, int64_t begin, int64_t end);

  // Float tensors, by name; their elements; and [begin, end) of one set to zero. False where all of
  // it is zero already.
  std::vector<std::string> clearable() const;
  size_t elements(const std::string& name) const;
  bool clear(const std::string& name, size_t begin, size_t end);

 private:
  friend std::optional<NodeTrial> evaluated(const Operands&, const NodeTrial&, uint64_t);
  struct Operand {
    std::string name;
    Value value;
    bool constant = false;
  };
  Operand* find(const std::string& name);
  const Operand* find(const std::string& name) const;
  void forget_unused();

  Node node_;
  std::vector<Operand> operands_;
};

// The node evaluated exactly on its operands; the rest (imports, functions, tolerances) as in
// `like`. nullopt where no output is left. Throws Error where the node means nothing.
std::optional<NodeTrial> evaluated(const Operands& operands, const NodeTrial& like, uint64_t seed);

}  // namespace onnxv
