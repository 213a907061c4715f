// The families' lists. Each family.cc names its operators; all_operators.cc joins them.
#pragma once

#include <vector>

#include "ops/operator.h"

namespace onnxv {

std::vector<const Operator*> elementwise_family();
std::vector<const Operator*> cast_family();
std::vector<const Operator*> lines_family();
std::vector<const Operator*> reduce_family();
std::vector<const Operator*> reshape_family();
std::vector<const Operator*> index_family();
std::vector<const Operator*> linear_family();
std::vector<const Operator*> convolution_family();
std::vector<const Operator*> pool_family();
std::vector<const Operator*> normalize_family();
std::vector<const Operator*> attention_family();
std::vector<const Operator*> recurrent_family();
std::vector<const Operator*> control_family();
std::vector<const Operator*> sequence_family();
std::vector<const Operator*> random_family();
std::vector<const Operator*> signal_family();
std::vector<const Operator*> vision_family();
std::vector<const Operator*> quantize_family();
std::vector<const Operator*> text_family();
std::vector<const Operator*> ml_family();
std::vector<const Operator*> training_family();
std::vector<const Operator*> experimental_family();

}  // namespace onnxv
