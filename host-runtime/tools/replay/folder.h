// A recorded launch, as its folder has it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TOOLS_REPLAY_FOLDER_H
#define XCC_TOOLS_REPLAY_FOLDER_H

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace replay {

/// What ends xcc-replay with a message.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Memory that the launch could reach.
struct Range {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  bool ofHost = false; ///< of the host, seen by the device
  uint64_t offset = 0; ///< in "before" and "after"
};

struct Launch {
  std::string outcome; ///< records::Unknown, Ended or Failed
  std::string kernel, symbol, kernelFile;
  uint32_t kernelLine = 0, kernargAlignment = 1;
  uint64_t fingerprint = 0;
  std::array<uint32_t, 3> grid{}, block{};
  uint64_t shared = 0;
  bool cooperative = false, loop = false, heap = false;
  std::string file; ///< of the launch
  uint32_t line = 0;
  std::string device, arch;  ///< that it was recorded on
  std::vector<Range> memory; ///< by address
  std::string images, arguments, before, after;

  bool hasAfter() const { return !after.empty(); }
  uint64_t bytes() const;
};

/// Reads a folder, and checks that it is whole. Throws Failure.
Launch readFolder(const std::string &path);

/// Replaces what the folder has. Throws Failure; then the folder is damaged or as
/// it was.
void writeFolder(const std::string &path, const Launch &launch);

/// A file's bytes. Throws Failure.
std::string readFile(const std::string &path);

} // namespace replay
#endif // XCC_TOOLS_REPLAY_FOLDER_H
