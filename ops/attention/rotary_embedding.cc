// RotaryEmbedding: pairs (x1, x2) of a head turned by an angle of the caches: cos x1 - sin x2, sin
// x1 + cos x2.
//   since 23
#include "src/number/formula.h"

namespace onnxv {
namespace {

// `side` is -1 for the first of a pair and 1 for the second.
constexpr auto rotary = []<class Real>(Real x, Real other, Real cosine, Real sine,
                                       Real side) -> Real {
  return cosine * x + side * (sine * other);
};

}  // namespace
ELEMENTWISE_FORMULA(kRotaryFormula, rotary, 5)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// Where each element stands. A row is one head of one token.
struct RotaryShape {
  size_t batch, length, heads, head_size, turned;  // turned: elements of a row that are rotated
  bool heads_first, interleaved;
  std::vector<int64_t> cache_rows;  // of each token, batch after batch

  size_t rows() const { return batch * length * heads; }
  size_t token(size_t row) const {
    return heads_first ? row / (heads * length) * length + row % length : row / heads;
  }
  size_t pair(size_t e) const { return interleaved ? e / 2 : e % (turned / 2); }
  bool is_first(size_t e) const { return interleaved ? e % 2 == 0 : e < turned / 2; }
  size_t other(size_t e) const {
    const size_t step = interleaved ? 1 : turned / 2;
    return is_first(e) ? e + step : e - step;
  }
};

RotaryShape rotary_shape(const OpCall& call, const Tensor& x) {
  RotaryShape shape{};
  const auto dim = [&](int64_t axis) { return static_cast<size_t>(x.shape()[axis]); };
  shape.batch = x.rank() < 1 ? 0 : dim(0);
  if (x.rank() == 4) {
    shape.heads_first = true;
    shape.heads = dim(1);
    shape.length = dim(2);
    shape.head_size = dim(3);
  } else if (x.rank() == 3) {
    const int64_t heads = call.integer_or("num_heads", 0);
    if (heads <= 0) {
      fail_schema("attribute-range", "num_heads is " + std::to_string(heads),
                  "three-dimensional inputs need 1 or more");
    }
    if (x.shape()[2] % heads != 0) {
      fail_schema("shape-mismatch", "X is " + x.shape().text(),
                  "its last dimension must be a multiple of num_heads");
    }
    shape.heads = static_cast<size_t>(heads);
    shape.length = dim(1);
    shape.head_size = dim(2) / shape.heads;
  } else {
    fail_schema("rank", "X is " + x.shape().text(), "must have three or four dimensions");
  }
  shape.interleaved = call.integer("interleaved") != 0;
  const int64_t given = call.integer("rotary_embedding_dim"),
                size = static_cast<int64_t>(shape.head_size);
  const int64_t turned = given == 0 ? size : given;
  if (turned < 0 || turned > size || turned % 2 != 0) {
    fail_schema("attribute-range", "rotary_embedding_dim is " + std::to_string(turned),
                "must be even and at most the head size " + std::to_string(size));
  }
  shape.turned = static_cast<size_t>(turned);
  return shape;
}

void check_caches(const OpCall& call, const RotaryShape& shape) {
  const Tensor& cosines = call.tensor("cos_cache");
  const Tensor& sines = call.tensor("sin_cache");
  const int64_t batch = static_cast<int64_t>(shape.batch),
                length = static_cast<int64_t>(shape.length);
  const int64_t pairs = static_cast<int64_t>(shape.turned / 2);
  if (cosines.shape() != sines.shape()) {
    fail_schema("shape-mismatch",
                "the caches are " + cosines.shape().text() + " and " + sines.shape().text(),
                "must be equal");
  }
  const Tensor* ids = call.optional_tensor("position_ids");
  if (ids == nullptr) {
    if (cosines.shape() == Shape{batch, length, pairs}) return;
    fail_schema("shape-mismatch", "cos_cache is " + cosines.shape().text(),
                "must be " + Shape{batch, length, pairs}.text() + " without position_ids");
  }
  if (cosines.rank() != 2 || cosines.shape()[1] != pairs) {
    fail_schema("shape-mismatch", "cos_cache is " + cosines.shape().text(),
                "must be [positions, " + std::to_string(pairs) + "] with position_ids");
  }
  if (ids->shape() != Shape{batch, length}) {
    fail_schema("shape-mismatch", "position_ids are " + ids->shape().text(),
                "must be " + Shape{batch, length}.text());
  }
}

void read_cache_rows(const OpCall& call, RotaryShape* shape) {
  check_caches(call, *shape);
  const Tensor* ids = call.optional_tensor("position_ids");
  if (ids == nullptr) {
    for (size_t token = 0; token < shape->batch * shape->length; ++token)
      shape->cache_rows.push_back(static_cast<int64_t>(token));
    return;
  }
  shape->cache_rows = int64_values(*ids);
  const int64_t positions = call.tensor("cos_cache").shape()[0];
  for (const int64_t id : shape->cache_rows) {
    if (id >= 0 && id < positions) continue;
    fail_undefined("index-range", "position_ids hold " + std::to_string(id),
                   "must be in [0, " + std::to_string(positions - 1) + "]");
  }
}

Tensor rotary_embedding_23(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  RotaryShape shape = rotary_shape(call, x);
  read_cache_rows(call, &shape);
  const size_t turned = shape.turned, rows = shape.rows();
  Tensor rotated(x.dtype(), {static_cast<int64_t>(rows), static_cast<int64_t>(turned)});
  const auto own = [&](size_t line, int64_t* at) {
    *at = static_cast<int64_t>(line / turned * shape.head_size + line % turned);
  };
  const auto other = [&](size_t line, int64_t* at) {
    *at = static_cast<int64_t>(line / turned * shape.head_size + shape.other(line % turned));
  };
  const auto angle = [&](size_t line, int64_t* at) {
    *at = shape.cache_rows[shape.token(line / turned)] * static_cast<int64_t>(turned / 2) +
          static_cast<int64_t>(shape.pair(line % turned));
  };
  LineJob(kRotaryFormula, rotated.size())
      .gathered(x, 1, own)
      .gathered(x, 1, other)
      .gathered(call.tensor("cos_cache"), 1, angle)
      .gathered(call.tensor("sin_cache"), 1, angle)
      .computed(1,
                [&](size_t line, double* side) { *side = shape.is_first(line % turned) ? -1 : 1; })
      .lines_to(&rotated, LineLayout::elements(rotated.size()))
      .run();
  if (turned == shape.head_size) return rotated.reshaped(x.shape());
  Tensor y = x;
  for (size_t row = 0; row < rows; ++row)
    copy_elements(rotated, row * turned, turned, y, row * shape.head_size);
  return y;
}

}  // namespace

extern const Operator kRotaryEmbedding;
const Operator kRotaryEmbedding{
    "ai.onnx", "RotaryEmbedding", {{.since = 23, .run = rotary_embedding_23}}};

}  // namespace onnxv
#endif
