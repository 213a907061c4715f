// CastMap: the values of a map by ascending key, cast to one type, as a [1,n] tensor.
//   DENSE: one element per entry.   SPARSE: max_map elements, each value at its key, zero elsewhere.
//   since 1
#include <algorithm>
#include <numeric>

#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/number/spelled_number.h"

namespace onnxv {
namespace {

DType target_of(const OpCall& call) {
  const std::string& cast_to = call.text("cast_to");
  if (cast_to == "TO_FLOAT") return DType::kFloat;
  if (cast_to == "TO_INT64") return DType::kInt64;
  if (cast_to == "TO_STRING") return DType::kString;
  fail_schema("attribute-value", "cast_to is \"" + cast_to + "\"", "must be TO_FLOAT, TO_INT64 or TO_STRING");
}

struct Entry {
  int64_t key = 0;
  Tensor value;  // one float or one string
};

std::vector<Entry> sorted_entries(const Map& map) {
  if (map.key_type == DType::kString) fail_schema("type-mismatch", "X has string keys", "must have int64 keys");
  std::vector<Entry> entries;
  for (size_t i = 0; i < map.size(); ++i) {
    const Value& value = map.values[i];
    if (!value.is_tensor() || value.tensor().size() != 1) {
      fail_schema("type-mismatch", "a value of X is " + value.type().text(), "must be one float or one string");
    }
    entries.push_back({map.int_keys[i], value.tensor()});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
  return entries;
}

Extended number_of(const Tensor& value) {
  if (!value.is_string()) return exact_values(value)[0];
  const std::string& text = value.strings()[0];
  const std::optional<Extended> number = spelled_number(text);
  if (!number) fail_undefined("cast-text", "a value of X is \"" + text + "\"", "must spell a number");
  return *number;
}

// Choice: as Cast does it: toward zero, modulo 2^64; NaN and infinities are 0. `defined` says whether the text does.
int64_t truncated(const Extended& number, bool& defined) {
  if (!number.is_finite()) {
    defined = false;
    return 0;
  }
  const BigInt whole = number.rational().truncated();
  defined = whole >= BigInt(INT64_MIN) && whole <= BigInt(INT64_MAX);
  return static_cast<int64_t>(whole.low_bits());
}

std::string text_of(const Tensor& value) {
  return value.is_string() ? value.strings()[0] : shortest_decimal(float_format(value.dtype()), value.code(0));
}

// Writes `value` as element `at`; false where the spec defines no result.
bool put(const Tensor& value, Tensor& y, size_t at) {
  bool defined = true;
  if (y.is_string()) {
    y.mutable_strings()[at] = text_of(value);
  } else if (y.dtype() == DType::kFloat) {
    y.set_code(at, number_of(value).encode(kFloat32));
  } else {
    y.set_code(at, static_cast<uint64_t>(truncated(number_of(value), defined)));
  }
  return defined;
}

// Where each entry goes, and how long the output is.
std::vector<size_t> places_of(const OpCall& call, const std::vector<Entry>& entries, int64_t& length) {
  const std::string& form = call.text("map_form");
  std::vector<size_t> places(entries.size());
  if (form == "DENSE") {
    std::iota(places.begin(), places.end(), 0);
    length = static_cast<int64_t>(entries.size());
    return places;
  }
  if (form != "SPARSE") fail_schema("attribute-value", "map_form is \"" + form + "\"", "must be DENSE or SPARSE");
  length = call.integer("max_map");
  if (length < 0) fail_schema("attribute-range", "max_map is " + std::to_string(length), "must be at least 0");
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].key < 0 || entries[i].key >= length) {
      fail_undefined("index-range", "X has the key " + std::to_string(entries[i].key),
                     "must be in [0, max_map - 1] = [0, " + std::to_string(length - 1) + "]");
    }
    places[i] = static_cast<size_t>(entries[i].key);
  }
  return places;
}

// Choice: where no key stands, a sparse string output holds "0".
Tensor cast_map_1(const OpCall& call) {
  const Value& x = call.value("X");
  if (!x.is_map()) fail_schema("type-mismatch", "X is " + x.type().text(), "must be a map");
  const std::vector<Entry> entries = sorted_entries(x.map());
  int64_t length = 0;
  const std::vector<size_t> places = places_of(call, entries, length);
  Tensor y(target_of(call), Shape{1, length});
  if (y.is_string()) std::fill(y.mutable_strings().begin(), y.mutable_strings().end(), "0");
  std::vector<uint8_t> open(y.size(), 0);
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!put(entries[i].value, y, places[i])) open[places[i]] = 1;
  }
  if (!open.empty()) call.mark_unspecified(0, "float-to-integer-range", std::move(open));
  return y;
}

}  // namespace

const Operator kCastMap{"ai.onnx.ml", "CastMap", {
    {.since = 1, .run = cast_map_1},
}};

}  // namespace onnxv
