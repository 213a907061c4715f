// StringSplit: the pieces of each string along a new last axis, padded with "", and how many there are.
//   since 20
#include <algorithm>

#include "ops/text/text.h"
#include "ops/text/utf8.h"

namespace onnxv {
namespace {

using Pieces = std::vector<std::string_view>;

// From `at` on: the first position of a blank, and the first behind the blanks that follow it.
struct Gap {
  size_t begin, end;
};

Gap next_gap(std::string_view text, size_t at) {
  Gap gap{text.size(), text.size()};
  bool inside = false;
  while (at < text.size()) {
    const size_t start = at;
    const bool blank = is_blank(next_code_point(text, at));
    if (blank && !inside) {
      gap.begin = start;
      inside = true;
    } else if (!blank && inside) {
      gap.end = start;
      return gap;
    }
  }
  return gap;
}

std::string_view trimmed(std::string_view text) {
  size_t first = text.size(), last = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t start = at;
    if (is_blank(next_code_point(text, at))) continue;
    first = std::min(first, start);
    last = at;
  }
  return first < last ? text.substr(first, last - first) : std::string_view();
}

// Spec: runs of white space are one separator, and both ends are stripped; the rest after the last split too.
// Choice: white space is Unicode's White_Space with U+001C to U+001F, as Python's str.split has it.
Pieces split_at_blanks(std::string_view text, size_t most_splits) {
  text = trimmed(text);
  Pieces pieces;
  while (!text.empty()) {
    const Gap gap = pieces.size() < most_splits ? next_gap(text, 0) : Gap{text.size(), text.size()};
    pieces.push_back(text.substr(0, gap.begin));
    text.remove_prefix(gap.end);
  }
  return pieces;
}

// Choice: "" without the delimiter is one piece, as any other string without it.
Pieces split_at(std::string_view text, std::string_view delimiter, size_t most_splits) {
  Pieces pieces;
  size_t found = 0;
  while (pieces.size() < most_splits && (found = text.find(delimiter)) != std::string_view::npos) {
    pieces.push_back(text.substr(0, found));
    text.remove_prefix(found + delimiter.size());
  }
  pieces.push_back(text);
  return pieces;
}

Outputs string_split_20(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const std::string delimiter = call.text_or("delimiter", "");
  const int64_t maxsplit = call.integer_or("maxsplit", -1);
  const size_t most_splits = maxsplit < 0 ? SIZE_MAX : static_cast<size_t>(maxsplit);

  std::vector<Pieces> pieces;
  size_t most = 0;
  for (const std::string& text : x.strings()) {
    pieces.push_back(delimiter.empty() ? split_at_blanks(text, most_splits) : split_at(text, delimiter, most_splits));
    most = std::max(most, pieces.back().size());
  }
  Shape shape = x.shape();
  shape.push_back(static_cast<int64_t>(most));
  Tensor y(DType::kString, shape);
  Tensor z(DType::kInt64, x.shape());
  std::vector<std::string>& strings = y.mutable_strings();
  const std::span<int64_t> counts = z.mutable_as<int64_t>();
  for (size_t i = 0; i < pieces.size(); ++i) {
    counts[i] = static_cast<int64_t>(pieces[i].size());
    for (size_t k = 0; k < pieces[i].size(); ++k) strings[i * most + k] = pieces[i][k];
  }
  return {y, z};
}

}  // namespace

const Operator kStringSplit{"ai.onnx", "StringSplit", {
    {.since = 20, .run = string_split_20},
}};

}  // namespace onnxv
