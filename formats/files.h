// Files that the runtime writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may have closed its standard streams, and may limit the size of
// files: neither is to make the runtime write into what it does not own, or to
// end the process.

#ifndef XCC_FORMATS_FILES_H
#define XCC_FORMATS_FILES_H

#include "bytes.h"

#include <csignal>
#include <string>

namespace xcc::rt {

/// The same file under a number above those of the standard streams, which
/// others take for granted; -1 stays -1.
int aboveStandard(int file);

/// A new file beside others, under a name that cannot be foreseen: \p path with
/// a suffix, which it then has. -1 with errno set.
int makeTemporary(std::string &path);

/// False with errno set: EFBIG where a limit on the size of files stops it.
bool writeAll(int file, Bytes data);

/// While it lives, a file that grows beyond the limit (ulimit -f) is an error
/// of the thread's writing, not a signal that ends the process.
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
