// One name per instruction set: what is compiled once for each, chosen by the set in use.
#pragma once

#include <string_view>

#include "src/number/ladder.h"

namespace onnxv {

inline bool is_in_use(std::string_view set) { return set == instruction_set(); }

}  // namespace onnxv

// The function or object NAME_none, NAME_avx2 or NAME_avx512. Sets that the build leaves out are never named; instruction_set()
// is one of the others, so the last of them needs no question.
#if defined(ONNXV_SET_avx512) && (defined(ONNXV_SET_avx2) || defined(ONNXV_SET_none))
#define ONNXV_UNLESS_AVX512(name) ::onnxv::is_in_use("avx512") ? name##_avx512:
#else
#define ONNXV_UNLESS_AVX512(name)
#endif
#if defined(ONNXV_SET_avx2) && defined(ONNXV_SET_none)
#define ONNXV_UNLESS_AVX2(name) ::onnxv::is_in_use("avx2") ? name##_avx2:
#else
#define ONNXV_UNLESS_AVX2(name)
#endif
#if defined(ONNXV_SET_none)
#define ONNXV_OTHERWISE(name) name##_none
#elif defined(ONNXV_SET_avx2)
#define ONNXV_OTHERWISE(name) name##_avx2
#else
#define ONNXV_OTHERWISE(name) name##_avx512
#endif
#define ONNXV_OF_SET(name) (ONNXV_UNLESS_AVX512(name) ONNXV_UNLESS_AVX2(name) ONNXV_OTHERWISE(name))
