// From bytes to a message, with the reason where there is none.
#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <climits>

#include "src/base/error.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

// Protobuf's own default, so what we read others can read too.
constexpr int kNesting = 100;
// Only to tell "too deep" from "damaged" once parsing has failed.
constexpr int kProbeNesting = 2000;

bool parses(std::string_view bytes, int nesting, google::protobuf::MessageLite& into) {
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(nesting);
  return into.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

bool is_name_character(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// The text forms open with "<", "{", "name:" or "name {"; a binary message has control characters
// in its first field keys and lengths.
bool is_text_form(std::string_view bytes) {
  std::string_view head = bytes.substr(0, 256);
  for (const char c : head) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 && c != '\t' && c != '\r' && c != '\n') return false;
  }
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const auto skip_space = [&] {
    const size_t first = head.find_first_not_of(" \t\r\n");
    head.remove_prefix(first == std::string_view::npos ? head.size() : first);
  };
  skip_space();
  while (head.starts_with('#')) {
    head.remove_prefix(std::min(head.find('\n'), head.size()));
    skip_space();
  }
  if (head.starts_with('<') || head.starts_with('{')) return true;
  size_t name = 0;
  while (name < head.size() && is_name_character(head[name])) ++name;
  if (name == 0) return false;
  head.remove_prefix(name);
  skip_space();
  return head.starts_with(':') || head.starts_with('{') || head.starts_with('<');
}

}  // namespace

void parse_wire(std::string_view bytes, std::string_view what,
                google::protobuf::MessageLite& into) {
  // Its own lines on stderr would be a second error line beside ours.
  google::protobuf::SetLogHandler(nullptr);
  if (is_text_form(bytes))
    fail_model("text-form", std::string(what) + " is in a text form",
               "must be binary protobuf: convert it (onnx.load and onnx.save do)");
  if (bytes.size() > INT_MAX)
    fail_model("too-large", std::string(what) + " has " + std::to_string(bytes.size()) + " bytes",
               "a protobuf holds less than 2 GiB: store its tensors as external data");
  if (parses(bytes, kNesting, into)) return;
  into.Clear();
  if (parses(bytes, kProbeNesting, into)) {
    into.Clear();
    fail_model("nesting", std::string(what) + " is nested more than 100 messages deep",
               "protobuf reads no more: move large subgraphs' tensors to external data, subgraphs "
               "to functions");
  }
  fail_model("truncated", std::string(what) + " is truncated, damaged or no protobuf");
}

}  // namespace onnxv
