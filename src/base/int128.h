// 128-bit integers. g++'s type is an extension; the marker here keeps -Wpedantic quiet everywhere else.
#pragma once

namespace onnxv {

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

}  // namespace onnxv
