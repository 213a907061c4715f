#include "src/cli/option_values.h"

#include <charconv>
#include <cmath>

#include "src/base/error.h"

namespace onnxv::cli {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view wanted) {
  fail_usage("option-value", std::string(option) + " is \"" + std::string(text) + "\"",
             "must be " + std::string(wanted));
}

// The whole text as a number.
template <class T>
bool parse_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

double factor_of(std::string_view unit, std::string_view option, std::string_view text) {
  constexpr std::string_view kLetters = "KMGT";
  if (unit.empty() || unit == "B") return 1;
  const char letter = unit[0] == 'k' ? 'K' : unit[0];
  const size_t power = kLetters.find(letter);
  const std::string_view rest = unit.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "B" && rest != "iB")) {
    refuse(option, text, "a number of bytes, as 1048576 or 2GiB");
  }
  return std::pow(rest == "B" ? 1000.0 : 1024.0, static_cast<double>(power + 1));
}

}  // namespace

int64_t integer_of(std::string_view text, std::string_view option, int64_t least, int64_t most) {
  int64_t value = 0;
  if (!parse_number(text, value) || value < least || value > most) {
    refuse(option, text,
           "an integer of at least " + std::to_string(least) +
               (most == INT64_MAX ? "" : " and at most " + std::to_string(most)));
  }
  return value;
}

uint64_t unsigned_of(std::string_view text, std::string_view option) {
  uint64_t value = 0;
  if (!parse_number(text, value)) refuse(option, text, "an integer from 0 to 2^64 - 1");
  return value;
}

double seconds_of(std::string_view text, std::string_view option) {
  double value = 0;
  if (!parse_number(text, value) || !std::isfinite(value) || value <= 0)
    refuse(option, text, "a number of seconds above 0");
  return value;
}

uint64_t bytes_of(std::string_view text, std::string_view option) {
  const size_t unit = text.find_first_not_of("0123456789.");
  double value = 0;
  if (!parse_number(text.substr(0, unit), value))
    refuse(option, text, "a number of bytes, as 1048576 or 2GiB");
  value *= factor_of(unit == std::string_view::npos ? "" : text.substr(unit), option, text);
  if (!(value >= 1) || value >= 0x1p63) refuse(option, text, "at least 1 and below 2^63");
  return static_cast<uint64_t>(value);
}

When when_of(std::string_view text, std::string_view option) {
  if (text == "auto") return When::kAuto;
  if (text == "always") return When::kAlways;
  if (text == "never") return When::kNever;
  refuse(option, text, "auto, always or never");
}

std::pair<std::string, std::string> key_value_of(std::string_view text, std::string_view option) {
  const size_t split = text.find('=');
  if (split == std::string_view::npos || split == 0) refuse(option, text, "NAME=VALUE");
  return {std::string(text.substr(0, split)), std::string(text.substr(split + 1))};
}

std::pair<double, double> range_of(std::string_view text) {
  const size_t split = text.find(':');
  double low = 0, high = 0;
  if (split == std::string_view::npos || !parse_number(text.substr(0, split), low) ||
      !parse_number(text.substr(split + 1), high) || !std::isfinite(low) || !std::isfinite(high) ||
      low > high) {
    refuse("--range", text, "LO:HI, finite and ascending");
  }
  return {low, high};
}

std::vector<int64_t> shape_of(std::string_view text) {
  std::vector<int64_t> shape;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    shape.push_back(integer_of(text.substr(0, comma), "--shape", 0, INT64_MAX));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) refuse("--shape", ",", "sizes between commas");
  }
  return shape;
}

}  // namespace onnxv::cli
