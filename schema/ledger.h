// The version ledger: joins what the schemas say with what ops/ does, one row per operator version.
#pragma once

#include <string>
#include <vector>

#include "ops/operator.h"
#include "schema/schema.h"

namespace onnxv {

// How a version is accounted for.
enum class Standing {
  kStarts,         // a behaviour starts there
  kAlso,           // a behaviour lists it in `also`
  kTypesOnly,      // nothing but type lists changed: what holds for the version before holds here
  kDeprecated,     // the same, where the schema says so: evaluated as before, with a warning
  kUnimplemented,  // stands in schema/unimplemented.txt
  kMissing,        // none of these
};
Standing standing(const OpSchema& schema);

enum class OpStatus { kImplemented, kUnimplemented, kNotEvaluable };
OpStatus ledger_status(const OpSchema& schema);
std::string_view status_name(OpStatus status);  // "implemented", "unimplemented", "not_evaluable"

// The behaviour that is true for this version; nullptr when none is. Operator::behaviour alone
// cannot tell whether the last behaviour before a version still holds at it.
const Behaviour* ledger_behaviour(const OpSchema& schema);

// True when ports, arity, attributes, defaults and text are those of `before`, so that only type
// lists differ.
bool only_types_differ(const OpSchema& before, const OpSchema& schema);

// One line for everything that is wrong: versions that nothing accounts for, versions that no schema
// has, rows that are stale, unknown or out of order, behaviours without a test.
std::vector<std::string> ledger_problems(bool (*is_tested)(const OpSchema& version));

}  // namespace onnxv
