// The command line as structs. Names of options are a contract; help texts are ours.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>

#include "src/base/error.h"
#include "src/cli/commands.h"
#include "src/cli/option_values.h"

namespace onnxv::cli {
namespace {

const std::string kOverview =
    "Runs ONNX models exactly and checks backends against the result.\n\n"
    "  onnx-verify MODEL --backend=X   compare backend X with the exact result, node by node if "
    "they differ\n"
    "  onnx-verify suite DIR...        run test directories in the official layout\n"
    "  onnx-verify run MODEL           evaluate, print or write the outputs\n"
    "  onnx-verify golden MODEL...     write test directories with exact outputs\n"
    "  onnx-verify generate            write the generated conformance suite\n"
    "  onnx-verify check MODEL...      validate models\n"
    "  onnx-verify ops [NAME]          list operators, versions and types\n"
    "  onnx-verify report FILE...      merge and render result files\n\n"
    "`onnx-verify COMMAND --help` lists a command's options. Exit codes: 0 within tolerance, 1 a "
    "failure,\n"
    "2 usage or invalid input, 3 an error or a limit, 4 no defined value.\n";

// An option that may be repeated and takes one argument each time.
CLI::Option* add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                          const std::string& help) {
  return app.add_option(name, target, help)->allow_extra_args(false);
}

void add_common(CLI::App& app, CommonOptions& common) {
  app.add_option_function<std::string>(
         "--threads",
         [&](const std::string& text) {
           common.threads = static_cast<int>(integer_of(text, "--threads", 1, 4096));
         },
         "Interpreter threads; never change a bit of any result")
      ->type_name("N");
  app.add_option_function<std::string>(
         "--memory", [&](const std::string& text) { common.memory = bytes_of(text, "--memory"); },
         "Memory limit, as 2147483648 or 2GiB")
      ->type_name("BYTES");
  app.add_flag("--quiet", common.quiet, "Say less: errors and totals");
  app.add_flag("--verbose", common.verbose, "Say more");
  app.add_flag("--rigorous", common.rigorous,
               "Library functions by MPFR: slower, nothing left to trust but MPFR");
  app.add_option_function<std::string>(
         "--color", [&](const std::string& text) { common.color = when_of(text, "--color"); },
         "Colors: auto, always or never")
      ->type_name("WHEN");
  app.add_option_function<std::string>(
         "--progress",
         [&](const std::string& text) { common.progress = when_of(text, "--progress"); },
         "Progress bar on stderr: auto, always or never")
      ->type_name("WHEN");
}

template <class Parse>
void add_pairs(CLI::App& app, const std::string& name, const std::string& help,
               const std::string& type, Parse parse) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [name, parse](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             const auto [key, value] = key_value_of(text, name);
             parse(key, value);
           }
         },
         help)
      ->allow_extra_args(false)
      ->type_name(type)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_inputs(CLI::App& app, InputOptions& inputs) {
  add_pairs(app, "--input", "An input from a .pb or .npy file; repeatable", "NAME=FILE",
            [&](const std::string& name, const std::string& file) {
              inputs.files.emplace_back(name, file);
            });
  app.add_option("--inputs", inputs.npz, "Inputs from one .npz")->type_name("FILE");
  app.add_option("--data", inputs.data, "Inputs from a test_data_set_N folder")->type_name("DIR");
  app.add_option_function<std::string>(
         "--seed", [&](const std::string& text) { inputs.seed = unsigned_of(text, "--seed"); },
         "Seed of generated inputs (default 0)")
      ->type_name("N");
  add_pairs(app, "--range", "Range of a generated input", "NAME=LO:HI",
            [&](const std::string& name, const std::string& range) {
              inputs.ranges[name] = range_of(range);
            });
  add_pairs(app, "--shape", "Shape of a generated input", "NAME=1,3,224,224",
            [&](const std::string& name, const std::string& shape) {
              inputs.shapes[name] = shape_of(shape);
            });
  add_pairs(app, "--dim", "Size of a symbolic dimension (default 1)", "N=1",
            [&](const std::string& name, const std::string& size) {
              inputs.dims[name] = integer_of(size, "--dim", 0, INT64_MAX);
            });
}

void add_limits(CLI::App& app, ComparisonOptions& options) {
  app.add_option_function<std::string>(
         "--jobs",
         [&](const std::string& text) {
           options.jobs = static_cast<int>(integer_of(text, "--jobs", 1, 4096));
         },
         "Worker processes")
      ->type_name("N");
  app.add_option_function<std::string>(
         "--timeout",
         [&](const std::string& text) { options.timeout = seconds_of(text, "--timeout"); },
         "Limit per test in seconds")
      ->type_name("S");
  app.add_option("--shard", options.shard, "Run slice I of N, I from 1")->type_name("I/N");
  app.add_option("--resume", options.resume, "Continue an interrupted run from its JSON")
      ->type_name("F");
  add_repeated(app, "--include", options.include, "Only tests whose name matches")->type_name("RE");
  add_repeated(app, "--exclude", options.exclude, "No tests whose name matches")->type_name("RE");
}

void add_comparison(CLI::App& app, ComparisonOptions& options) {
  add_repeated(app, "--backend", options.backends,
               "What to check: onnxruntime, python:MODULE, command:CMDLINE, "
               "plugin:FILE.so, recorded:DIR, reference, ...; repeatable")
      ->type_name("X");
  app.add_option("--tolerance", options.tolerance,
                 "auto, node, official, scaled:R, exact, ulp:N, derived, or a JSON file of rules")
      ->type_name("P");
  app.add_option("--compute-type", options.compute_type, "Type that a backend accumulates in")
      ->type_name("T");
  app.add_option("--allow", options.allow, "What a backend may do: ftz, winograd, fast-math:N")
      ->type_name("LIST");
  app.add_option("--nan", options.nan, "any or bits")->type_name("P");
  app.add_option("--inf", options.inf, "equal or finite-max")->type_name("P");
  app.add_option("--zero", options.zero, "equal or bits")->type_name("P");
  app.add_flag_callback(
      "--nodes", [&] { options.nodes = true; }, "Compare node by node on exact inputs");
  app.add_flag_callback(
      "--no-nodes", [&] { options.nodes = false; }, "Never compare node by node");
  app.add_option("--extract", options.extract, "Write each diverging node as a test directory")
      ->type_name("DIR");
  app.add_option("--json", options.json, "Write the results as JSON")->type_name("F");
  app.add_option("--junit", options.junit, "Write the results as JUnit XML")->type_name("F");
  app.add_option("--html", options.html, "Write the results as HTML")->type_name("F");
  add_limits(app, options);
  app.add_option_function<std::string>(
         "--repeat",
         [&](const std::string& text) {
           options.repeat = static_cast<int>(integer_of(text, "--repeat", 1, 1000000));
         },
         "Run the backend N times, report bits that change")
      ->type_name("N");
  app.add_flag("--strict", options.strict,
               "Unsupported, skipped and unspecified count as failures");
  app.add_option("--expect", options.expect, "Known failures")->type_name("F");
  app.add_option("--backend-python", options.backend_python, "Interpreter for Python adapters")
      ->type_name("PATH");
}

// ---- one function per command ----

void describe(CLI::App& app, VerifyCommand& command) {
  app.add_option("MODEL", command.model, "The model")->required();
  add_inputs(app, command.inputs);
  add_comparison(app, command.comparison);
}

void describe(CLI::App& app, SuiteCommand& command) {
  app.add_option("DIR", command.directories, "Test directories, or trees of them")->required();
  app.add_option("--expected", command.expected,
                 "exact: the interpreter's outputs instead of output_*.pb")
      ->type_name("exact");
  add_comparison(app, command.comparison);
}

void describe(CLI::App& app, RunCommand& command) {
  app.add_option("MODEL", command.model, "The model")->required();
  add_inputs(app, command.inputs);
  app.add_option("-o,--output", command.output, "Where the outputs go; printed otherwise")
      ->type_name("DIR|FILE.npz");
  app.add_option("--format", command.format, "Files in DIR: pb (default) or npy")
      ->type_name("pb|npy");
  app.add_option_function<std::string>(
         "--timing",
         [&](const std::string& text) { command.timing = seconds_of(text, "--timing"); },
         "Evaluate for S seconds; print each evaluation's seconds, on the clock and of processor "
         "time, in place of the outputs")
      ->type_name("S");
}

void describe(CLI::App& app, GoldenCommand& command) {
  app.add_option("MODEL", command.models, "Models")->required();
  add_inputs(app, command.inputs);
  app.add_option("-o,--output", command.output, "Where the test directories go")
      ->type_name("DIR")
      ->required();
  app.add_option_function<std::string>(
         "--sets",
         [&](const std::string& text) {
           command.sets = static_cast<int>(integer_of(text, "--sets", 1, 1000000));
         },
         "Data sets per model (default 1)")
      ->type_name("N");
  app.add_flag("--check", command.check, "Say whether the files on disk still hold");
}

void describe(CLI::App& app, GenerateCommand& command) {
  app.add_option("-o,--output", command.output, "Where the suite goes")
      ->type_name("DIR")
      ->required();
  add_repeated(app, "--op", command.ops, "Only this operator; repeatable")->type_name("NAME");
  app.add_option_function<std::string>(
         "--opset",
         [&](const std::string& text) {
           command.opset = integer_of(text, "--opset", 1, INT64_MAX);
         },
         "Only this opset")
      ->type_name("N");
  add_repeated(app, "--type", command.types, "Only this element type; repeatable")->type_name("T");
}

void describe(CLI::App& app, CheckCommand& command) {
  app.add_option("MODEL", command.models, "Models")->required();
}

void describe(CLI::App& app, OpsCommand& command) {
  app.add_option("NAME", command.name, "One operator");
  app.add_flag("--json", command.json, "As JSON");
  app.add_flag("--choices", command.choices,
               "Decisions where the specification is odd, silent or contradicts itself");
}

void describe(CLI::App& app, ReportCommand& command) {
  app.add_option("FILE", command.files, "Result files");
  app.add_option("--html", command.html, "Write HTML")->type_name("F");
  app.add_option("--junit", command.junit, "Write JUnit XML")->type_name("F");
  app.add_option("--json", command.json, "Write JSON")->type_name("F");
  app.add_option("--diff", command.diff, "What changed between two result files")
      ->expected(2)
      ->type_name("OLD NEW");
}

void check(const SuiteCommand& command) {
  if (!command.expected.empty() && command.expected != "exact") {
    fail_usage("expected", "--expected is \"" + command.expected + "\"", "must be exact");
  }
}
void check(const RunCommand& command) {
  if (!command.format.empty() && command.format != "pb" && command.format != "npy") {
    fail_usage("format", "--format is \"" + command.format + "\"", "must be pb or npy");
  }
  if (command.timing && !command.output.empty()) {
    fail_usage("timing", "--timing is given with -o", "it writes no outputs");
  }
}
void check(const ReportCommand& command) {
  if (command.files.empty() && command.diff.empty())
    fail_usage("no-file", "no result file is given");
}
template <class Other>
void check(const Other&) {}

// `argc` 0: the help alone.
template <class Parsed>
Command parse(const std::string& title, const std::string& help, int argc,
              const char* const* argv) {
  CLI::App app(help, title);
  Parsed command;
  describe(app, command);
  add_common(app, command.common);
  app.get_formatter()->column_width(34);
  if (argc == 0) return TextCommand{app.help()};
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return TextCommand{app.help()};
  } catch (const CLI::ParseError& error) {
    fail_usage("arguments", error.what(), "`" + title + " --help` lists the options");
  }
  check(command);
  return command;
}

// A word that could be a mistyped command: it is taken for a model, but no such file is there.
bool looks_like_command(const std::string& word) {
  const bool letters = std::all_of(word.begin(), word.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
  return letters && !word.starts_with('-') && !std::filesystem::exists(word);
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty() && argc < 2)
    fail_usage("arguments", "no command and no model is given", "see `onnx-verify --help`");
  if (first == "--help" || first == "-h") {
    return TextCommand{
        kOverview +
        std::get<TextCommand>(parse<VerifyCommand>("onnx-verify", "", 0, nullptr)).text};
  }
  if (first == "--version") return TextCommand{"onnx-verify " ONNXV_VERSION "\n"};
  const int rest = argc - 1;
  const char* const* from = argv + 1;
  if (first == "suite")
    return parse<SuiteCommand>("onnx-verify suite", "Runs test directories.", rest, from);
  if (first == "run")
    return parse<RunCommand>("onnx-verify run", "Evaluates a model exactly.", rest, from);
  if (first == "golden")
    return parse<GoldenCommand>("onnx-verify golden", "Writes test directories.", rest, from);
  if (first == "generate")
    return parse<GenerateCommand>("onnx-verify generate", "Writes the generated suite.", rest,
                                  from);
  if (first == "check")
    return parse<CheckCommand>("onnx-verify check", "Validates models.", rest, from);
  if (first == "ops") return parse<OpsCommand>("onnx-verify ops", "Lists operators.", rest, from);
  if (first == "report")
    return parse<ReportCommand>("onnx-verify report", "Merges and renders results.", rest, from);
  if (looks_like_command(first))
    fail_usage("command", "\"" + first + "\" is no command and no model", "see `onnx-verify --help`");
  return parse<VerifyCommand>("onnx-verify", "Compares backends with the exact result of a model.",
                              argc, argv);
}

}  // namespace onnxv::cli
