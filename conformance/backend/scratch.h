// A directory for files in transit, removed with everything in it when its owner goes.
#pragma once

#include <string>

namespace onnxv {

class ScratchDirectory {
 public:
  // Under $TMPDIR, else /tmp; or under `parent` where given. Limit error "scratch" when it cannot
  // be made.
  explicit ScratchDirectory(const std::string& parent = {});
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::string& path() const { return path_; }
  // Removes what is in it.
  void clear() const;
  // It is a forked child's copy: the parent removes it.
  void disown() { owned_ = false; }

 private:
  std::string path_;
  bool owned_ = true;
};

}  // namespace onnxv
