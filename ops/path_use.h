// Who asks for the path of its node, as generators of random numbers do, gives other results elsewhere.
#pragma once

#include <cstddef>

namespace onnxv {

// How often OpCall::path() was called in this process.
size_t paths_asked();

}  // namespace onnxv
