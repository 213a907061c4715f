#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "src/base/error.h"
#include "src/model/zip.h"

namespace onnxv {
namespace {

// The most that one byte of deflate can unpack to, and what a few bits at the end may add.
constexpr uint64_t kLargestRatio = 1032;
constexpr uint64_t kSlack = 64;
constexpr uint64_t kIn64 = 0xFFFFFFFF;

// Little-endian reads that cannot leave the archive.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  std::string_view part(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      fail_model("zip", "the archive is truncated or damaged");
    return bytes_.substr(offset, size);
  }
  uint64_t number(uint64_t offset, int size) const {
    uint64_t value = 0;
    const std::string_view digits = part(offset, static_cast<uint64_t>(size));
    for (size_t i = digits.size(); i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(digits[i]);
    return value;
  }
  uint64_t size() const { return bytes_.size(); }
  std::string_view all() const { return bytes_; }

 private:
  std::string_view bytes_;
};

struct Directory {
  uint64_t offset = 0;
  uint64_t entries = 0;
};

Directory find_directory(const Bytes& archive) {
  constexpr std::string_view kEnd("PK\5\6", 4);
  constexpr uint64_t kEndSize = 22, kLongestComment = 0xFFFF, kLocatorSize = 20;
  if (archive.size() < kEndSize) fail_model("zip", "it is no ZIP archive");
  const uint64_t from =
      archive.size() > kEndSize + kLongestComment ? archive.size() - kEndSize - kLongestComment : 0;
  const size_t found = archive.all().substr(from).rfind(kEnd);
  if (found == std::string_view::npos) fail_model("zip", "it is no ZIP archive, or truncated");
  const uint64_t end = from + found;
  Directory directory{archive.number(end + 16, 4), archive.number(end + 10, 2)};
  const bool is64 = directory.offset == kIn64 || directory.entries == 0xFFFF;
  if (is64 && end >= kLocatorSize && archive.number(end - kLocatorSize, 4) == 0x07064b50) {
    const uint64_t record = archive.number(end - kLocatorSize + 8, 8);
    if (archive.number(record, 4) != 0x06064b50)
      fail_model("zip", "its 64-bit directory is damaged");
    directory = {archive.number(record + 48, 8), archive.number(record + 32, 8)};
  }
  return directory;
}

struct Entry {
  std::string name;
  uint64_t method = 0, crc = 0, packed = 0, size = 0, local = 0;
};

// The extra field with the sizes that do not fit 32 bits, in this order.
void read_extra64(const Bytes& extra, Entry& entry) {
  for (uint64_t at = 0; at + 4 <= extra.size();) {
    const uint64_t id = extra.number(at, 2), length = extra.number(at + 2, 2);
    if (id == 1) {
      uint64_t field = at + 4;
      for (uint64_t* value : {&entry.size, &entry.packed, &entry.local}) {
        if (*value != kIn64) continue;
        *value = extra.number(field, 8);
        field += 8;
      }
      return;
    }
    at += 4 + length;
  }
}

// Reads one entry of the central directory and moves `at` behind it.
Entry read_entry(const Bytes& archive, uint64_t& at) {
  if (archive.number(at, 4) != 0x02014b50) fail_model("zip", "its directory is damaged");
  if (archive.number(at + 8, 2) & 1) fail_model("zip", "a member is encrypted");
  Entry entry;
  entry.method = archive.number(at + 10, 2);
  entry.crc = archive.number(at + 16, 4);
  entry.packed = archive.number(at + 20, 4);
  entry.size = archive.number(at + 24, 4);
  const uint64_t name = archive.number(at + 28, 2), extra = archive.number(at + 30, 2),
                 comment = archive.number(at + 32, 2);
  entry.local = archive.number(at + 42, 4);
  entry.name = archive.part(at + 46, name);
  read_extra64(Bytes(archive.part(at + 46 + name, extra)), entry);
  at += 46 + name + extra + comment;
  return entry;
}

std::string inflated(std::string_view packed, uint64_t size) {
  std::string out(size, '\0');
  z_stream stream{};
  // Negative: raw deflate without zlib's own header.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail_limit("memory", "no memory for unpacking");
  int state = Z_OK;
  uint64_t read = 0, written = 0;
  while (state == Z_OK) {
    // zlib counts in 32 bits.
    const auto in = static_cast<uInt>(std::min<uint64_t>(packed.size() - read, 1u << 30));
    const auto room = static_cast<uInt>(std::min<uint64_t>(size - written, 1u << 30));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
    stream.avail_out = room;
    state = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    written += room - stream.avail_out;
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || written != size)
    fail_model("zip", "a member does not unpack to the size it says");
  return out;
}

std::string unpacked(const Bytes& archive, const Entry& entry) {
  if (archive.number(entry.local, 4) != 0x04034b50) fail_model("zip", "a member is damaged");
  const uint64_t header =
      30 + archive.number(entry.local + 26, 2) + archive.number(entry.local + 28, 2);
  const std::string_view packed = archive.part(entry.local + header, entry.packed);
  if (entry.method == 0) {
    if (entry.size != entry.packed) fail_model("zip", "a stored member has two sizes");
    return std::string(packed);
  }
  if (entry.method != 8)
    fail_model("zip", "compression method " + std::to_string(entry.method),
               "must be stored or deflated");
  if (entry.size > entry.packed * kLargestRatio + kSlack)
    fail_model("zip", "a member says that it unpacks to " + std::to_string(entry.size) + " bytes",
               "which deflate cannot do");
  return inflated(packed, entry.size);
}

uint64_t checksum(std::string_view bytes) {
  return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

std::vector<ZipMember> parse_zip(std::string_view bytes) {
  const Bytes archive(bytes);
  const Directory directory = find_directory(archive);
  std::vector<ZipMember> members;
  uint64_t at = directory.offset, packed_total = 0;
  for (uint64_t i = 0; i < directory.entries; ++i) {
    const Entry entry = read_entry(archive, at);
    // Members that overlap could unpack the same bytes many times over.
    packed_total += entry.packed;
    if (entry.packed > archive.size() || packed_total > archive.size())
      fail_model("zip", "its members overlap or leave the archive");
    ZipMember member{entry.name, unpacked(archive, entry)};
    if (checksum(member.bytes) != entry.crc)
      fail_model("zip", "member \"" + entry.name + "\" does not match its checksum");
    members.push_back(std::move(member));
  }
  return members;
}

}  // namespace onnxv
