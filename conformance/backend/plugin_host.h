// The process that loads a plug-in (onnx_verify_backend.h) and speaks the worker protocol for it.
#pragma once

#include <string>
#include <vector>

namespace onnxv {

// This program again, as the host of the plug-in: the first argument is kPluginHost.
inline constexpr const char* kPluginHost = "--plugin-host";
std::vector<std::string> plugin_host_command(const std::string& library);

// Loads the library and serves requests from stdin until it ends; returns the exit code. Throws
// Error kBackend where the library is no plug-in.
int host_plugin(const std::string& library);

}  // namespace onnxv
