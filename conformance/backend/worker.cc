#include "conformance/backend/worker.h"

#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "src/base/error.h"

namespace onnxv {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

BackendAnswer answer(Status status, std::string message) {
  return {status, std::move(message), {}};
}

std::string excerpt(const std::string& text) {
  constexpr size_t kLongest = 120;
  std::string shown;
  for (const char c : text.substr(0, kLongest)) {
    shown += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return "\"" + shown + (text.size() > kLongest ? "…\"" : "\"");
}

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// Its message, kept short and on one line.
std::string message_of(const Json& object) {
  constexpr size_t kLongest = 2000;
  std::string text = text_of(object, "message");
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return text;
}

int64_t newest_import(const BackendJob& job) {
  int64_t newest = 0;
  if (job.model == nullptr) return newest;
  for (const OpsetImport& import : job.model->opset_imports) {
    if (import.domain.empty() || import.domain == "ai.onnx")
      newest = std::max(newest, import.version);
  }
  return newest;
}

}  // namespace

WorkerBackend::WorkerBackend(std::string spelling, std::vector<std::string> arguments,
                             std::map<std::string, std::string> options,
                             const BackendSettings& settings, std::string start_hint)
    : arguments_(std::move(arguments)),
      settings_(settings),
      start_hint_(std::move(start_hint)),
      scratch_(settings.scratch) {
  description_.name = spelling;
  description_.spelling = std::move(spelling);
  description_.options = std::move(options);
  signal(SIGPIPE, SIG_IGN);  // a worker that died is an error of write, not our end
}

WorkerBackend::~WorkerBackend() {
  if (!child_ || !child_->running()) return;
  child_->close_input();
  child_->ended(0.2);  // time to leave by itself
}

void WorkerBackend::stop() {
  lines_.reset();
  child_.reset();
}

bool WorkerBackend::ensure_started() {
  // A worker that could never be started is not tried anew for each test.
  constexpr int kTries = 3;
  if (child_ && child_->running()) {
    // A worker that writes without being asked cannot be trusted with the next request.
    if (!lines_->has_pending() && child_->ended(0).empty()) return true;
    stop();
  }
  if (failed_starts_ > 0 && (!ever_started_ || failed_starts_ >= kTries)) return false;
  if (start()) {
    failed_starts_ = 0;
    ever_started_ = true;
    description_.failure.clear();
    return true;
  }
  ++failed_starts_;
  stop();
  return false;
}

bool WorkerBackend::start() {
  child_ = std::make_unique<ChildProcess>();
  lines_ = std::make_unique<LineChannel>(*child_);
  std::string problem;
  if (child_->start({arguments_, "ONNXV_FD", settings_.memory}, problem) &&
      read_first_line(problem)) {
    return true;
  }
  description_.failure = "could not be started: " + problem;
  if (!start_hint_.empty()) description_.failure += "; " + start_hint_;
  return false;
}

bool WorkerBackend::read_first_line(std::string& problem) {
  const Deadline deadline = deadline_in(settings_.start_limit);
  std::string line, rubbish;
  LineChannel::Source source{};
  for (;;) {
    switch (lines_->next_line(deadline, line, source)) {
      case LineChannel::Event::kLine: break;
      case LineChannel::Event::kFlood:
        problem = "it floods its output instead of a first line";
        return false;
      case LineChannel::Event::kTimeout:
        problem = "no first line within " +
                  std::to_string(static_cast<int64_t>(settings_.start_limit)) + " s";
        if (!rubbish.empty()) problem += ", but " + excerpt(rubbish);
        return false;
      case LineChannel::Event::kEnded: {
        const std::string words = lines_->last_words();
        const std::string end = child_->ended(1);
        problem = "it ended before its first line" + (end.empty() ? "" : ": " + end);
        if (!rubbish.empty()) problem += ", wrote " + excerpt(rubbish);
        if (!words.empty()) problem += ": " + words;
        return false;
      }
    }
    const Json hello = Json::parse(line, nullptr, false);
    if (hello.is_object() && hello.contains("protocol")) {
      if (hello["protocol"] != 1) {
        problem = "it speaks protocol " + hello["protocol"].dump() + ", wanted 1";
        return false;
      }
      lines_->listen_to(source);
      if (!text_of(hello, "name").empty()) description_.name = text_of(hello, "name");
      description_.version = text_of(hello, "version");
      description_.device = text_of(hello, "device");
      const auto intermediates = hello.find("intermediates");
      inner_values_ = intermediates != hello.end() && *intermediates == true;
      const auto max_opset = hello.find("max_opset");
      max_opset_ = max_opset != hello.end() && max_opset->is_number_integer()
                       ? max_opset->get<int64_t>()
                       : 0;
      return true;
    }
    // A library may greet on stdout before the worker speaks on its own channel.
    if (rubbish.empty()) rubbish = line;
  }
}

std::string WorkerBackend::request_line(const BackendJob& job,
                                        std::vector<std::string>& input_paths) {
  input_paths = job.input_paths;
  input_paths.resize(job.inputs.size());
  Json inputs = Json::array(), kinds = Json::array();
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    if (!job.inputs[i].exists()) input_paths[i].clear();
    if (input_paths[i].empty() && job.inputs[i].exists()) {
      input_paths[i] = scratch_.path() + "/input_" + std::to_string(i) + ".pb";
      write_value(job.inputs[i], input_paths[i]);
    }
    inputs.push_back(input_paths[i].empty() ? "" : fs::absolute(input_paths[i]).string());
    kinds.push_back(i < job.kinds.size() ? job.kinds[i] : "tensor");
  }
  const Json request = {{"id", next_id_},
                        {"model", fs::absolute(job.model_path).string()},
                        {"inputs", inputs},
                        {"kinds", kinds},
                        {"want", job.want},
                        {"options", Json(description_.options)},
                        {"output_dir", scratch_.path() + "/out"}};
  return request.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

BackendAnswer WorkerBackend::run(const BackendJob& job) {
  if (!ensure_started()) return answer(Status::kError, description_.failure);
  BackendAnswer result;
  try {
    result = ask(job);
  } catch (const Error& error) {
    result = answer(Status::kError, error.what());
    stop();
  }
  scratch_.clear();
  const bool newer = max_opset_ > 0 && newest_import(job) > max_opset_;
  if (result.status == Status::kError && newer && child_) {
    result.status = Status::kUnsupported;
    result.message = "opset " + std::to_string(newest_import(job)) + " is newer than its " +
                     std::to_string(max_opset_) + ": " + result.message;
  }
  return result;
}

BackendAnswer WorkerBackend::ended_answer() {
  const std::string words = lines_->last_words();
  const std::string end = child_->ended(1);
  stop();
  return answer(Status::kCrash, (end.empty() ? "it closed its channel" : end) +
                                    (words.empty() ? "" : ": " + words));
}

BackendAnswer WorkerBackend::ask(const BackendJob& job) {
  fs::create_directory(scratch_.path() + "/out");
  std::vector<std::string> input_paths;
  const std::string request = request_line(job, input_paths);
  const Deadline deadline = deadline_in(job.time_limit);
  const auto timed_out = [&] {
    stop();
    return answer(Status::kTimeout, "no answer within the time limit");
  };
  bool ended = false;
  lines_->forget_words();
  if (!lines_->send(request, deadline, ended)) return ended ? ended_answer() : timed_out();
  std::string line;
  LineChannel::Source source{};
  switch (lines_->next_line(deadline, line, source)) {
    case LineChannel::Event::kLine: break;
    case LineChannel::Event::kEnded: return ended_answer();
    case LineChannel::Event::kTimeout: return timed_out();
    case LineChannel::Event::kFlood: stop(); return answer(Status::kError, "it floods its output");
  }
  BackendAnswer result = judge(job, line);
  ++next_id_;
  return result;
}

BackendAnswer WorkerBackend::judge(const BackendJob& job, const std::string& line) {
  const auto rubbish = [&](const std::string& what) {
    stop();
    return answer(Status::kError, what + ": " + excerpt(line));
  };
  const Json reply = Json::parse(line, nullptr, false);
  if (!reply.is_object()) return rubbish("its answer is no JSON object");
  const auto id = reply.find("id");
  if (id == reply.end() || *id != next_id_)
    return rubbish("its answer has not the id of the request");
  const std::string status = text_of(reply, "status");
  if (status == "unsupported") return answer(Status::kUnsupported, message_of(reply));
  if (status == "error") return answer(Status::kError, message_of(reply));
  if (status != "ok") return rubbish("its status is unknown");
  const auto outputs = reply.find("outputs");
  if (outputs == reply.end() || !outputs->is_array())
    return rubbish("its answer has no list of outputs");
  std::vector<std::string> files;
  for (const Json& file : *outputs) {
    if (!file.is_string()) return rubbish("an output is no file name");
    files.push_back(file.get<std::string>());
  }
  if (files.size() != job.want.size()) {
    return answer(Status::kError, "it gave " + std::to_string(files.size()) + " outputs, wanted " +
                                      std::to_string(job.want.size()));
  }
  return read_outputs(job, files);
}

BackendAnswer WorkerBackend::read_outputs(const BackendJob& job,
                                          const std::vector<std::string>& files) {
  BackendAnswer result;
  const auto give = [&](size_t i, Value value) {
    if (job.take) return job.take(i, std::move(value));
    result.outputs.push_back(std::move(value));
  };
  const fs::path home = fs::weakly_canonical(scratch_.path() + "/out");
  for (size_t i = 0; i < files.size(); ++i) {
    const Type type = i < job.types.size() ? job.types[i] : Type{};
    if (files[i].empty()) {
      if (type.kind != Type::Kind::kOptional && type.kind != Type::Kind::kUnknown) {
        return answer(Status::kError, "output \"" + job.want[i] + "\" is missing");
      }
      give(i, Optional{type.element ? *type.element : Type{}, nullptr});
      continue;
    }
    const fs::path file = fs::weakly_canonical(home / files[i]);
    const fs::path inside = file.lexically_relative(home);
    if (inside.empty() || *inside.begin() == "..") {
      return answer(Status::kError, "output " + excerpt(files[i]) + " is outside output_dir");
    }
    try {
      give(i, type.kind == Type::Kind::kUnknown ? Value(read_tensor(file.string())) : read_value(file.string(), type));
    } catch (const Error& error) {
      return answer(Status::kError,
                    "output \"" + job.want[i] + "\" cannot be read: " + error.got());
    }
  }
  return result;
}

}  // namespace onnxv
