// The interpreter itself under test.
#pragma once

#include <string>

#include "conformance/backend/backend.h"
#include "src/base/error.h"

namespace onnxv {

class ReferenceBackend : public Backend {
 public:
  explicit ReferenceBackend(std::string spelling);
  const BackendDescription& description() const override { return description_; }
  BackendAnswer run(const BackendJob& job) override;

 private:
  BackendDescription description_;
};

// The status of an error that the interpreter threw: what it does not know is unsupported, what has
// no value undefined.
Status status_of(const Error& error);

}  // namespace onnxv
