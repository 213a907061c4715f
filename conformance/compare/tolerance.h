// What "close enough" means: the kinds of cli.md's --tolerance and the rules per operator.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/number/bound.h"
#include "src/tensor/dtype.h"

namespace onnxv {

struct Tolerance {
  enum class Kind {
    kOfficial,      // |a - e| <= atol + rtol |e|: what the official runner asks, integers included
    kNode,          // rtol |e| + max(1e-4 max|E|, 1e-7); integers, bool and strings exactly
    kScaled,        // scale max|E| + atol
    kExact,         // the same bits; any NaN equals any NaN
    kUlp,           // at most `ulps` representable values apart; integers exactly
    kDerived,       // a bound per element (Tensor::bounds of the expected value), else the same bits
    kDistribution,  // random: type, shape and support; as samples of one distribution
  };
  Kind kind = Kind::kOfficial;
  double rtol = 1e-3;  // kOfficial, kNode; bfloat16 takes at least 2^-6
  double atol = 1e-7;  // kOfficial, kScaled
  double scale = 0;    // kScaled
  uint64_t ulps = 0;   // kUlp
  // kDistribution: the closed range of the values where the rule states one.
  std::optional<double> minimum, maximum;
  bool steps = false;  // kDerived: integers may be a step away where the exact number lies within the bound of a tie
  bool identical = true;  // kDistribution: the elements are drawn alike, so samples can be compared
};

std::string_view kind_name(Tolerance::Kind kind);

// One rule: for an operator, or (no name) for all that no other rule names; a file of the user's may name a node or a node's output.
struct ToleranceRule {
  std::string domain, op, node, output;
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

// Where an operator's freedom lies: what `derived` asks of its outputs.
struct Freedom {
  enum class Kind {
    kBits,    // the text leaves none: data movement, selection, comparison, integers
    kBound,   // floats are computed: a bound per element
    kSteps,   // and integers rounded from them
    kOpen,    // the text leaves the numbers open, or the way to them: no bound is derived
    kWhole,   // subgraphs and functions: their nodes are judged one by one
  };
  std::string domain, op;
  int first_version = 0, last_version = 0;  // 0: no limit
  Kind kind = Kind::kBits;
  std::string reason;
};
std::string_view freedom_name(Freedom::Kind kind);

// What a library function may be off.
struct Allowance {
  std::string function;  // as function_name() has it; "": all that no other names
  double ulps = 4;
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
                            DType dtype, std::string_view node = "", std::string_view output = "") const;
  // Null where nothing is said of the operator.
  const Freedom* freedom(std::string_view domain, std::string_view op, int since_version) const;
  const std::vector<Allowance>& allowances() const { return allowances_; }
  bool derives() const;  // some rule is of the kind `derived`

 private:
  std::vector<ToleranceRule> rules_;
  std::vector<Freedom> freedoms_;
  std::vector<Allowance> allowances_;
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
  // Some output may be judged by `derived`.
  bool derives() const;
};

// The assumptions of `derived`: --compute-type, --allow (as written; "" where not given) and the allowances of tolerances.json and
// of the user's file. Usage errors.
ToleranceModel tolerance_model(const std::string& compute_type_name, const std::string& allow,
                               const ToleranceChoice& choice);
// For reports: "float32 arithmetic, library functions within 4 ulp, no flush to zero, …".
std::string assumptions_text(const ToleranceModel& model);

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

// What stands for `derived` where there are no bounds to judge by: its rtol and atol, which a directory's own rule brings.
Tolerance without_bounds(Tolerance tolerance);

// The tolerance for one output. `domain`, `op` and `since_version` name the operator that made it
// ("" where it has no single one); `beside` may be null.
Tolerance resolve(const ToleranceChoice& choice, ToleranceContext context, std::string_view domain,
                  std::string_view op, int since_version, DType dtype, std::string_view output,
                  const DirectoryTolerance* beside, std::string_view node = "");

}  // namespace onnxv
