#include "conformance/backend/plugin_host.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "conformance/backend/plugin_values.h"
#include "conformance/case.h"
#include "conformance/onnx_verify_backend.h"
#include "src/base/error.h"
#include "src/model/model_io.h"

// What the plug-in sees as opaque.
struct onnxv_answer {
  std::vector<onnxv::Value> outputs;
  std::string message;
  std::optional<onnxv::Error> problem;  // of what it gave
};

namespace onnxv {
namespace {

using Json = nlohmann::json;

// Called from C: nothing may be thrown through it.
void give(onnxv_answer* answer, size_t output, const onnxv_value* value) {
  if (answer == nullptr) return;
  try {
    if (value == nullptr) fail_backend("plugin-value", "null");
    if (output >= answer->outputs.size()) {
      fail_backend("plugin-output", "output " + std::to_string(output),
                   "wanted one below " + std::to_string(answer->outputs.size()));
    }
    answer->outputs[output] = value_of(*value);
  } catch (const Error& error) {
    if (!answer->problem) answer->problem = error;
  } catch (const std::exception& error) {
    if (!answer->problem) answer->problem = Error(ErrorKind::kLimit, "plugin-value", error.what());
  }
}

void say(onnxv_answer* answer, const char* message) {
  if (answer != nullptr && message != nullptr) answer->message = message;
}

constexpr onnxv_host kHost = {give, say};

const onnxv_backend& load_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail_backend("plugin", dlerror());
  const auto get =
      reinterpret_cast<decltype(&onnxv_backend_get)>(dlsym(library, "onnxv_backend_get"));
  if (get == nullptr) fail_backend("plugin", path, "wanted the symbol onnxv_backend_get");
  const onnxv_backend* backend = get(ONNXV_BACKEND_INTERFACE);
  if (backend == nullptr || backend->interface_version != ONNXV_BACKEND_INTERFACE) {
    fail_backend("plugin-interface",
                 backend == nullptr ? "another version"
                                    : "version " + std::to_string(backend->interface_version),
                 "wanted " + std::to_string(ONNXV_BACKEND_INTERFACE));
  }
  if (backend->load == nullptr || backend->run == nullptr) {
    fail_backend("plugin-interface", "load or run is null");
  }
  return *backend;
}

class Host {
 public:
  explicit Host(const onnxv_backend& backend) : backend_(backend) {}
  ~Host() { unload(); }

  Json hello() const {
    const auto text = [](const char* given) { return given == nullptr ? "" : given; };
    return {{"protocol", 1},
            {"name", text(backend_.name)},
            {"version", text(backend_.version)},
            {"device", text(backend_.device)},
            {"max_opset", backend_.max_opset},
            {"intermediates", false}};
  }

  Json answer(const Json& request) {
    try {
      onnxv_answer answer;
      onnxv_status status = load(request["model"], answer);
      if (status == ONNXV_OK) status = run(request, answer);
      if (answer.problem) throw *answer.problem;
      if (status == ONNXV_OK) return {{"status", "ok"}, {"outputs", written(request, answer)}};
      return {{"status", status == ONNXV_UNSUPPORTED ? "unsupported" : "error"},
              {"message", answer.message}};
    } catch (const std::exception& error) {
      return {{"status", "error"}, {"message", error.what()}};
    }
  }

 private:
  void unload() {
    if (model_ != nullptr && backend_.unload != nullptr) backend_.unload(model_);
    model_ = nullptr;
    loaded_.clear();
  }

  // The model that is asked for again, unless its file is another one by now.
  static std::string identity(const std::string& path) {
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) fail_backend("plugin-model", path);
    return path + "\n" + std::to_string(status.st_ino) + " " + std::to_string(status.st_size) +
           " " + std::to_string(status.st_mtim.tv_sec) + "." +
           std::to_string(status.st_mtim.tv_nsec);
  }

  onnxv_status load(const std::string& path, onnxv_answer& answer) {
    const std::string wanted = identity(path);
    if (wanted == loaded_) return ONNXV_OK;
    unload();
    types_.clear();
    const Model model = read_model(path);
    if (!model.graph) fail_backend("plugin-model", path, "wanted a graph");
    for (const ValueInfo* input : required_inputs(*model.graph)) types_.push_back(input->type);
    const onnxv_status status = backend_.load(path.c_str(), &kHost, &answer, &model_);
    if (status == ONNXV_OK) {
      loaded_ = wanted;
    } else {
      model_ = nullptr;
    }
    return status;
  }

  onnxv_status run(const Json& request, onnxv_answer& answer) {
    std::vector<Value> inputs;
    for (const std::string file : request["inputs"]) {
      const size_t at = inputs.size();
      inputs.push_back(file.empty() ? Value()
                                    : read_value(file, at < types_.size() ? types_[at] : Type{}));
    }
    PluginViews views;
    std::vector<onnxv_value> given;
    for (const Value& input : inputs) given.push_back(views.view(input));
    const auto names = request["want"].get<std::vector<std::string>>();
    std::vector<const char*> wanted;
    for (const std::string& name : names) wanted.push_back(name.c_str());
    answer.outputs.resize(names.size());
    return backend_.run(model_, given.data(), given.size(), wanted.data(), wanted.size(), &kHost,
                        &answer);
  }

  // "" for an empty optional, as the protocol has it.
  static Json written(const Json& request, const onnxv_answer& answer) {
    Json files = Json::array();
    for (size_t i = 0; i < answer.outputs.size(); ++i) {
      const Value& value = answer.outputs[i];
      if (!value.exists()) {
        fail_backend("plugin-output", "output " + std::to_string(i) + " was not given");
      }
      if (value.is_optional() && value.optional().value == nullptr) {
        files.push_back("");
        continue;
      }
      const std::string name = "output_" + std::to_string(i) + ".pb";
      write_value(value, request["output_dir"].get<std::string>() + "/" + name);
      files.push_back(name);
    }
    return files;
  }

  const onnxv_backend& backend_;
  void* model_ = nullptr;
  std::string loaded_;
  std::vector<Type> types_;
};

void write_line(int descriptor, const Json& message) {
  const std::string line = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (size_t sent = 0; sent < line.size();) {
    const ssize_t count = ::write(descriptor, line.data() + sent, line.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(1);  // whoever asked is gone
    sent += static_cast<size_t>(count);
  }
}

}  // namespace

std::vector<std::string> plugin_host_command(const std::string& library) {
  return {std::filesystem::read_symlink("/proc/self/exe").string(), kPluginHost,
          std::filesystem::absolute(library).string()};
}

int host_plugin(const std::string& library) {
  const char* number = std::getenv("ONNXV_FD");
  const int channel = number == nullptr ? STDOUT_FILENO : std::atoi(number);
  Host host(load_library(library));
  write_line(channel, host.hello());
  std::string line;
  while (std::getline(std::cin, line)) {
    const Json request = Json::parse(line);
    Json answer = host.answer(request);
    answer["id"] = request["id"];
    write_line(channel, answer);
  }
  return 0;
}

}  // namespace onnxv
