#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

const Tensor kWords = strings({2}, {"a", "b"});

NodeUnderTest grams(const Tensor& x, const char* mode = "TF") {
  return NodeUnderTest("TfIdfVectorizer", 9)
      .attribute("mode", mode)
      .attribute("min_gram_length", 1)
      .attribute("max_gram_length", 1)
      .attribute("max_skip_count", 0)
      .input(x);
}
NodeUnderTest one_gram(const Tensor& x, const char* mode = "TF") {
  return grams(x, mode).integers("ngram_counts", {0}).integers("ngram_indexes", {0}).integers("pool_int64s", {1});
}
NodeUnderTest bad_lengths(int64_t least, int64_t most, int64_t skips) {
  return NodeUnderTest("TfIdfVectorizer", 9).attribute("mode", "TF").attribute("min_gram_length", least)
      .attribute("max_gram_length", most).attribute("max_skip_count", skips).integers("ngram_counts", {0})
      .integers("ngram_indexes", {0}).integers("pool_int64s", {1}).input(int64s({1}, {1}));
}

TEST_CASE("text: wrong calls") {
  check_wrong_calls({
      {NodeUnderTest("RegexFullMatch", 20).input(kWords), "schema/attribute-missing", "RegexFullMatch-20", "attribute \"pattern\" is absent", "is required"},
      {NodeUnderTest("RegexFullMatch", 20).attribute("pattern", "(").input(kWords), "schema/attribute-value", "RegexFullMatch-20", "pattern \"(\" is no RE2 pattern: missing ): (", ""},
      {NodeUnderTest("RegexFullMatch", 20).attribute("pattern", "(a)\\1").input(kWords), "schema/attribute-value", "RegexFullMatch-20", "pattern \"(a)\\1\" is no RE2 pattern: invalid escape sequence: \\1", ""},
      {NodeUnderTest("StringConcat", 20).input(kWords).input(strings({3}, {"", "", ""})), "schema/shape-mismatch", "StringConcat-20", "shapes [2] [3]", "must broadcast to one shape"},
      {NodeUnderTest("StringNormalizer", 10).input(strings({2, 1}, {"a", "b"})), "schema/shape-mismatch", "StringNormalizer-10", "X has shape [2,1]", "must be [C] or [1,C]"},
      {NodeUnderTest("StringNormalizer", 10).input(strings({}, {"a"})), "schema/shape-mismatch", "StringNormalizer-10", "X has shape []", "must be [C] or [1,C]"},
      {NodeUnderTest("StringNormalizer", 10).attribute("case_change_action", "upper").input(kWords), "schema/attribute-value", "StringNormalizer-10", "case_change_action is \"upper\"", "must be LOWER, UPPER or NONE"},
      {NodeUnderTest("StringSplit", 20).input(floats({1}, {1})).outputs(2), "schema/type-mismatch", "StringSplit-20", "input \"X\" is tensor(float)", "which is not among the types of T1"},
  });
}

TEST_CASE("text: n-grams that contradict themselves") {
  const Tensor x = int64s({1}, {1});
  check_wrong_calls({
      {one_gram(int64s({1, 1, 1}, {1})), "schema/shape-mismatch", "TfIdfVectorizer-9", "X has shape [1,1,1]", "must be [C] or [N,C]"},
      {one_gram(int64s({}, {1})), "schema/shape-mismatch", "TfIdfVectorizer-9", "X has shape []", "must be [C] or [N,C]"},
      {one_gram(kWords), "schema/type-mismatch", "TfIdfVectorizer-9", "X is string", "must have the type of the pool"},
      {one_gram(x).texts("pool_strings", {"a"}), "schema/attribute-missing", "TfIdfVectorizer-9", "pool_strings and pool_int64s are both given or both absent", "exactly one must be"},
      {one_gram(x).reals("weights", {1, 2}), "schema/list-length", "TfIdfVectorizer-9", "ngram_indexes has 1 entries and weights 2", "must have one for each of the pool's 1 n-grams"},
      {grams(x).integers("ngram_counts", {0}).integers("ngram_indexes", {-1}).integers("pool_int64s", {1}), "schema/attribute-range", "TfIdfVectorizer-9", "ngram_indexes holds -1", "must be at least 0"},
      {grams(x).integers("ngram_counts", {0}).integers("ngram_indexes", {INT64_MAX}).integers("pool_int64s", {1}), "limit/size-overflow", "TfIdfVectorizer-9", "the output would have 2^63 columns", ""},
      {grams(x).integers("ngram_counts", {2}).integers("ngram_indexes", {0}).integers("pool_int64s", {1}), "schema/attribute-range", "TfIdfVectorizer-9", "ngram_counts puts the 1-grams at [2, 1)", "must be whole n-grams of the pool"},
      {grams(x).integers("ngram_counts", {0, 1}).integers("ngram_indexes", {0}).integers("pool_int64s", {1, 2}), "schema/attribute-range", "TfIdfVectorizer-9", "ngram_counts puts the 2-grams at [1, 2)", "must be whole n-grams of the pool"},
      {bad_lengths(2, 1, 0), "schema/attribute-range", "TfIdfVectorizer-9", "gram lengths are 2 to 1 with 0 skips", "must be 1 <= min_gram_length <= max_gram_length and max_skip_count >= 0"},
      {bad_lengths(1, 1, -1), "schema/attribute-range", "TfIdfVectorizer-9", "gram lengths are 1 to 1 with -1 skips", "must be 1 <= min_gram_length <= max_gram_length and max_skip_count >= 0"},
      {bad_lengths(1, INT64_MAX, 0), "schema/list-length", "TfIdfVectorizer-9", "ngram_counts has 1 entries", "must have one for each length up to max_gram_length"},
      {one_gram(x, "tf"), "schema/attribute-value", "TfIdfVectorizer-9", "mode is \"tf\"", "must be TF, IDF or TFIDF"},
  });
}

TEST_CASE("TfIdfVectorizer-9 rows without words and without n-grams") {
  const int64_t huge = int64_t{1} << 60;
  CHECK(same(grams(int64s({huge, 0}, {})).integers("ngram_counts", {0}).integers("ngram_indexes", {}).integers("pool_int64s", {}).one(),
             floats({huge, 0}, {})));
}

}  // namespace
}  // namespace onnxv::testing
