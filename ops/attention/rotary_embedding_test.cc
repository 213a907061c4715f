#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

// One token of one head of size 4; the angles of its two pairs have cosines 0 and 0.5 and sines 1
// and 2.
NodeUnderTest one_token(std::vector<float> x) {
  NodeUnderTest node("RotaryEmbedding", 23);
  node.input(floats({1, 1, 1, 4}, std::move(x)))
      .input(floats({1, 1, 2}, {0, 0.5f}))
      .input(floats({1, 1, 2}, {1, 2}));
  return node;
}

}  // namespace

TEST_CASE("RotaryEmbedding-23 turns the halves of a head, or its neighbours") {
  // Pairs (1, 3) and (2, 4): 0 - 3, 1 - 8; 1 + 0, 4 + 2.
  CHECK(same(one_token({1, 2, 3, 4}).one(), floats({1, 1, 1, 4}, {-3, -7, 1, 6})));
  // Pairs (1, 2) and (3, 4): 0 - 2, 1 + 0; 1.5 - 8, 6 + 2.
  CHECK(same(one_token({1, 2, 3, 4}).attribute("interleaved", 1).one(),
             floats({1, 1, 1, 4}, {-2, 1, -6.5f, 8})));
}

TEST_CASE("RotaryEmbedding-23 rounds each turned element once") {
  NodeUnderTest node("RotaryEmbedding", 23);
  const float tiny = 0x1p-23f;
  node.input(floats({1, 1, 1, 2}, {1, tiny}))
      .input(floats({1, 1, 1}, {1 + tiny}))
      .input(floats({1, 1, 1}, {1 + tiny}));
  // (1 + e) - (1 + e) e = 1 - e², which rounds to 1; (1 + e) + (1 + e) e = 1 + 2e + e² to 1 + 2e.
  CHECK(same(node.one(), floats({1, 1, 1, 2}, {1, 1 + 2 * tiny})));
}

TEST_CASE("RotaryEmbedding-23 copies what is not turned") {
  NodeUnderTest node("RotaryEmbedding", 23);
  node.attribute("rotary_embedding_dim", 2);
  node.input(floats({1, 1, 2, 3}, {1, 2, 9, 3, 4, 8}))
      .input(floats({1, 2, 1}, {0, 1}))
      .input(floats({1, 2, 1}, {1, 0}));
  CHECK(same(node.one(), floats({1, 1, 2, 3}, {-2, 1, 9, 3, 4, 8})));
}

TEST_CASE("RotaryEmbedding-23 looks positions up, token by token") {
  NodeUnderTest node("RotaryEmbedding", 23);
  node.attribute("num_heads", 2);
  // Two tokens of two heads; position 0 does nothing, position 1 turns by a right angle.
  node.input(floats({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}))
      .input(floats({2, 1}, {1, 0}))
      .input(floats({2, 1}, {0, 1}));
  CHECK(same(node.input(int64s({1, 2}, {1, 0})).one(),
             floats({1, 2, 4}, {-2, 1, -4, 3, 5, 6, 7, 8})));

  NodeUnderTest heads_first("RotaryEmbedding", 23);
  heads_first.input(floats({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}))
      .input(floats({2, 1}, {1, 0}))
      .input(floats({2, 1}, {0, 1}));
  CHECK(same(heads_first.input(int64s({1, 2}, {1, 0})).one(),
             floats({1, 2, 2, 2}, {-2, 1, 3, 4, -6, 5, 7, 8})));
}

TEST_CASE("RotaryEmbedding-23 refuses what does not fit") {
  const auto looked_up = [](int64_t id) {
    NodeUnderTest node("RotaryEmbedding", 23);
    node.input(floats({1, 1, 1, 2}, {1, 2}))
        .input(floats({2, 1}, {1, 0}))
        .input(floats({2, 1}, {0, 1}));
    return node.input(int64s({1, 1}, {id}));
  };
  CHECK(has(looked_up(2).error(), "undefined/index-range"));
  CHECK(has(looked_up(-1).error(), "undefined/index-range"));
  CHECK(has(one_token({1, 2, 3, 4}).attribute("rotary_embedding_dim", 3).error(),
            "schema/attribute-range"));
  CHECK(has(one_token({1, 2, 3, 4}).attribute("rotary_embedding_dim", 2).error(),
            "schema/shape-mismatch"));
  NodeUnderTest no_heads("RotaryEmbedding", 23);
  no_heads.input(floats({1, 1, 2}, {1, 2}))
      .input(floats({1, 1, 1}, {1}))
      .input(floats({1, 1, 1}, {0}));
  CHECK(has(no_heads.error(), "schema/attribute-range"));
}
