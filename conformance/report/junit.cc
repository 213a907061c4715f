#include "conformance/report/junit.h"

#include <fmt/format.h>

#include "conformance/report/text.h"

namespace onnxv {
namespace {

enum class Element { kNone, kFailure, kError, kSkipped };

Element element_of(const Outcome& outcome) {
  if (outcome.known) return Element::kSkipped;
  if (outcome.unexpected_pass) return Element::kFailure;
  switch (outcome.status) {
    case Status::kPass: return Element::kNone;
    case Status::kFail: return Element::kFailure;
    case Status::kError:
    case Status::kCrash:
    case Status::kTimeout: return Element::kError;
    case Status::kUnsupported:
    case Status::kUndefined:
    case Status::kSkipped: return Element::kSkipped;
  }
  return Element::kNone;
}

std::string test_case(const Outcome& outcome, Element element) {
  const std::string type(status_name(outcome.status));
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\"",
                  escaped_markup(outcome.backend), escaped_markup(outcome.test), outcome.seconds);
  if (element == Element::kNone) return text + "/>\n";
  text += ">\n";
  const std::string message =
      escaped_markup(outcome.known ? "known: " + outcome.known->reason + " " + outcome.known->link
                                   : outcome.message);
  if (element == Element::kSkipped) {
    text += fmt::format("      <skipped message=\"{}: {}\"/>\n", type, message);
  } else {
    const char* name = element == Element::kFailure ? "failure" : "error";
    text += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", name, type, message,
                        escaped_markup(outcome_text(outcome, {})));
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string escaped_markup(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\n': escaped += "&#10;"; break;
      case '\t': escaped += ' '; break;
      default:
        if (byte >= 0x20 && byte != 0x7f) {
          escaped += c;
        } else {
          escaped += '?';
        }
    }
  }
  return escaped;
}

std::string to_junit(const Results& results) {
  std::string suites;
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  for (const auto& [backend, summary] : summarize(results)) {
    std::string cases;
    size_t counts[4] = {};
    double time = 0;
    for (const Outcome& outcome : results.outcomes) {
      if (outcome.backend != backend) continue;
      const Element element = element_of(outcome);
      ++counts[static_cast<int>(element)];
      time += outcome.seconds;
      cases += test_case(outcome, element);
    }
    const size_t all = counts[0] + counts[1] + counts[2] + counts[3];
    suites += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
        "time=\"{:.6f}\">\n{}"
        "  </testsuite>\n",
        escaped_markup(backend), all, counts[1], counts[2], counts[3], time, cases);
    tests += all;
    failures += counts[1];
    errors += counts[2];
    skipped += counts[3];
    seconds += time;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"onnx-verify\" tests=\"{}\" "
      "failures=\"{}\" "
      "errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\">\n{}</testsuites>\n",
      tests, failures, errors, skipped, seconds, suites);
}

}  // namespace onnxv
