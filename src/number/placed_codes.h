// Results that are written where they stay, without a stop in a buffer.
#pragma once

#include "src/number/ladder.h"

namespace onnxv {

class PlacedSink : public LineSink {
 public:
  // Where the codes of the lines from `first` on are wanted, line after line; null: only write() knows.
  virtual void* place(size_t first) = 0;
};

}  // namespace onnxv
