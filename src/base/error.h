// Errors: five kinds, one shape, one line.
//
//   schema/attribute-range: node "sm" (Hardmax-13): axis is 3, must be in [-2, 1]
//   slug                  : place                 : got      , wanted
//
// Code that does not know its place (an operator, a file reader) leaves it empty; whoever calls it
// and knows (run, cli) adds it with `at`.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace onnxv {

enum class ErrorKind {
  kUsage,      // the command line; exit 2
  kModel,      // an unreadable or invalid file; exit 2
  kSchema,     // a node that breaks its operator's schema or shape rules; exit 2
  kUndefined,  // valid, but the spec gives no value; exit 4
  kBackend,    // a backend could not be started or broke the protocol; exit 3
  kLimit,      // memory, time or depth; exit 3
  kInternal,   // our own fault; exit 3
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string_view slug, std::string_view got, std::string_view wanted = {},
        std::string_view place = {});

  ErrorKind kind() const { return kind_; }
  // With its kind in front: "schema/attribute-range".
  const std::string& slug() const { return slug_; }
  const std::string& place() const { return place_; }
  const std::string& got() const { return got_; }
  const std::string& wanted() const { return wanted_; }

  // The same error with `place` filled in; an inner place, already there, is kept behind it.
  Error at(std::string_view place) const;

 private:
  ErrorKind kind_;
  std::string slug_, place_, got_, wanted_;
};

// 2, 3 or 4: the exit code that cli.md fixes for an error of this kind.
int exit_code(ErrorKind kind);

// Each throws. `slug` is the part behind the kind: "attribute-range".
[[noreturn]] void fail_usage(std::string_view slug, std::string_view got, std::string_view wanted = {});
[[noreturn]] void fail_model(std::string_view slug, std::string_view got, std::string_view wanted = {});
[[noreturn]] void fail_schema(std::string_view slug, std::string_view got, std::string_view wanted = {});
[[noreturn]] void fail_undefined(std::string_view slug, std::string_view got, std::string_view wanted = {});
[[noreturn]] void fail_backend(std::string_view slug, std::string_view got, std::string_view wanted = {});
[[noreturn]] void fail_limit(std::string_view slug, std::string_view got, std::string_view wanted = {});
[[noreturn]] void fail_internal(std::string_view slug, std::string_view got, std::string_view wanted = {});

}  // namespace onnxv
