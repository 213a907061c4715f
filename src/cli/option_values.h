// Values of options. Each is a usage error that names the option when the text is not what it must
// be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/cli/commands.h"

namespace onnxv::cli {

int64_t integer_of(std::string_view text, std::string_view option, int64_t least, int64_t most);
uint64_t unsigned_of(std::string_view text, std::string_view option);
double seconds_of(std::string_view text, std::string_view option);  // above 0
// "1048576", "2GiB", "500MB", "1.5G"; binary factors for K, M, G, T and their iB, decimal ones for
// kB, MB, GB, TB.
uint64_t bytes_of(std::string_view text, std::string_view option);
When when_of(std::string_view text, std::string_view option);
// "NAME=VALUE", split at the first "=".
std::pair<std::string, std::string> key_value_of(std::string_view text, std::string_view option);
std::pair<double, double> range_of(std::string_view text);  // "LO:HI", LO <= HI
std::vector<int64_t> shape_of(std::string_view text);       // "1,3,224"; "": a scalar

}  // namespace onnxv::cli
