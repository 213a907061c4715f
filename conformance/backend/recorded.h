// Outputs that were produced elsewhere, in the official layout:
// DIR/TEST/test_data_set_N/output_K.pb, or without the test's name, or (data set 0)
// DIR/output_K.pb.
#pragma once

#include <string>

#include "conformance/backend/backend.h"

namespace onnxv {

class RecordedBackend : public Backend {
 public:
  RecordedBackend(std::string spelling, std::string directory);
  const BackendDescription& description() const override { return description_; }
  BackendAnswer run(const BackendJob& job) override;
  bool runs_any_model() const override { return false; }

 private:
  std::string folder_of(const BackendJob& job) const;
  BackendDescription description_;
  std::string directory_;
};

}  // namespace onnxv
