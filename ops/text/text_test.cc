#include <bit>
#include <limits>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

NodeUnderTest normalized(Tensor x) { return NodeUnderTest("StringNormalizer", 10).input(std::move(x)); }

NodeUnderTest split(Tensor x) {
  NodeUnderTest node("StringSplit", 20);
  return node.input(std::move(x)).outputs(2);
}

Tensor matched(const std::string& pattern, Tensor x) {
  return NodeUnderTest("RegexFullMatch", 20).attribute("pattern", pattern).input(std::move(x)).one();
}

}  // namespace

TEST_CASE("StringNormalizer-10 removes whole elements, comparing without case unless told") {
  const Tensor days = strings({4}, {"Monday", "tuesday", "MONDAY", "monday tuesday"});
  CHECK(same(normalized(days).texts("stopwords", {"monday"}).one(), strings({2}, {"tuesday", "monday tuesday"})));
  CHECK(same(normalized(days).texts("stopwords", {"MONDAY"}).attribute("is_case_sensitive", 1).one(),
             strings({3}, {"Monday", "tuesday", "monday tuesday"})));
  CHECK(same(normalized(days).one(), days));
}

TEST_CASE("StringNormalizer-10 compares before it changes case") {
  CHECK(same(normalized(strings({2}, {"a", "b"}))
                 .texts("stopwords", {"A"})
                 .attribute("is_case_sensitive", 1)
                 .attribute("case_change_action", "UPPER")
                 .one(),
             strings({2}, {"A", "B"})));
}

TEST_CASE("StringNormalizer-10 simple case maps of Unicode") {
  // U+00DF has no one-letter capital; U+01C6 (dž) has U+01C4; U+03C2 (final sigma) has U+03A3; U+FB01 (fi) has none.
  const Tensor lower = strings({1, 4}, {"stra\u00dfe", "\u01c6", "\u03c2", "\ufb01"});
  CHECK(same(normalized(lower).attribute("case_change_action", "UPPER").one(),
             strings({1, 4}, {"STRA\u00dfE", "\u01c4", "\u03a3", "\ufb01"})));
  // U+0130 becomes a plain i, U+1E9E becomes U+00DF, an accent stays.
  CHECK(same(normalized(strings({3}, {"\u0130", "\u1e9e", "\u00c9A"})).attribute("case_change_action", "LOWER").one(),
             strings({3}, {"i", "\u00df", "\u00e9a"})));
}

TEST_CASE("StringNormalizer-10 Turkish i keeps its dot") {
  const auto with = [](const char* locale, const char* action, std::string text) {
    return normalized(strings({1}, {std::move(text)}))
        .attribute("locale", locale)
        .attribute("case_change_action", action)
        .one();
  };
  CHECK(same(with("tr_TR", "UPPER", "iI\u0131"), strings({1}, {"\u0130II"})));
  CHECK(same(with("az", "LOWER", "iI\u0130"), strings({1}, {"i\u0131i"})));
  CHECK(same(with("en_US", "UPPER", "i\u0131"), strings({1}, {"II"})));
  CHECK(same(with("no_such_place", "LOWER", "I"), strings({1}, {"i"})));
}

TEST_CASE("StringNormalizer-10 nothing left is one empty string") {
  CHECK(same(normalized(strings({2}, {"a", "A"})).texts("stopwords", {"a"}).one(), strings({1}, {""})));
  CHECK(same(normalized(strings({1, 2}, {"a", "A"})).texts("stopwords", {"a"}).one(), strings({1, 1}, {""})));
  CHECK(same(normalized(strings({0}, {})).one(), strings({1}, {""})));
  CHECK(same(normalized(strings({1, 0}, {})).one(), strings({1, 1}, {""})));
  CHECK(same(normalized(strings({2}, {"", "a"})).texts("stopwords", {"a"}).one(), strings({1}, {""})));
}

TEST_CASE("StringNormalizer-10 bytes that are no UTF-8 stay") {
  CHECK(same(normalized(strings({1}, {"a\xff z"})).attribute("case_change_action", "UPPER").one(),
             strings({1}, {"A\xff Z"})));
}

TEST_CASE("StringNormalizer-10 errors") {
  CHECK(normalized(strings({2, 1}, {"a", "b"})).error().find("schema/shape-mismatch") == 0);
  CHECK(normalized(strings({}, {"a"})).error().find("X has shape [], must be [C] or [1,C]") != std::string::npos);
  CHECK(
      normalized(strings({1}, {"a"})).attribute("case_change_action", "TITLE").error().find("schema/attribute-value") ==
      0);
}

TEST_CASE("StringConcat-20 broadcasts and joins bytes") {
  const auto joined = [](Tensor x, Tensor y) {
    return NodeUnderTest("StringConcat", 20).input(std::move(x)).input(std::move(y));
  };
  CHECK(same(joined(strings({2, 1}, {"a", "b"}), strings({2}, {"1", ""})).one(),
             strings({2, 2}, {"a1", "a", "b1", "b"})));
  CHECK(same(joined(strings({}, {"x"}), strings({}, {"y"})).one(), strings({}, {"xy"})));
  // e and a combining acute stay two code points.
  CHECK(same(joined(strings({1}, {"e"}), strings({1}, {"\u0301"})).one(), strings({1}, {"e\u0301"})));
  CHECK(same(joined(strings({0}, {}), strings({1}, {"y"})).one(), strings({0}, {})));
  CHECK(joined(strings({2}, {"a", "b"}), strings({3}, {"a", "b", "c"})).error().find("schema/shape-mismatch") == 0);
}

TEST_CASE("StringSplit-20 delimiters keep empty pieces") {
  NodeUnderTest node = split(strings({3}, {"a,,b", "", "x"})).attribute("delimiter", ",");
  CHECK(same(node.output(0), strings({3, 3}, {"a", "", "b", "", "", "", "x", "", ""})));
  CHECK(same(node.output(1), int64s({3}, {3, 1, 1})));
  NodeUnderTest overlapping = split(strings({1}, {"aaab"})).attribute("delimiter", "aa");
  CHECK(same(overlapping.output(0), strings({1, 2}, {"", "ab"})));
  NodeUnderTest ends = split(strings({1}, {",a,"})).attribute("delimiter", ",");
  CHECK(same(ends.output(0), strings({1, 3}, {"", "a", ""})));
}

TEST_CASE("StringSplit-20 at most maxsplit splits") {
  const auto pieces = [](int64_t maxsplit) {
    return split(strings({1}, {"a,b,c"})).attribute("delimiter", ",").attribute("maxsplit", maxsplit).output(0);
  };
  CHECK(same(pieces(0), strings({1, 1}, {"a,b,c"})));
  CHECK(same(pieces(1), strings({1, 2}, {"a", "b,c"})));
  CHECK(same(pieces(7), strings({1, 3}, {"a", "b", "c"})));
  CHECK(same(pieces(-1), strings({1, 3}, {"a", "b", "c"})));
  const auto words = [](int64_t maxsplit) {
    return split(strings({1}, {"  a \t b  c "})).attribute("maxsplit", maxsplit).output(0);
  };
  CHECK(same(words(0), strings({1, 1}, {"a \t b  c"})));
  CHECK(same(words(1), strings({1, 2}, {"a", "b  c"})));
  CHECK(same(words(2), strings({1, 3}, {"a", "b", "c"})));
}

TEST_CASE("StringSplit-20 white space") {
  // No-break space, ideographic space and the unit separator are blanks; the zero width space U+200B is not.
  NodeUnderTest node = split(strings({2}, {"a\u00a0b\u3000\x1f"
                                           "c",
                                           "a\u200b b"}));
  CHECK(same(node.output(0), strings({2, 3}, {"a", "b", "c", "a\u200b", "b", ""})));
  CHECK(same(node.output(1), int64s({2}, {3, 2})));
}

TEST_CASE("StringSplit-20 nothing to give") {
  NodeUnderTest blank = split(strings({2}, {"", " \n"})).attribute("delimiter", "");
  CHECK(same(blank.output(0), strings({2, 0}, {})));
  CHECK(same(blank.output(1), int64s({2}, {0, 0})));
  NodeUnderTest none = split(strings({0, 2}, {}));
  CHECK(same(none.output(0), strings({0, 2, 0}, {})));
  CHECK(same(none.output(1), int64s({0, 2}, {})));
  NodeUnderTest scalar = split(strings({}, {"a b"}));
  CHECK(same(scalar.output(0), strings({2}, {"a", "b"})));
  CHECK(same(scalar.output(1), int64s({}, {2})));
}

TEST_CASE("RegexFullMatch-20 matches whole strings") {
  CHECK(same(matched("a+", strings({2, 2}, {"aa", "aab", "", "a"})), bools({2, 2}, {true, false, false, true})));
  CHECK(same(matched("www\\.[a-z]+\\.com", strings({2}, {"www.google.com", "www.google.com/x"})),
             bools({2}, {true, false})));
  CHECK(same(matched("a|ab", strings({}, {"ab"})), bools({}, {true})));
  CHECK(same(matched(".*", strings({0}, {})), bools({0}, {})));
}

TEST_CASE("RegexFullMatch-20 RE2's classes and code points") {
  // A dot is one code point and no newline; \d and \w are ASCII; $ allows no newline behind it.
  CHECK(same(matched(".", strings({3}, {"\u00e9", "\n", "ab"})), bools({3}, {true, false, false})));
  CHECK(same(matched("\\d", strings({2}, {"7", "\u0667"})), bools({2}, {true, false})));
  CHECK(same(matched("a$", strings({2}, {"a", "a\n"})), bools({2}, {true, false})));
  CHECK(same(matched("\\pL", strings({2}, {"\u00e9", "1"})), bools({2}, {true, false})));
  CHECK(same(matched("\\C*", strings({2}, {"a", "\xff"})), bools({2}, {true, false})));
}

TEST_CASE("RegexFullMatch-20 errors") {
  const auto error = [](const char* pattern) {
    return NodeUnderTest("RegexFullMatch", 20).attribute("pattern", pattern).input(strings({1}, {"a"})).error();
  };
  CHECK(error("(").find("schema/attribute-value") == 0);
  CHECK(error("(a)\\1").find("schema/attribute-value") == 0);
  CHECK(error("(?=a)").find("is no RE2 pattern") != std::string::npos);
  CHECK(NodeUnderTest("RegexFullMatch", 20).input(strings({1}, {"a"})).error().find("schema/attribute-missing") == 0);
}

namespace {

struct Grams {
  int64_t shortest, longest, skips;
};

// Pool: the 1-grams 2, 3, 5, 4 and the 2-grams 5 6, 7 8, 6 7.
NodeUnderTest tf_idf(const char* mode, Grams grams, Tensor x) {
  return NodeUnderTest("TfIdfVectorizer", 9)
      .attribute("mode", mode)
      .attribute("min_gram_length", grams.shortest)
      .attribute("max_gram_length", grams.longest)
      .attribute("max_skip_count", grams.skips)
      .integers("ngram_counts", {0, 4})
      .integers("ngram_indexes", {0, 1, 2, 3, 4, 5, 6})
      .integers("pool_int64s", {2, 3, 5, 4, 5, 6, 7, 8, 6, 7})
      .input(std::move(x));
}

}  // namespace

TEST_CASE("TfIdfVectorizer-9 counts 2-grams with skips") {
  const Tensor x = int32s({12}, {1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8});
  // Neighbours: 5 6 once, 7 8 once, 6 7 once.
  CHECK(same(tf_idf("TF", {2, 2, 0}, x).one(), floats({7}, {0, 0, 0, 0, 1, 1, 1})));
  // One token between: 8 6? no; 7 6, 6 5, 7 6, 5 8 are none of the pool.
  CHECK(same(tf_idf("TF", {2, 2, 1}, x).one(), floats({7}, {0, 0, 0, 0, 1, 1, 1})));
  // Up to five between: the last 8 is three behind the second 7 and six behind the first; 5 6 and 6 7 only touch.
  CHECK(same(tf_idf("TF", {2, 2, 5}, x).one(), floats({7}, {0, 0, 0, 0, 1, 3, 1})));
}

TEST_CASE("TfIdfVectorizer-9 1-grams are counted once whatever the skips") {
  CHECK(same(tf_idf("TF", {1, 2, 5}, int64s({2, 3}, {3, 3, 5, 5, 6, 4})).one(),
             floats({2, 7}, {0, 2, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0})));
}

TEST_CASE("TfIdfVectorizer-9 weights go by the pool, and meet at one coordinate") {
  const auto node = [](const char* mode) {
    return NodeUnderTest("TfIdfVectorizer", 9)
        .attribute("mode", mode)
        .attribute("min_gram_length", 1)
        .attribute("max_gram_length", 1)
        .attribute("max_skip_count", 0)
        .integers("ngram_counts", {0})
        .integers("ngram_indexes", {2, 0, 2})
        .texts("pool_strings", {"a", "b", "c"})
        .reals("weights", {10, 20, 30})
        .input(strings({5}, {"a", "a", "b", "c", "z"}));
  };
  CHECK(same(node("TF").one(), floats({3}, {1, 0, 3})));
  CHECK(same(node("IDF").one(), floats({3}, {20, 0, 40})));
  CHECK(same(node("TFIDF").one(), floats({3}, {20, 0, 50})));
}

TEST_CASE("TfIdfVectorizer-9 rounds the exact sum once") {
  // 2^24 + 1 + 1 is a float32; added one after the other each 1 would be lost.
  const auto node = [](std::vector<float> weights) {
    return NodeUnderTest("TfIdfVectorizer", 9)
        .attribute("mode", "TFIDF")
        .attribute("min_gram_length", 1)
        .attribute("max_gram_length", 1)
        .attribute("max_skip_count", 0)
        .integers("ngram_counts", {0})
        .integers("ngram_indexes", {0, 0, 0})
        .integers("pool_int64s", {1, 2, 3})
        .reals("weights", std::move(weights))
        .input(int64s({3}, {1, 2, 3}))
        .one();
  };
  CHECK(same(node({16777216, 1, 1}), floats({1}, {16777218})));
  CHECK(same(node({3e38F, 3e38F, -3e38F}), floats({1}, {3e38F})));
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  CHECK(same(node({kInfinity, -kInfinity, 1}), floats({1}, {std::numeric_limits<float>::quiet_NaN()})));
}

TEST_CASE("TfIdfVectorizer-9 empty rows and empty batches") {
  CHECK(same(tf_idf("TF", {1, 2, 0}, int64s({0}, {})).one(), floats({7}, {0, 0, 0, 0, 0, 0, 0})));
  CHECK(same(tf_idf("TF", {1, 2, 0}, int64s({0, 3}, {})).one(), floats({0, 7}, {})));
  CHECK(same(tf_idf("TF", {1, 2, 0}, int64s({1, 0}, {})).one(), floats({1, 7}, {0, 0, 0, 0, 0, 0, 0})));
}

TEST_CASE("TfIdfVectorizer-9 errors") {
  const Tensor x = int64s({2}, {1, 2});
  CHECK(tf_idf("TF", {1, 2, 0}, int64s({}, {1})).error().find("schema/shape-mismatch") == 0);
  CHECK(tf_idf("TF", {1, 2, 0}, int64s({1, 1, 1}, {1})).error().find("must be [C] or [N,C]") != std::string::npos);
  CHECK(tf_idf("TF", {1, 2, 0}, strings({1}, {"a"})).error().find("schema/type-mismatch") == 0);
  CHECK(tf_idf("TF", {2, 1, 0}, x).error().find("schema/attribute-range") == 0);
  CHECK(tf_idf("TF", {1, 3, 0}, x).error().find("schema/list-length") == 0);
  CHECK(tf_idf("BM25", {1, 2, 0}, x).error().find("schema/attribute-value") == 0);
  CHECK(tf_idf("TFIDF", {1, 2, 0}, x).reals("weights", {1, 2}).error().find("schema/list-length") == 0);
  CHECK(tf_idf("TF", {1, 2, 0}, x).texts("pool_strings", {"a"}).error().find("schema/attribute-missing") == 0);
}

}  // namespace onnxv::testing
