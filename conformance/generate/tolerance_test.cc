// What the tolerance.json of generated directories lets pass: honest float32, and nothing coarser; the same bits where nothing is computed.
#include <doctest/doctest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>

#include "conformance/check.h"
#include "conformance/generate/write_suite.h"
#include "conformance/suite.h"
#include "conformance/testing/honest.h"
#include "conformance/trial.h"

namespace onnxv::generate {
namespace {

namespace fs = std::filesystem;
using honest::Floats;

struct Folder {
  std::string path = (fs::temp_directory_path() / ("onnxv-tolerance-" + std::to_string(getpid()))).string();
  ~Folder() { fs::remove_all(path); }
};

Floats floats_of(const Value& value) {
  const auto elements = value.tensor().as<float>();
  return Floats(elements.begin(), elements.end());
}
Value tensor_of(const Shape& shape, const Floats& values) {
  Tensor tensor(DType::kFloat, shape);
  for (size_t i = 0; i < values.size(); ++i) tensor.set_code(i, std::bit_cast<uint32_t>(values[i]));
  return tensor;
}

// How a dot product, a line and an element are computed.
struct Arithmetic {
  std::function<float(const Floats&, const Floats&)> dot;
  std::function<Floats(const Floats&)> softmax;
  std::function<float(float)> element;
};
const Arithmetic kHonest{[](const Floats& a, const Floats& b) { return honest::dot(a, b, {}); },
                         [](const Floats& x) { return honest::softmax(x, {}); }, [](float x) { return x; }};
const Arithmetic kInFloat16{honest::dot_in_float16,
                            [](const Floats& x) {
                              Floats y = honest::softmax(x, {});
                              for (float& yi : y) yi = honest::to_float16(yi);
                              return y;
                            },
                            honest::to_float16};

Value product(const Value& a, const Value& b, const Arithmetic& arithmetic) {
  const auto rows = static_cast<size_t>(a.tensor().shape()[0]), inner = static_cast<size_t>(a.tensor().shape()[1]);
  const auto columns = static_cast<size_t>(b.tensor().shape()[1]);
  const Floats x = floats_of(a), y = floats_of(b);
  Floats out;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      Floats column;
      for (size_t k = 0; k < inner; ++k) column.push_back(y[k * columns + j]);
      out.push_back(arithmetic.dot(Floats(x.begin() + static_cast<long>(i * inner), x.begin() + static_cast<long>((i + 1) * inner)), column));
    }
  }
  return tensor_of({a.tensor().shape()[0], b.tensor().shape()[1]}, out);
}

// Softmax-1: everything from `axis` on is a line.
Value softmax(const Value& input, const Node& node, const Arithmetic& arithmetic) {
  int64_t axis = 1;
  for (const Attribute& attribute : node.attributes) axis = std::get<int64_t>(attribute.value);
  const Shape& shape = input.tensor().shape();
  size_t length = 1;
  for (int64_t k = axis; k < shape.rank(); ++k) length *= static_cast<size_t>(shape[k]);
  const Floats x = floats_of(input);
  Floats out;
  for (size_t start = 0; start < x.size(); start += length) {
    const Floats line = arithmetic.softmax(Floats(x.begin() + static_cast<long>(start), x.begin() + static_cast<long>(start + length)));
    out.insert(out.end(), line.begin(), line.end());
  }
  return tensor_of(shape, out);
}

Value elementwise(const BackendJob& job, const std::function<float(float, float)>& function) {
  Floats x = floats_of(job.inputs[0]);
  const Floats y = floats_of(job.inputs.back());
  for (size_t i = 0; i < x.size(); ++i) x[i] = function(x[i], y[i]);
  return tensor_of(job.inputs[0].tensor().shape(), x);
}

// Computes a few operators on plain shapes; all else is unsupported.
class FloatBackend : public Backend {
 public:
  explicit FloatBackend(const Arithmetic& arithmetic) : arithmetic_(arithmetic) { description_.spelling = description_.name = "float"; }
  const BackendDescription& description() const override { return description_; }
  BackendAnswer run(const BackendJob& job) override {
    const Node& node = job.model->graph->nodes[0];
    const Shape &first = job.inputs[0].tensor().shape(), &last = job.inputs.back().tensor().shape();
    BackendAnswer answer;
    if (node.op == "MatMul" && first.rank() == 2 && last.rank() == 2) {
      answer.outputs.push_back(product(job.inputs[0], job.inputs[1], arithmetic_));
    } else if (node.op == "Softmax") {
      answer.outputs.push_back(softmax(job.inputs[0], node, arithmetic_));
    } else if (node.op == "Exp") {
      answer.outputs.push_back(elementwise(job, [&](float x, float) { return arithmetic_.element(std::exp(x)); }));
    } else if (node.op == "Mul" && first == last) {
      answer.outputs.push_back(elementwise(job, [&](float x, float y) { return arithmetic_.element(x * y); }));
    } else {
      answer.status = Status::kUnsupported;
    }
    return answer;
  }

 private:
  Arithmetic arithmetic_;
  BackendDescription description_;
};

// The exact outputs, the lowest bit of one element flipped.
class FlippedBackend : public Backend {
 public:
  explicit FlippedBackend(const Trial& trial) : outputs_(trial.data[0].exact->outputs) { description_.spelling = "flipped"; }
  const BackendDescription& description() const override { return description_; }
  BackendAnswer run(const BackendJob&) override {
    BackendAnswer answer;
    answer.outputs = outputs_;
    Tensor& tensor = answer.outputs[0].mutable_tensor();
    tensor.set_code(tensor.size() / 2, tensor.code(tensor.size() / 2) ^ 1);
    return answer;
  }

 private:
  std::vector<Value> outputs_;
  BackendDescription description_;
};

// As `onnx-verify suite DIR --backend=X` does, without options.
Outcome judged(Trial& trial, Backend& backend) {
  const ToleranceModel assumptions;
  evaluate_exactly(trial, 0, &assumptions);
  REQUIRE(trial.data[0].exact.has_value());
  return check_backend(trial, backend, {});
}

BackendJob job_of(const Trial& trial) {
  BackendJob job;
  job.model = trial.model.get();
  job.inputs = trial.data[0].files.inputs;
  return job;
}

bool covered(const Tolerance& tolerance, const Value& exact, const Value& actual) {
  const Floats e = floats_of(exact), a = floats_of(actual);
  for (size_t i = 0; i < e.size(); ++i) {
    const double far = std::fabs(static_cast<double>(a[i]) - e[i]);
    if (std::isfinite(e[i]) && far > tolerance.atol + tolerance.rtol * std::fabs(e[i])) return false;
  }
  return true;
}

struct Counts {
  size_t run = 0, coarse = 0;
};

// One directory: honest float32 is inside, and float16 outside wherever it gives another number.
void check(const Case& test, Counts* counts) {
  Trial trial = read_trial(test);
  const bool by_axis_alone = trial.model->graph->nodes[0].op == "Softmax" && test.name.find("_v1_") == std::string::npos;
  if (by_axis_alone) return;
  CAPTURE(test.name);
  CAPTURE(trial.model->doc);
  FloatBackend honest(kHonest), coarse(kInFloat16);
  const Outcome good = judged(trial, honest), bad = judged(trial, coarse);
  if (good.status == Status::kUnsupported) return;
  ++counts->run;
  CAPTURE(good.message);
  CHECK(good.status == Status::kPass);
  const Value near = honest.run(job_of(trial)).outputs[0], far = coarse.run(job_of(trial)).outputs[0];
  // The two numbers for other runners.
  CHECK(covered(trial.beside->outputs[0].tolerance, trial.data[0].exact->outputs[0], near));
  if (same_bits(near, far)) return;
  ++counts->coarse;
  CHECK(bad.status == Status::kFail);
}

TEST_CASE("generated directories let honest float32 pass, and float16 in its place fail") {
  const Folder folder;
  const Slice slice{{"MatMul", "Softmax", "Exp", "Mul"}, 0, {DType::kFloat}};
  write_suite(units_of(slice), slice, folder.path, 1, [](size_t, std::string_view) {});
  Counts counts;
  for (const Case& test : find_suite({folder.path})) check(test, &counts);
  CHECK(counts.run >= 70);
  CHECK(counts.coarse >= 40);
}

TEST_CASE("generated directories without freedom ask for the same bits") {
  const Folder folder;
  const Slice slice{{"Transpose", "Cast", "ArgMax", "Dropout", "Identity"}, 13, {DType::kFloat, DType::kFloat16}};
  write_suite(units_of(slice), slice, folder.path, 1, [](size_t, std::string_view) {});
  size_t flipped = 0;
  for (const Case& test : find_suite({folder.path})) {
    Trial trial = read_trial(test);
    const Tolerance& tolerance = trial.beside->outputs[0].tolerance;
    if (tolerance.kind == Tolerance::Kind::kDistribution) continue;  // Dropout in training
    CAPTURE(test.name);
    CHECK(tolerance.kind == Tolerance::Kind::kExact);
    evaluate_exactly(trial, 0);
    const Value& exact = trial.data[0].exact->outputs[0];
    if (!exact.is_tensor() || exact.tensor().size() == 0 || dtype_bits(exact.tensor().dtype()) < 8) continue;
    FlippedBackend backend(trial);
    const Outcome outcome = check_backend(trial, backend, {});
    // Any NaN stands for any other, and an element that the text leaves open is nobody's fault.
    const auto says = [&](const char* words) { return trial.model->doc.find(words) != std::string::npos; };
    CHECK((outcome.status == Status::kFail || says("NaN") || says("left open")));
    if (outcome.status == Status::kFail) ++flipped;
  }
  CHECK(flipped >= 60);
}

}  // namespace
}  // namespace onnxv::generate
