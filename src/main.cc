// Parses the command line, runs one command, and turns whatever goes wrong into one line and an
// exit code.
#include <malloc.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <new>
#include <string_view>

#include "conformance/backend/plugin_host.h"
#include "src/base/error.h"
#include "src/cli/commands.h"

namespace {

int report(const onnxv::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return onnxv::exit_code(error.kind());
}

// `| head` has read enough: that is no failure of a write.
bool reader_went_away() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace onnxv;
  // Tensors come and go in sizes that the allocator would hand back to the system each time, and a fresh page costs more than many
  // an operator does with it.
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
  std::signal(SIGPIPE,
              SIG_IGN);  // a worker or a reader that went away is no reason to die
  try {
    // Not for users: how a plug-in comes to run in a process of its own.
    if (argc == 3 && std::string_view(argv[1]) == kPluginHost) return host_plugin(argv[2]);
    const cli::Command command = cli::parse_command_line(argc, argv);
    const int code =
        std::visit([](const auto& parsed) { return cli::run_command(parsed); }, command);
    if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && !reader_went_away()) {
      return report(Error(ErrorKind::kInternal, "output", "stdout cannot be written"));
    }
    return code;
  } catch (const Error& error) {
    return report(error);
  } catch (const std::bad_alloc&) {
    return report(Error(ErrorKind::kLimit, "memory", "not enough memory"));
  } catch (const std::exception& error) {
    return report(Error(ErrorKind::kInternal, "exception", error.what()));
  }
}
