#include "src/number/philox.h"

#include <doctest/doctest.h>

namespace onnxv {
namespace {

// The known answers that the generator's authors publish (Random123, kat_vectors).
TEST_CASE("Philox4x32-10 gives the published answers") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("FNV-1a gives the published answers") {
  CHECK(name_hash("") == 0xcbf29ce484222325);
  CHECK(name_hash("a") == 0xaf63dc4c8601ec8c);
  CHECK(name_hash("foobar") == 0x85944171f73967e8);
}

}  // namespace
}  // namespace onnxv
