// MT19937 (Matsumoto and Nishimura, 1998), seeded by a 32-bit integer, with 53-bit uniform numbers: the generator by which
// Dropout's official training data was made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace onnxv {

class MersenneTwister {
 public:
  explicit MersenneTwister(uint32_t seed) {
    state_[0] = seed;
    for (size_t i = 1; i < kSize; ++i) {
      state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + static_cast<uint32_t>(i);
    }
  }

  uint32_t next() {
    if (at_ == kSize) refill();
    uint32_t y = state_[at_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680U;
    y ^= (y << 15) & 0xefc60000U;
    return y ^ (y >> 18);
  }

  // The next uniform number k / 2^53 against a ratio in [0, 1): compared as integers, k >= ratio * 2^53.
  bool next_is_at_least(double ratio) {
    const uint64_t high = next() >> 5, low = next() >> 6;
    const uint64_t k = (high << 26) + low;
    return static_cast<double>(k) >= ratio * 0x1p53;  // both exact
  }

 private:
  static constexpr size_t kSize = 624, kShift = 397;
  void refill() {
    for (size_t i = 0; i < kSize; ++i) {
      const uint32_t y = (state_[i] & 0x80000000U) | (state_[(i + 1) % kSize] & 0x7fffffffU);
      state_[i] = state_[(i + kShift) % kSize] ^ (y >> 1) ^ ((y & 1) != 0 ? 0x9908b0dfU : 0U);
    }
    at_ = 0;
  }
  std::array<uint32_t, kSize> state_;
  size_t at_ = kSize;
};

}  // namespace onnxv
