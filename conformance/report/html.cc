#include "conformance/report/html.h"

#include <fmt/format.h>

#include "conformance/report/junit.h"
#include "conformance/report/text.h"

namespace onnxv {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>onnx-verify results</title>
<style>
:root { color-scheme: light dark; --bad: #b00020; --good: #1b7f3b; --open: #8a6100; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff7b8a; --good: #6fd08c; --open: #e6b450; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .7rem; text-align: right; }
th:first-child, td:first-child { text-align: left; } tr + tr { border-top: 1px solid #8884; }
summary { cursor: pointer; } pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 1.5rem; }
.pass { color: var(--good); } .fail, .error, .crash, .timeout { color: var(--bad); }
.unsupported, .undefined, .skipped { color: var(--open); }
form { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0; }
</style></head><body>
<h1>onnx-verify results</h1>
)";

constexpr const char* kTail = R"(<script>
const form = document.querySelector("form");
function filter() {
  const text = form.text.value.toLowerCase(), status = form.status.value, backend = form.backend.value;
  let shown = 0;
  for (const row of document.querySelectorAll("#results > details")) {
    const fits = row.dataset.test.toLowerCase().includes(text) && (!status || row.dataset.status === status) &&
                 (!backend || row.dataset.backend === backend);
    row.hidden = !fits;
    shown += fits;
  }
  document.getElementById("shown").textContent = shown + " shown";
}
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter();
</script></body></html>
)";

std::string summary_table(const Results& results) {
  std::string text = "<table><tr><th>backend</th><th>version</th>";
  for (int i = 0; i < kStatusCount; ++i)
    text += fmt::format("<th>{}</th>", status_name(static_cast<Status>(i)));
  text += "<th>expected fail</th><th>unexpected pass</th></tr>\n";
  for (const auto& [name, summary] : summarize(results)) {
    std::string version;
    for (const BackendDescription& backend : results.backends) {
      if (backend.spelling == name) version = backend.version;
    }
    text +=
        fmt::format("<tr><td>{}</td><td>{}</td>", escaped_markup(name), escaped_markup(version));
    for (const uint64_t count : summary.counts) text += fmt::format("<td>{}</td>", count);
    text += fmt::format("<td>{}</td><td>{}</td></tr>\n", summary.expected_fail,
                        summary.unexpected_pass);
  }
  return text + "</table>\n";
}

std::string filter_form(const Results& results) {
  std::string text =
      "<form><label>Test <input name=\"text\" type=\"search\"></label><label>Status <select "
      "name=\"status\">"
      "<option value=\"\">any</option>";
  for (int i = 0; i < kStatusCount; ++i)
    text += fmt::format("<option>{}</option>", status_name(static_cast<Status>(i)));
  text +=
      "</select></label><label>Backend <select name=\"backend\"><option value=\"\">any</option>";
  for (const BackendDescription& backend : results.backends) {
    text += fmt::format("<option>{}</option>", escaped_markup(backend.spelling));
  }
  return text + "</select></label><output id=\"shown\"></output></form>\n";
}

std::string row(const Outcome& outcome) {
  const std::string status(status_name(outcome.status));
  TextStyle style;
  style.verbose = true;
  return fmt::format(
      "<details data-test=\"{0}\" data-status=\"{1}\" data-backend=\"{2}\"><summary><span "
      "class=\"{1}\">{1}</span> "
      "{0} <small>{2}</small></summary><pre>{3}</pre></details>\n",
      escaped_markup(outcome.test), status, escaped_markup(outcome.backend),
      escaped_markup(outcome_text(outcome, style)));
}

}  // namespace

std::string to_html(const Results& results) {
  std::string text = kHead;
  text += fmt::format("<p>onnx-verify {}</p>\n", escaped_markup(results.version));
  text += summary_table(results) + filter_form(results) + "<div id=\"results\">\n";
  for (const Outcome& outcome : results.outcomes) text += row(outcome);
  return text + "</div>\n" + kTail;
}

}  // namespace onnxv
