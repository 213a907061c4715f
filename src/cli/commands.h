// The commands: each takes what was parsed from the command line and returns its exit code. They
// throw Error for everything that ends a command early; main prints it and exits with its code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/inputs.h"

namespace onnxv::cli {

enum class When : uint8_t { kAuto, kAlways, kNever };

// Options that every command takes.
struct CommonOptions {
  int threads = 0;      // 0: the processors divided by the jobs
  uint64_t memory = 0;  // bytes; 0: no limit
  bool quiet = false;
  bool verbose = false;
  bool rigorous = false;
  When color = When::kAuto;
  When progress = When::kAuto;
};

using InputOptions = InputSources;

// OPTIONS of cli.md that the main job and suite share. Strings as written; the conformance room
// gives them meaning.
struct ComparisonOptions {
  std::vector<std::string> backends;  // --backend
  std::string tolerance = "auto";
  std::string compute_type, allow;
  std::string nan, inf, zero;  // empty: the tolerance's own default
  std::optional<bool> nodes;   // --nodes, --no-nodes
  std::string extract;
  std::string json, junit, html;
  int jobs = 0;                   // 0: the command's default
  std::optional<double> timeout;  // seconds
  std::string shard;              // "I/N"; empty: the environment may say
  std::string resume;
  std::vector<std::string> include, exclude;
  int repeat = 1;
  bool strict = false;
  std::string expect;
  std::string backend_python;
};

struct VerifyCommand {  // onnx-verify MODEL --backend=X
  CommonOptions common;
  InputOptions inputs;
  ComparisonOptions comparison;
  std::string model;
};

struct SuiteCommand {
  CommonOptions common;
  ComparisonOptions comparison;
  std::vector<std::string> directories;
  std::string expected;  // "" or "exact"
};

struct RunCommand {
  CommonOptions common;
  InputOptions inputs;
  std::string model;
  std::string output;  // -o: a directory or FILE.npz; empty: print
  std::string format;  // "pb" or "npy"; empty: pb
  std::optional<double> timing;  // seconds to evaluate for; the outputs go nowhere then
};

struct GoldenCommand {
  CommonOptions common;
  InputOptions inputs;
  std::vector<std::string> models;
  std::string output;
  int sets = 1;
  bool check = false;
};

struct GenerateCommand {
  CommonOptions common;
  std::string output;
  std::vector<std::string> ops, types;
  int64_t opset = 0;  // 0: every version
};

struct CheckCommand {
  CommonOptions common;
  std::vector<std::string> models;
};

struct OpsCommand {
  CommonOptions common;
  std::string name;  // empty: all
  bool json = false;
  bool choices = false;
};

struct ReportCommand {
  CommonOptions common;
  std::vector<std::string> files;
  std::string html, junit, json;
  std::vector<std::string> diff;  // empty, or OLD and NEW
};

// --version, --help or COMMAND --help: `text` goes to stdout.
struct TextCommand {
  std::string text;
};

using Command = std::variant<VerifyCommand, SuiteCommand, RunCommand, GoldenCommand,
                             GenerateCommand, CheckCommand, OpsCommand, ReportCommand, TextCommand>;

// Usage errors are thrown.
Command parse_command_line(int argc, const char* const* argv);

int run_command(const VerifyCommand& command);    // verify.cc
int run_command(const SuiteCommand& command);     // suite.cc
int run_command(const RunCommand& command);       // run.cc
int run_command(const GoldenCommand& command);    // golden.cc
int run_command(const GenerateCommand& command);  // generate.cc
int run_command(const CheckCommand& command);     // check.cc
int run_command(const OpsCommand& command);       // ops.cc
int run_command(const ReportCommand& command);    // report.cc
int run_command(const TextCommand& command);      // text.cc

}  // namespace onnxv::cli
