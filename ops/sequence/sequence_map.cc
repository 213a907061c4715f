// SequenceMap: runs a body once for each position of its input sequences; tensors go in unchanged each time.
//   since 17
#include "ops/sequence/sequence.h"

namespace onnxv {
namespace {

void check_call(const OpCall& call, const Body& body) {
  const size_t given = call.inputs().size();
  if (body.inputs().size() < given) {
    fail_schema("body-arity", "body has " + std::to_string(body.inputs().size()) + " inputs",
                "must have " + std::to_string(given) + " as the node");
  }
  if (!call.inputs()[0].is_sequence()) {
    fail_schema("type-mismatch", "input_sequence is " + call.inputs()[0].type().text(), "must be a sequence");
  }
  const size_t items = call.inputs()[0].sequence().items.size();
  for (const Value& input : call.inputs()) {
    if (!input.exists()) fail_schema("input-missing", "an additional input is absent", "is required");
    if (input.is_sequence() && input.sequence().items.size() != items) {
      fail_undefined("sequence-length", "an additional sequence has " +
                     std::to_string(input.sequence().items.size()) + " items",
                     "must have " + std::to_string(items) + " as input_sequence");
    }
  }
}

Outputs sequence_map_17(const OpCall& call) {
  Body& body = call.body("body");
  check_call(call, body);
  std::vector<Sequence> mapped;
  for (const Body::Port& port : body.outputs()) mapped.push_back({port.type, {}});
  const size_t items = call.inputs()[0].sequence().items.size();
  for (size_t i = 0; i < items; ++i) {
    Outputs arguments;
    for (const Value& input : call.inputs()) {
      arguments.push_back(input.is_sequence() ? input.sequence().items[i] : input);
    }
    Outputs results = body.run(arguments);
    for (size_t k = 0; k < mapped.size(); ++k) {
      const Value& result = results[k];
      if (!result.is_tensor()) {
        fail_schema("type-mismatch", "body output " + std::to_string(k) + " is " + result.type().text(),
                    "must be a tensor");
      }
      const Type type = Type::tensor(result.tensor().dtype());
      if (i > 0 && !same_type(type, mapped[k].element)) {
        fail_schema("type-mismatch", "body output " + std::to_string(k) + " becomes " + type.text(),
                    "must stay " + mapped[k].element.text());
      }
      mapped[k].element = type;
      mapped[k].items.push_back(result);
    }
  }
  Outputs outputs;
  for (Sequence& sequence : mapped) outputs.emplace_back(std::move(sequence));
  return outputs;
}

}  // namespace

const Operator kSequenceMap{"ai.onnx", "SequenceMap", {
    {.since = 17, .run = sequence_map_17},
}};

}  // namespace onnxv
