// Every version of every operator is accounted for, or named here.
#include "schema/ledger.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

namespace onnxv {
namespace {

namespace fs = std::filesystem;

// "Op-Version" for every such word in the title of a test case: TEST_CASE("Softmax-13 …"), and in a
// plural file TEST_CASE("Sin-7, Cos-7: …").
std::set<std::string> versions_named_by_tests() {
  static const std::regex title(R"re((?:TEST_CASE|SUBCASE)(?:_TEMPLATE)?\(\s*"([^"]*)")re");
  static const std::regex version(R"re([A-Za-z][A-Za-z0-9]*-[0-9]+)re");
  std::set<std::string> found;
  for (const char* room : {"ops", "src/run", "conformance"}) {
    const fs::path folder = fs::path(ONNXV_SOURCE_DIR) / room;
    if (!fs::is_directory(folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.path().filename().string().ends_with("_test.cc")) continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      for (std::sregex_iterator at(text.begin(), text.end(), title), end; at != end; ++at) {
        const std::string words = (*at)[1];
        for (std::sregex_iterator word(words.begin(), words.end(), version); word != end; ++word) {
          found.insert(word->str());
        }
      }
    }
  }
  return found;
}

// "domain Op-Version" of testdata/versions.txt: the bundled suites and the official node tests.
std::set<std::string> versions_covered_by_suites() {
  std::ifstream file(fs::path(ONNXV_SOURCE_DIR) / "testdata" / "versions.txt");
  std::set<std::string> found;
  for (std::string line; std::getline(file, line);) found.insert(line.substr(0, line.find(':')));
  return found;
}

bool is_tested(const OpSchema& schema) {
  static const std::set<std::string> by_tests = versions_named_by_tests();
  static const std::set<std::string> by_suites = versions_covered_by_suites();
  const std::string version = schema.name + "-" + std::to_string(schema.since_version);
  return by_tests.contains(version) || by_suites.contains(schema.domain + " " + version);
}

}  // namespace

TEST_CASE("the version ledger") {
  const std::vector<std::string> problems = ledger_problems(is_tested);
  std::map<Standing, int> counts;
  std::map<OpStatus, int> states;
  int rows = 0;
  for (const OperatorName& name : all_operator_names()) {
    for (const OpSchema& schema : schema_versions(name.domain, name.name)) {
      ++counts[standing(schema)];
      ++states[ledger_status(schema)];
      ++rows;
    }
  }
  std::cout << "ledger: " << rows << " rows: " << counts[Standing::kStarts]
            << " begin a behaviour, " << counts[Standing::kAlso] << " read and alike, "
            << counts[Standing::kTypesOnly] << " types only, " << counts[Standing::kDeprecated]
            << " deprecated, " << counts[Standing::kUnimplemented] << " listed as unimplemented, "
            << counts[Standing::kMissing] << " missing\n"
            << "ledger: " << states[OpStatus::kImplemented] << " implemented, "
            << states[OpStatus::kNotEvaluable] << " not evaluable, "
            << states[OpStatus::kUnimplemented] << " unimplemented; " << problems.size()
            << " red\n";
  for (const std::string& problem : problems) FAIL_CHECK(problem);
}

TEST_CASE("a version carries over only where nothing but types changed") {
  const auto pair = [](std::string_view name, int before, int version) {
    return only_types_differ(*find_schema("", name, before), *find_schema("", name, version));
  };
  CHECK(pair("Relu", 6, 13));            // bfloat16 came
  CHECK_FALSE(pair("Softmax", 11, 13));  // default axis and text
  CHECK_FALSE(pair("Softmax", 1, 11));   // text: negative axes
  CHECK_FALSE(pair("Dropout", 10, 12));  // attributes became inputs
  CHECK_FALSE(pair("ArgMax", 11, 12));   // a new attribute
}

}  // namespace onnxv
