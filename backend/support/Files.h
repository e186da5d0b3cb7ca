// Files that are complete or absent
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_SUPPORT_FILES_H
#define XCC_BACKEND_SUPPORT_FILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace xcc {

/// An empty file in the folder for temporary files, removed with this object
/// and when a signal ends the process.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef prefix,
                                              llvm::StringRef suffix);
  TemporaryFile(TemporaryFile &&other) : name(other.name) {
    other.name.clear();
  }
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile();

  llvm::StringRef path() const { return name; }
  /// Leaves the file to the caller; a signal still removes it. \returns its
  /// path.
  std::string release();

private:
  TemporaryFile() = default;
  llvm::SmallString<128> name;
};

/// A file for each suffix.
llvm::Expected<std::vector<TemporaryFile>>
createTemporaries(llvm::StringRef prefix,
                  llvm::ArrayRef<llvm::StringRef> suffixes);

/// Writes what `fill` prints to `path`, as Clang writes its outputs. A regular
/// file is replaced by renaming, so that it is complete or unchanged. A device
/// or FIFO is written in place; "-" is standard output. The error is the
/// system's reason alone.
llvm::Error writeFile(llvm::StringRef path,
                      llvm::function_ref<void(llvm::raw_ostream &)> fill);

/// Removes an output that failed, but no device and no file that we may not
/// write.
void removeOutput(llvm::StringRef path);

/// An output that another program is writing. A signal removes it.
class PendingOutput {
public:
  explicit PendingOutput(llvm::StringRef path);
  ~PendingOutput();

private:
  std::string path;
};

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_FILES_H
