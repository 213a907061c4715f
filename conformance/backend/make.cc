// `--backend X`: from the spelling to a backend.
#include <filesystem>
#include <map>

#include "conformance/backend/adapter.h"
#include "conformance/backend/backend.h"
#include "conformance/backend/child_process.h"
#include "conformance/backend/plugin_host.h"
#include "conformance/backend/recorded.h"
#include "conformance/backend/reference.h"
#include "conformance/backend/worker.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

using Options = std::map<std::string, std::string>;

struct Spelling {
  std::string name;
  std::string rest;  // after "command:", "recorded:", "plugin:" whole; MODULE after "python:"
  Options options;
};

bool starts_with(const std::string& text, const std::string& head) {
  return text.compare(0, head.size(), head) == 0;
}

std::string known_backends() {
  std::string names = "reference";
  for (const Adapter& adapter : shipped_adapters()) names += ", " + adapter.backend;
  return names + ", python:MODULE, command:CMDLINE, plugin:FILE.so or recorded:DIR";
}

Spelling parse(const std::string& spelling) {
  for (const char* whole : {"command:", "recorded:", "plugin:"}) {
    if (starts_with(spelling, whole)) {
      return {whole, spelling.substr(std::string(whole).size()), {}};
    }
  }
  Spelling parsed;
  size_t end = spelling.find(',');
  parsed.name = spelling.substr(0, end);
  while (end != std::string::npos) {
    const size_t start = end + 1;
    end = spelling.find(',', start);
    const std::string pair = spelling.substr(start, end == std::string::npos ? end : end - start);
    const size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail_usage("backend", "\"" + spelling + "\"", "wanted NAME[,KEY=VALUE…]");
    }
    parsed.options[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  if (starts_with(parsed.name, "python:")) {
    parsed.rest = parsed.name.substr(std::string("python:").size());
    parsed.name = "python:";
  }
  return parsed;
}

const Adapter* adapter_for(const std::string& name) {
  for (const Adapter& adapter : shipped_adapters()) {
    if (adapter.backend == name) return &adapter;
  }
  return nullptr;
}

// An adapter's script lives as long as the worker that runs it.
class AdapterBackend : public Backend {
 public:
  AdapterBackend(const std::string& spelling, const Adapter& adapter, const Spelling& parsed,
                 const BackendSettings& settings)
      : home_(settings.scratch),
        worker_(spelling, command(adapter, parsed, settings), parsed.options, settings,
                hint(parsed)) {}
  const BackendDescription& description() const override { return worker_.description(); }
  BackendAnswer run(const BackendJob& job) override { return worker_.run(job); }
  bool gives_inner_values() const override { return worker_.gives_inner_values(); }

 private:
  static std::string hint(const Spelling& parsed) {
    if (parsed.name == "python:") return "";
    return "`scripts/setup --backend " + parsed.name + "` installs what it needs";
  }
  std::vector<std::string> command(const Adapter& adapter, const Spelling& parsed,
                                   const BackendSettings& settings) const {
    std::vector<std::string> words = adapter_command(adapter, settings.python, home_.path());
    if (!parsed.rest.empty()) words.push_back(parsed.rest);
    // Every request carries the options; the first line, which names the device, comes before any.
    for (const auto& [key, value] : parsed.options) words.push_back(key + "=" + value);
    return words;
  }

  ScratchDirectory home_;
  WorkerBackend worker_;
};

void check(const Spelling& parsed, const std::string& spelling) {
  if (parsed.name == "command:") {
    split_command_line(parsed.rest);
  } else if (parsed.name == "recorded:") {
    if (!std::filesystem::is_directory(parsed.rest)) {
      fail_usage("backend", "\"" + spelling + "\"", "wanted a directory after recorded:");
    }
  } else if (parsed.name == "plugin:") {
    if (!std::filesystem::is_regular_file(parsed.rest)) {
      fail_usage("backend", "\"" + spelling + "\"", "wanted a shared library after plugin:");
    }
  } else if (parsed.name == "python:") {
    if (parsed.rest.empty())
      fail_usage("backend", "\"" + spelling + "\"", "wanted a module after python:");
  } else if (parsed.name == "reference") {
    if (!parsed.options.empty())
      fail_usage("backend", "\"" + spelling + "\"", "reference has no options");
  } else if (adapter_for(parsed.name) == nullptr) {
    fail_usage("backend", "\"" + spelling + "\"", "wanted " + known_backends());
  }
}

}  // namespace

void check_backend_spelling(const std::string& spelling) { check(parse(spelling), spelling); }

std::unique_ptr<Backend> make_backend(const std::string& spelling,
                                      const BackendSettings& settings) {
  const Spelling parsed = parse(spelling);
  check(parsed, spelling);
  if (parsed.name == "command:") {
    return std::make_unique<WorkerBackend>(spelling, split_command_line(parsed.rest), Options{},
                                           settings);
  }
  if (parsed.name == "plugin:") {
    return std::make_unique<WorkerBackend>(spelling, plugin_host_command(parsed.rest), Options{},
                                           settings);
  }
  if (parsed.name == "recorded:") return std::make_unique<RecordedBackend>(spelling, parsed.rest);
  if (parsed.name == "reference") return std::make_unique<ReferenceBackend>(spelling);
  const Adapter& adapter =
      parsed.name == "python:" ? python_module_adapter() : *adapter_for(parsed.name);
  return std::make_unique<AdapterBackend>(spelling, adapter, parsed, settings);
}

}  // namespace onnxv
