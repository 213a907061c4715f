#include "conformance/errata.h"

#include <fnmatch.h>

#include <nlohmann/json.hpp>

#include "conformance/embedded.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

std::vector<Erratum> load() {
  std::vector<Erratum> list;
  try {
    const nlohmann::json document = nlohmann::json::parse(embedded_text("errata.json"));
    for (const nlohmann::json& entry : document.at("errata")) {
      Erratum erratum;
      erratum.test = entry.at("test");
      erratum.reason = entry.at("reason");
      const nlohmann::json beside = {{"outputs", {{"", entry}}}};
      erratum.tolerance =
          DirectoryTolerance::parse(beside.dump(), "errata.json").outputs[0].tolerance;
      list.push_back(std::move(erratum));
    }
  } catch (const nlohmann::json::exception& error) {
    fail_internal("errata", error.what());
  }
  return list;
}

}  // namespace

const std::vector<Erratum>& errata() {
  static const std::vector<Erratum> list = load();
  return list;
}

const Erratum* erratum_of(const std::string& test) {
  const size_t slash = test.rfind('/');
  const std::string name = slash == std::string::npos ? test : test.substr(slash + 1);
  for (const Erratum& erratum : errata()) {
    if (fnmatch(erratum.test.c_str(), name.c_str(), 0) == 0) return &erratum;
  }
  return nullptr;
}

}  // namespace onnxv
