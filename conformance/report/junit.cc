#include "conformance/report/junit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <ctime>

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

namespace {

// What the Ant schema asks of a suite: where and when it ran. Of the file, not of the results.
std::string here_and_now() {
  char host[256] = "localhost";
  if (gethostname(host, sizeof(host) - 1) != 0 || host[0] == '\0') return "localhost";
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char stamp[32];
  std::strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &parts);
  return fmt::format("timestamp=\"{}\" hostname=\"{}\"", stamp, escaped_markup(host));
}

std::string properties_of(const Results& results, const std::string& spelling) {
  std::string text = "    <properties>\n";
  const auto add = [&](const std::string& name, const std::string& value) {
    if (value.empty()) return;
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", escaped_markup(name),
                        escaped_markup(value));
  };
  add("onnx-verify", results.version);
  for (const BackendDescription& backend : results.backends) {
    if (backend.spelling != spelling) continue;
    add("name", backend.name);
    add("version", backend.version);
    add("device", backend.device);
    add("failure", backend.failure);
    for (const auto& [key, value] : backend.options) add("option " + key, value);
  }
  return text + "    </properties>\n";
}

}  // namespace

// Elements and attributes that both schemas in use allow: Ant's, which demands much of a suite and
// nothing of the root, and Jenkins'. A test checks it (junit.xsd).
std::string to_junit(const Results& results) {
  const std::string place = here_and_now();
  std::string suites;
  size_t id = 0;
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
    suites += fmt::format(
        "  <testsuite name=\"{}\" package=\"onnx-verify\" id=\"{}\" {} tests=\"{}\" "
        "failures=\"{}\" "
        "errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\">\n{}{}    <system-out/>\n    <system-err/>\n"
        "  </testsuite>\n",
        escaped_markup(backend), id++, place, counts[0] + counts[1] + counts[2] + counts[3],
        counts[1], counts[2], counts[3], time, properties_of(results, backend), cases);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites + "</testsuites>\n";
}

}  // namespace onnxv
