#include "src/base/error.h"

namespace onnxv {
namespace {

std::string_view kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage: return "usage";
    case ErrorKind::kModel: return "model";
    case ErrorKind::kSchema: return "schema";
    case ErrorKind::kUndefined: return "undefined";
    case ErrorKind::kBackend: return "backend";
    case ErrorKind::kLimit: return "limit";
    case ErrorKind::kInternal: return "internal";
  }
  return "internal";
}

std::string with_kind(ErrorKind kind, std::string_view slug) {
  if (slug.find('/') != std::string_view::npos) return std::string(slug);
  return std::string(kind_name(kind)) + "/" + std::string(slug);
}

// One line whatever the parts hold: text out of a file may carry line breaks or control characters.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

std::string line(ErrorKind kind, std::string_view slug, std::string_view place,
                 std::string_view got, std::string_view wanted) {
  std::string text = with_kind(kind, slug) + ": ";
  if (!place.empty()) text += std::string(place) + ": ";
  text += got;
  if (!wanted.empty()) text += ", " + std::string(wanted);
  return one_line(text);
}

}  // namespace

Error::Error(ErrorKind kind, std::string_view slug, std::string_view got, std::string_view wanted,
             std::string_view place)
    : std::runtime_error(line(kind, slug, place, got, wanted)),
      kind_(kind),
      slug_(with_kind(kind, slug)),
      place_(one_line(std::string(place))),
      got_(one_line(std::string(got))),
      wanted_(one_line(std::string(wanted))) {}

Error Error::at(std::string_view place) const {
  std::string both(place);
  if (!place_.empty()) both += both.empty() ? place_ : ": " + place_;
  return Error(kind_, slug_, got_, wanted_, both);
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
    case ErrorKind::kModel:
    case ErrorKind::kSchema: return 2;
    case ErrorKind::kUndefined: return 4;
    case ErrorKind::kBackend:
    case ErrorKind::kLimit:
    case ErrorKind::kInternal: return 3;
  }
  return 3;
}

void fail_usage(std::string_view slug, std::string_view got, std::string_view wanted) {
  throw Error(ErrorKind::kUsage, slug, got, wanted);
}
void fail_model(std::string_view slug, std::string_view got, std::string_view wanted) {
  throw Error(ErrorKind::kModel, slug, got, wanted);
}
void fail_schema(std::string_view slug, std::string_view got, std::string_view wanted) {
  throw Error(ErrorKind::kSchema, slug, got, wanted);
}
void fail_undefined(std::string_view slug, std::string_view got, std::string_view wanted) {
  throw Error(ErrorKind::kUndefined, slug, got, wanted);
}
void fail_backend(std::string_view slug, std::string_view got, std::string_view wanted) {
  throw Error(ErrorKind::kBackend, slug, got, wanted);
}
void fail_limit(std::string_view slug, std::string_view got, std::string_view wanted) {
  throw Error(ErrorKind::kLimit, slug, got, wanted);
}
void fail_internal(std::string_view slug, std::string_view got, std::string_view wanted) {
  throw Error(ErrorKind::kInternal, slug, got, wanted);
}

}  // namespace onnxv
