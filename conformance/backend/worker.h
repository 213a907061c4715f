// A backend in a child process that speaks the line protocol of cli.md.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backend/backend.h"
#include "conformance/backend/line_channel.h"
#include "conformance/backend/scratch.h"

namespace onnxv {

class WorkerBackend : public Backend {
 public:
  // `arguments`: the program and its arguments; `options` travel with every request; `start_hint`:
  // what may help where it cannot be started.
  WorkerBackend(std::string spelling, std::vector<std::string> arguments,
                std::map<std::string, std::string> options, const BackendSettings& settings,
                std::string start_hint = "");
  ~WorkerBackend() override;

  const BackendDescription& description() const override { return description_; }
  BackendAnswer run(const BackendJob& job) override;
  bool gives_inner_values() const override { return inner_values_; }

 private:
  // False: it could not be started, and description_.failure says why.
  bool ensure_started();
  bool start();
  bool read_first_line(std::string& problem);
  void stop();
  std::string request_line(const BackendJob& job, std::vector<std::string>& input_paths);
  BackendAnswer ask(const BackendJob& job);
  BackendAnswer judge(const BackendJob& job, const std::string& line);
  BackendAnswer read_outputs(const BackendJob& job, const std::vector<std::string>& files);
  BackendAnswer ended_answer();

  BackendDescription description_;
  std::vector<std::string> arguments_;
  BackendSettings settings_;
  std::string start_hint_;
  ScratchDirectory scratch_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<LineChannel> lines_;
  int64_t next_id_ = 1;
  int64_t max_opset_ = 0;
  bool inner_values_ = false;
  int failed_starts_ = 0;
  bool ever_started_ = false;
};

}  // namespace onnxv
