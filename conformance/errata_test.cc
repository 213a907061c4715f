#include "conformance/errata.h"

#include <doctest/doctest.h>

namespace onnxv {
namespace {

// A new entry is a claim that ONNX's own data are wrong: it is proved in its reason and added here by hand.
TEST_CASE("errata: these three and no others") {
  const std::vector<std::string> known{"test_dft_inverse", "test_dft_inverse_opset19", "test_attention_4d_causal_fp16_expanded"};
  std::vector<std::string> listed;
  for (const Erratum& erratum : errata()) {
    listed.push_back(erratum.test);
    CHECK(!erratum.reason.empty());
  }
  CHECK(listed == known);
}

TEST_CASE("errata: a name stands for itself alone") {
  CHECK(erratum_of("node/test_dft_inverse") != nullptr);
  CHECK(erratum_of("node/test_dft_inverse_onesided") == nullptr);
  CHECK(erratum_of("node/test_attention_4d_causal_fp16") == nullptr);
}

}  // namespace
}  // namespace onnxv
