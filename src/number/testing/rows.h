// Lines of doubles as the operand of a formula, and decoded codes as its result.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "src/number/ladder.h"

namespace onnxv {

class Rows : public LineSource {
 public:
  explicit Rows(std::vector<double> values, size_t count = 1) : values_(std::move(values)), count_(count) {}
  void read(size_t first, size_t lines, double* out) const override {
    std::copy_n(values_.begin() + static_cast<ptrdiff_t>(first * count_), lines * count_, out);
  }
  size_t count() const override { return count_; }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
  size_t count_;
};

class Codes : public LineSink {
 public:
  Codes(const Format& format, size_t lines) : target_(Target::of(format)), codes_(lines) {}
  size_t count() const override { return 1; }
  Target target() const override { return target_; }
  void write(size_t first, size_t lines, const void* codes) override {
    for (size_t i = 0; i < lines; ++i) {
      uint64_t code = 0;
      std::memcpy(&code, static_cast<const char*>(codes) + i * target_.width(), target_.width());
      codes_[first + i] = decode(*target_.format, code);
    }
  }
  double operator[](size_t i) const { return codes_[i]; }

 private:
  Target target_;
  std::vector<double> codes_;
};

}  // namespace onnxv
