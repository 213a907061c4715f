#include "conformance/report/html.h"

#include <nlohmann/json.hpp>

#include "conformance/embedded.h"
#include "conformance/report/json.h"

namespace onnxv {
namespace {

using Json = nlohmann::ordered_json;

bool says_nothing(const Json& value) {
  return value.is_null() || value == "" || value == 0 || value == false ||
         ((value.is_array() || value.is_object()) && value.empty());
}

// Members that hold nothing go: a page of many thousand results stays small.
void drop_empty(Json& value) {
  if (value.is_object()) {
    for (auto member = value.begin(); member != value.end();) {
      drop_empty(member.value());
      member = says_nothing(member.value()) ? value.erase(member) : std::next(member);
    }
  } else if (value.is_array()) {
    for (Json& item : value) drop_empty(item);
  }
}

// What a page says of an output that is right: how far off it was.
void reduce_right_outputs(Json& outputs) {
  for (Json& output : outputs) {
    if (output.contains("mismatched") || output.contains("problem")) continue;
    for (const char* key : {"tolerance", "ulp_by_exponent"}) output.erase(key);
  }
}

// JSON inside a script element: no markup may begin in it.
std::string for_script(const std::string& text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string page_data(const Results& results) {
  Json data = Json::parse(to_json(results));
  for (Json& result : data["results"]) {
    drop_empty(result);
    if (result.contains("outputs")) reduce_right_outputs(result["outputs"]);
    if (!result.contains("nodes")) continue;
    for (Json& node : result["nodes"]) {
      if (node.contains("outputs")) reduce_right_outputs(node["outputs"]);
      if (node.contains("in_model")) reduce_right_outputs(node["in_model"]);
    }
  }
  return for_script(data.dump());
}

}  // namespace

std::string to_html(const Results& results) {
  std::string page;
  std::string_view rest = embedded_text("page.html");
  for (;;) {
    const size_t mark = rest.find("{{");
    page += rest.substr(0, mark);
    if (mark == std::string_view::npos) return page;
    const size_t end = rest.find("}}", mark);
    const std::string_view name = rest.substr(mark + 2, end - mark - 2);
    page += name == "data" ? page_data(results) : std::string(embedded_text(name));
    rest = rest.substr(end + 2);
  }
}

}  // namespace onnxv
