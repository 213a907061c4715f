// The ZIP archives that NumPy writes: stored and deflated members, 64-bit sizes. No encryption, no
// split archives.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxv {

struct ZipMember {
  std::string name;
  std::string bytes;
};

// Members in the order of the central directory, each unpacked and its checksum compared. kModel
// "zip" for everything else; sizes are compared with the bytes at hand before anything is
// allocated.
std::vector<ZipMember> parse_zip(std::string_view bytes);

// Stored members without a clock: the same members give the same bytes.
std::string serialize_zip(const std::vector<ZipMember>& members);

}  // namespace onnxv
