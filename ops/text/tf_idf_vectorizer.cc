// TfIdfVectorizer: counts the n-grams of a pool in each row, tokens of one n-gram standing skip + 1 apart.
//   TF  y[index_i] += count_i     IDF  += weight_i * min(count_i, 1)     TFIDF  += weight_i * count_i
//   since 9
#include <algorithm>
#include <map>
#include <unordered_map>

#include "ops/text/text.h"
#include "src/kernel/remaining_bounds.h"
#include "src/number/extended.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

using Gram = std::vector<int64_t>;

// Rows of tokens as numbers; a string is its place in the pool, -1 where the pool does not hold it.
struct Tokens {
  std::vector<int64_t> pool, x;
};

Tokens tokens_of(const OpCall& call, const Tensor& x) {
  const bool strings = call.has_attribute("pool_strings");
  if (strings == call.has_attribute("pool_int64s")) {
    fail_schema("attribute-missing", "pool_strings and pool_int64s are both given or both absent", "exactly one must be");
  }
  if (strings != x.is_string()) {
    fail_schema("type-mismatch", "X is " + std::string(dtype_name(x.dtype())), "must have the type of the pool");
  }
  if (!strings) return {call.integers("pool_int64s"), int64_values(x)};
  Tokens tokens;
  std::unordered_map<std::string, int64_t> numbers;
  for (const std::string& text : call.texts("pool_strings")) {
    tokens.pool.push_back(numbers.emplace(text, static_cast<int64_t>(numbers.size())).first->second);
  }
  for (const std::string& text : x.strings()) {
    const auto known = numbers.find(text);
    tokens.x.push_back(known == numbers.end() ? -1 : known->second);
  }
  return tokens;
}

struct Vectorizer {
  std::map<Gram, std::vector<size_t>> ids;  // of each n-gram in the pool: where it stands, counted in n-grams
  std::vector<int64_t> indexes;             // output coordinate by id
  std::vector<Extended> weights;            // by id; empty: all ones
  int64_t shortest = 1, longest = 1, most_skips = 0;
  int64_t size = 0;  // of a row of the output
  bool binary = false;
};

// Spec: ngram_counts[n - 1] is where the n-grams start in the pool, in pool elements; ids run on over all of them.
size_t number_grams(const OpCall& call, const std::vector<int64_t>& pool, Vectorizer& vectorizer) {
  const std::vector<int64_t> starts = call.integers("ngram_counts");
  if (vectorizer.longest > static_cast<int64_t>(starts.size())) {
    fail_schema("list-length", "ngram_counts has " + std::to_string(starts.size()) + " entries",
                "must have one for each length up to max_gram_length");
  }
  size_t id = 0;
  for (size_t n = 1; n <= starts.size(); ++n) {
    const int64_t begin = starts[n - 1];
    const auto end = n < starts.size() ? starts[n] : static_cast<int64_t>(pool.size());
    const bool sound = begin >= 0 && begin <= end && end <= static_cast<int64_t>(pool.size());
    if (!sound || (end - begin) % static_cast<int64_t>(n) != 0) {
      fail_schema("attribute-range", "ngram_counts puts the " + std::to_string(n) + "-grams at [" +
                  std::to_string(begin) + ", " + std::to_string(end) + ")", "must be whole n-grams of the pool");
    }
    for (auto at = pool.begin() + begin; at != pool.begin() + end; at += static_cast<int64_t>(n)) {
      vectorizer.ids[Gram(at, at + static_cast<int64_t>(n))].push_back(id++);
    }
  }
  return id;
}

Vectorizer vectorizer_of(const OpCall& call, const std::vector<int64_t>& pool) {
  Vectorizer v;
  v.shortest = call.integer("min_gram_length");
  v.longest = call.integer("max_gram_length");
  v.most_skips = call.integer("max_skip_count");
  if (v.shortest < 1 || v.longest < v.shortest || v.most_skips < 0) {
    fail_schema("attribute-range", "gram lengths are " + std::to_string(v.shortest) + " to " +
                std::to_string(v.longest) + " with " + std::to_string(v.most_skips) + " skips",
                "must be 1 <= min_gram_length <= max_gram_length and max_skip_count >= 0");
  }
  const std::string& mode = call.text("mode");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF") {
    fail_schema("attribute-value", "mode is \"" + mode + "\"", "must be TF, IDF or TFIDF");
  }
  v.binary = mode == "IDF";
  const size_t grams = number_grams(call, pool, v);
  v.indexes = call.integers("ngram_indexes");
  const std::vector<float> weights = call.reals("weights");
  if (v.indexes.size() != grams || (!weights.empty() && weights.size() != grams)) {
    fail_schema("list-length", "ngram_indexes has " + std::to_string(v.indexes.size()) + " entries and weights " +
                std::to_string(weights.size()), "must have one for each of the pool's " + std::to_string(grams) + " n-grams");
  }
  for (size_t id = 0; mode != "TF" && id < weights.size(); ++id) {
    v.weights.push_back(Extended::from_double(weights[id]));
  }
  for (int64_t index : v.indexes) {
    if (index < 0) fail_schema("attribute-range", "ngram_indexes holds " + std::to_string(index), "must be at least 0");
    if (index == INT64_MAX) fail_limit("size-overflow", "the output would have 2^63 columns");
    v.size = std::max(v.size, index + 1);
  }
  return v;
}

std::vector<int64_t> gram_counts(const Vectorizer& v, std::span<const int64_t> row) {
  std::vector<int64_t> counts(v.indexes.size(), 0);
  const auto length = static_cast<int64_t>(row.size());
  for (int64_t n = v.shortest; n <= v.longest && n <= length; ++n) {
    // Spec: a 1-gram has nothing to skip, so it is counted once. A longer stride than the row reaches nothing.
    const int64_t skips = n == 1 ? 0 : std::min(v.most_skips, length);
    for (int64_t skip = 0; skip <= skips; ++skip) {
      Gram gram(static_cast<size_t>(n));
      for (int64_t start = 0; start + (n - 1) * (skip + 1) < length; ++start) {
        for (int64_t k = 0; k < n; ++k) {
          gram[static_cast<size_t>(k)] = row[static_cast<size_t>(start + k * (skip + 1))];
        }
        const auto found = v.ids.find(gram);
        if (found == v.ids.end()) continue;
        for (size_t id : found->second) ++counts[id];
      }
    }
  }
  return counts;
}

void write_row(const Vectorizer& v, const std::vector<int64_t>& counts, std::span<uint32_t> y) {
  std::map<int64_t, Extended> sums;  // of the coordinates that are not plainly zero
  for (size_t id = 0; id < counts.size(); ++id) {
    const bool weighted = !v.weights.empty();
    if (counts[id] == 0 && (!weighted || v.weights[id].is_finite())) continue;
    const Extended count = v.binary ? std::min<int64_t>(counts[id], 1) : counts[id];
    Extended& sum = sums[v.indexes[id]];
    sum = sum + (weighted ? count * v.weights[id] : count);
  }
  for (const auto& [index, sum] : sums) y[static_cast<size_t>(index)] = static_cast<uint32_t>(sum.encode(kFloat32));
}

Tensor tf_idf_vectorizer_9(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  if (x.rank() != 1 && x.rank() != 2) {
    fail_schema("shape-mismatch", "X has shape " + x.shape().text(), "must be [C] or [N,C]");
  }
  const Tokens tokens = tokens_of(call, x);
  const Vectorizer v = vectorizer_of(call, tokens.pool);
  const int64_t rows = x.rank() == 2 ? x.shape()[0] : 1;
  Tensor y(DType::kFloat, x.rank() == 2 ? Shape{rows, v.size} : Shape{v.size});
  if (y.size() == 0) return y;
  const auto width = static_cast<size_t>(x.shape().back());
  const auto columns = static_cast<size_t>(v.size);
  const std::span<uint32_t> codes = y.mutable_as<uint32_t>();
  for (size_t row = 0; row < static_cast<size_t>(rows); ++row) {
    const std::span<const int64_t> words(tokens.x.data() + row * width, width);
    write_row(v, gram_counts(v, words), codes.subspan(row * columns, columns));
  }
  // Counts times weights, added up in any order; the weights of one coordinate have one sign or not.
  bound_roundings(&y, static_cast<double>(width));
  return y;
}

}  // namespace

const Operator kTfIdfVectorizer{"ai.onnx", "TfIdfVectorizer", {
    {.since = 9, .run = tf_idf_vectorizer_9},
}};

}  // namespace onnxv
