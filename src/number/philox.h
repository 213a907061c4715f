// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011):
// random bits as a function of a key and a counter, so that any element can be drawn alone, in any
// order, on any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace onnxv {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t{0xD2511F53} * counter[0];
    const uint64_t second = uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
        static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

// FNV-1a, 64 bits: turns a name into words for a key or a counter.
constexpr uint64_t name_hash(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// 64 random bits for each index: `key` and `stream` choose the sequence.
class PhiloxStream {
 public:
  constexpr PhiloxStream(uint64_t key, uint64_t stream) : key_(key), stream_(stream) {}
  constexpr uint64_t bits(uint64_t index) const {
    const uint64_t block = index / 2;
    const PhiloxCounter words =
        philox({low(block), high(block), low(stream_), high(stream_)}, {low(key_), high(key_)});
    const size_t half = static_cast<size_t>(index % 2) * 2;
    return uint64_t{words[half + 1]} << 32 | words[half];
  }

 private:
  static constexpr uint32_t low(uint64_t word) { return static_cast<uint32_t>(word); }
  static constexpr uint32_t high(uint64_t word) { return static_cast<uint32_t>(word >> 32); }
  uint64_t key_, stream_;
};

}  // namespace onnxv
