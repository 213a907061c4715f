// The assumptions of `derived` as the command line and the tables state them.
#include <algorithm>
#include <cmath>
#include <string>

#include "conformance/compare/tolerance.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

void take_allowances(const std::vector<Allowance>& allowances, ToleranceModel* model) {
  for (const Allowance& allowance : allowances) {
    if (allowance.function.empty()) model->library.fill(allowance.ulps);
  }
  for (const Allowance& allowance : allowances) {
    for (size_t k = 0; k < kFunctions; ++k) {
      if (allowance.function == function_name(static_cast<LibraryFunction>(k))) model->library[k] = allowance.ulps;
    }
  }
}

// One word of --allow.
void allow_one(const std::string& word, ToleranceModel* model) {
  constexpr std::string_view kFastMath = "fast-math:";
  if (word == "ftz") {
    model->flush_to_zero = true;
  } else if (word == "winograd") {
    model->winograd = true;
  } else if (word.compare(0, kFastMath.size(), kFastMath) == 0) {
    const std::string number = word.substr(kFastMath.size());
    const bool digits = !number.empty() && number.find_first_not_of("0123456789.") == std::string::npos;
    model->fast_math = digits ? std::strtod(number.c_str(), nullptr) : 0;
    if (!(model->fast_math > 0)) fail_usage("allow", "\"" + word + "\"", "wanted fast-math:N, N ulp for each operation");
  } else {
    fail_usage("allow", "\"" + word + "\"", "wanted ftz, winograd or fast-math:N");
  }
}

std::string number_text(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

ToleranceModel tolerance_model(const std::string& compute_type_name, const std::string& allow,
                               const ToleranceChoice& choice) {
  ToleranceModel model;
  take_allowances(ToleranceTable::built_in().allowances(), &model);
  if (choice.table) take_allowances(choice.table->allowances(), &model);
  if (!compute_type_name.empty()) {
    model.compute = compute_type(compute_type_name);
    if (!model.compute) {
      fail_usage("compute-type", "\"" + compute_type_name + "\"", "wanted float16, bfloat16, tf32, float32 or float64");
    }
  }
  for (size_t start = 0; start < allow.size();) {
    const size_t comma = std::min(allow.find(',', start), allow.size());
    allow_one(allow.substr(start, comma - start), &model);
    start = comma + 1;
  }
  return model;
}

std::string assumptions_text(const ToleranceModel& model) {
  std::string text = model.compute ? std::string(model.compute->name) : "each tensor's own";
  text += " arithmetic, ";
  text += model.fast_math > 0 ? "operations within " + number_text(model.fast_math) + " ulp" : "operations rounded to nearest";
  const auto [least, most] = std::minmax_element(model.library.begin(), model.library.end());
  text += ", library functions within " + number_text(*least) + (*least == *most ? "" : " to " + number_text(*most)) + " ulp";
  text += model.flush_to_zero ? ", subnormal numbers may become zero" : ", no flush to zero";
  return text + (model.winograd ? ", Winograd convolution" : ", no Winograd or FFT convolution");
}

}  // namespace onnxv
