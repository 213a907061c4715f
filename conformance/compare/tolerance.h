// What "close enough" means: the kinds of cli.md's --tolerance and the rules per operator.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/tensor/dtype.h"

namespace onnxv {

struct Tolerance {
  enum class Kind {
    kOfficial,      // |a - e| <= atol + rtol |e|: what the official runner asks, integers included
    kNode,          // rtol |e| + max(1e-4 max|E|, 1e-7); integers, bool and strings exactly
    kScaled,        // scale max|E| + atol
    kExact,         // the same bits; any NaN equals any NaN
    kUlp,           // at most `ulps` representable values apart; integers exactly
    kDerived,       // a bound per element (Request::bounds in compare.h)
    kDistribution,  // random: type, shape and support; as samples of one distribution
  };
  Kind kind = Kind::kOfficial;
  double rtol = 1e-3;  // kOfficial, kNode; bfloat16 takes at least 2^-6
  double atol = 1e-7;  // kOfficial, kScaled
  double scale = 0;    // kScaled
  uint64_t ulps = 0;   // kUlp
  // kDistribution: the closed range of the values where the rule states one.
  std::optional<double> minimum, maximum;
  bool identical = true;  // kDistribution: the elements are drawn alike, so samples can be compared
};

std::string_view kind_name(Tolerance::Kind kind);

// One rule: for an operator, or (no name) for all that no other rule names.
struct ToleranceRule {
  std::string domain, op;
  int first_version = 0, last_version = 0;  // 0: no limit
  std::optional<DType> dtype;
  Tolerance tolerance;
  // Names of attributes that give the support of a random operator's values.
  std::string minimum_attribute, maximum_attribute;
  // Random only where this input is named by the node (Dropout's training_mode); -1: always.
  int random_input = -1;
  // Random only where this attribute is 0 (Dropout's is_test before opset 7).
  std::string random_unless;
  // The interpreter's draws are settled by the text or the official data: compared element by
  // element.
  bool settled_for_interpreter = false;
  std::string reason;
};

// Rules per operator, from a JSON file or compiled in (tolerances.json).
class ToleranceTable {
 public:
  // Usage error "tolerance-file" that names `source` when the text is no table of rules.
  static ToleranceTable parse(std::string_view json, const std::string& source);
  static const ToleranceTable& built_in();

  // The first rule that names the operator at this version and type; else the nameless one; else
  // null.
  const ToleranceRule* find(std::string_view domain, std::string_view op, int since_version,
                            DType dtype) const;

 private:
  std::vector<ToleranceRule> rules_;
};

// What is being compared: `auto` depends on it.
enum class ToleranceContext { kTestDirectory, kModelOutput, kNode };

// The argument of --tolerance.
struct ToleranceChoice {
  bool automatic = true;
  Tolerance tolerance;                          // where not automatic and without a table
  std::shared_ptr<const ToleranceTable> table;  // a file of the user's

  // Usage error "tolerance" when `text` is neither a kind nor a readable file.
  static ToleranceChoice parse(const std::string& text);
};

// Tolerances beside a test's model.onnx: its tolerance.json.
struct DirectoryTolerance {
  std::optional<double> rtol, atol;
  struct Output {
    std::string name;
    Tolerance tolerance;
  };
  std::vector<Output> outputs;

  static DirectoryTolerance parse(std::string_view json, const std::string& source);
  // The text of such a file; rtol and atol, for runners that know no more, are the official ones
  // where nothing is said.
  std::string json() const;
};

// The tolerance for one output. `domain`, `op` and `since_version` name the operator that made it
// ("" where it has no single one); `beside` may be null.
Tolerance resolve(const ToleranceChoice& choice, ToleranceContext context, std::string_view domain,
                  std::string_view op, int since_version, DType dtype, std::string_view output,
                  const DirectoryTolerance* beside);

}  // namespace onnxv
