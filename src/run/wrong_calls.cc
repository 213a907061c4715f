#include "src/run/wrong_calls.h"

namespace onnxv::testing {

void check_wrong_calls(std::vector<WrongCall> calls) {
  for (size_t row = 0; row < calls.size(); ++row) {
    WrongCall& call = calls[row];
    CAPTURE(row);
    const std::string wanted = call.wanted.empty() ? "" : ", " + call.wanted;
    CHECK(call.node.error() == call.slug + ": node \"under_test\" (" + call.op + "): " + call.got + wanted);
  }
}

}  // namespace onnxv::testing
