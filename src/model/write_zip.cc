#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "src/model/zip.h"

namespace onnxv {
namespace {

constexpr uint64_t kIn64 = 0xFFFFFFFF;
constexpr uint64_t kFirstDate = 1 << 5 | 1;  // 1 January 1980: where DOS dates begin

void add(std::string& out, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i));
}

bool is_ascii(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

struct Placed {
  uint64_t offset, crc;
};

// What local headers and the directory share, from the version needed to the sizes.
void add_description(std::string& out, const ZipMember& member, const Placed& placed, bool is64) {
  add(out, is64 ? 45 : 20, 2);
  add(out, is_ascii(member.name) ? 0 : 0x800, 2);  // 0x800: the name is UTF-8
  add(out, 0, 2);                                  // stored
  add(out, 0, 2);
  add(out, kFirstDate, 2);
  add(out, placed.crc, 4);
  const uint64_t size = is64 ? kIn64 : member.bytes.size();
  add(out, size, 4);
  add(out, size, 4);
  add(out, member.name.size(), 2);
}

void add_local(std::string& out, const ZipMember& member, const Placed& placed) {
  const bool is64 = member.bytes.size() >= kIn64;
  out += "PK\3\4";
  add_description(out, member, placed, is64);
  add(out, is64 ? 20 : 0, 2);
  out += member.name;
  if (is64) {
    add(out, 1, 2);
    add(out, 16, 2);
    add(out, member.bytes.size(), 8);
    add(out, member.bytes.size(), 8);
  }
  out += member.bytes;
}

void add_entry(std::string& out, const ZipMember& member, const Placed& placed) {
  const bool size64 = member.bytes.size() >= kIn64, offset64 = placed.offset >= kIn64;
  out += "PK\1\2";
  add(out, size64 || offset64 ? 45 : 20, 2);
  add_description(out, member, placed, size64);
  if (offset64 && !size64) out[out.size() - 24] = 45;
  const int extra = (size64 ? 16 : 0) + (offset64 ? 8 : 0);
  add(out, extra == 0 ? 0 : static_cast<uint64_t>(extra) + 4, 2);
  add(out, 0, 2 + 2 + 2 + 4);  // no comment, first disk, no attributes
  add(out, offset64 ? kIn64 : placed.offset, 4);
  out += member.name;
  if (extra == 0) return;
  add(out, 1, 2);
  add(out, static_cast<uint64_t>(extra), 2);
  if (size64) add(out, member.bytes.size(), 8);
  if (size64) add(out, member.bytes.size(), 8);
  if (offset64) add(out, placed.offset, 8);
}

void add_end(std::string& out, uint64_t entries, uint64_t start) {
  const uint64_t end = out.size(), size = end - start;
  if (entries >= 0xFFFF || start >= kIn64 || size >= kIn64) {
    out += "PK\6\6";
    add(out, 44, 8);
    add(out, 45, 2);
    add(out, 45, 2);
    add(out, 0, 4);
    add(out, 0, 4);
    for (const uint64_t value : {entries, entries, size, start}) add(out, value, 8);
    out += "PK\6\7";
    add(out, 0, 4);
    add(out, end, 8);
    add(out, 1, 4);
  }
  out += "PK\5\6";
  add(out, 0, 4);
  const uint64_t shown = std::min<uint64_t>(entries, 0xFFFF);
  add(out, shown, 2);
  add(out, shown, 2);
  add(out, std::min(size, kIn64), 4);
  add(out, std::min(start, kIn64), 4);
  add(out, 0, 2);
}

}  // namespace

std::string serialize_zip(const std::vector<ZipMember>& members) {
  std::string out;
  size_t total = 0;
  for (const ZipMember& member : members)
    total += member.bytes.size() + 2 * member.name.size() + 160;
  out.reserve(total + 128);
  std::vector<Placed> placed;
  for (const ZipMember& member : members) {
    const auto* bytes = reinterpret_cast<const Bytef*>(member.bytes.data());
    placed.push_back({out.size(), crc32_z(0, bytes, member.bytes.size())});
    add_local(out, member, placed.back());
  }
  const uint64_t start = out.size();
  for (size_t i = 0; i < members.size(); ++i) add_entry(out, members[i], placed[i]);
  add_end(out, members.size(), start);
  return out;
}

}  // namespace onnxv
