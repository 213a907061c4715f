// The compiled-in texts that schema/embed.py makes; for find.cc and ledger.cc alone.
#pragma once

#include <span>
#include <string_view>

namespace onnxv {

struct OperatorText {
  std::string_view domain, name;
  bool experimental;
  int newest;             // greatest since_version
  std::string_view json;  // the file's content
};

// Sorted by domain, name; an experimental text stands behind the real one of its name.
std::span<const OperatorText> operator_texts();
std::string_view unimplemented_text();

}  // namespace onnxv
