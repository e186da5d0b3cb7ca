// Writing files in the runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may have closed its standard streams, and may limit the size of
// files. The runtime must then neither write into files that are not its own
// nor end the process.

#ifndef XCC_FORMATS_FILES_H
#define XCC_FORMATS_FILES_H

#include "bytes.h"

#include <csignal>
#include <string>

namespace xcc::rt {

/// Moves a file descriptor above those of the standard streams, which other
/// code uses unconditionally. Returns -1 for -1.
int aboveStandard(int file);

/// Creates a new file and sets \p path to its name: the old \p path with an
/// unpredictable suffix. Returns -1 and sets errno on failure.
int makeTemporary(std::string &path);

/// Returns false and sets errno on failure: EFBIG if a limit on file sizes
/// applies.
bool writeAll(int file, Bytes data);

/// While this object exists, writing beyond the limit of file sizes (ulimit -f)
/// on this thread is an error, not a signal that ends the process.
class NoSizeSignal {
public:
  NoSizeSignal();
  ~NoSizeSignal();
  NoSizeSignal(const NoSizeSignal &) = delete;
  NoSizeSignal &operator=(const NoSizeSignal &) = delete;

private:
  sigset_t old;
  bool wasPending;
};

} // namespace xcc::rt
#endif // XCC_FORMATS_FILES_H
