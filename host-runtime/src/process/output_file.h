// Output files that are complete or absent
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_PROCESS_OUTPUT_FILE_H
#define XCC_SRC_PROCESS_OUTPUT_FILE_H

#include "formats/files.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace xcc::rt {

/// Writes a device or FIFO in place. Writes a regular file under an
/// unpredictable name in the same folder, and renames it: the file is complete
/// or keeps its old contents. A link in its place is replaced, not followed.
class OutputFile {
public:
  explicit OutputFile(const std::string &path) : path(path) {}

  /// Opens the file. Returns null, with errno set, if it cannot be written.
  FILE *open() {
    struct stat status;
    int file;
    if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
      file =
          aboveStandard(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    } else {
      temporary = path;
      file = makeTemporary(temporary);
      if (file < 0)
        temporary.clear();
      else
        fchmod(file, 0666 & ~currentMask());
    }
    if (file < 0)
      return nullptr;
    out = fdopen(file, "w");
    if (!out)
      ::close(file);
    return out;
  }

  /// Closes the file. Returns false, with errno set and the temporary file
  /// removed, if not all was written.
  bool close() {
    errno = 0;
    bool good = fflush(out) == 0 && !ferror(out);
    int reason = errno;
    if (fclose(out) != 0 && good) {
      good = false;
      reason = errno;
    }
    if (temporary.empty()) {
      errno = reason;
      return good;
    }
    if (good && rename(temporary.c_str(), path.c_str()) == 0)
      return true;
    reason = good ? errno : reason;
    unlink(temporary.c_str());
    errno = reason ? reason : EIO;
    return false;
  }

private:
  const std::string &path;
  std::string temporary; ///< empty if written in place
  FILE *out = nullptr;

  /// The umask. umask() would have to change it, which other threads would see.
  static mode_t currentMask() {
    unsigned mask = 022;
    if (FILE *in = fopen("/proc/self/status", "re")) {
      char line[256];
      while (fgets(line, sizeof(line), in))
        if (sscanf(line, "Umask: %o", &mask) == 1)
          break;
      fclose(in);
    }
    return mode_t(mask);
  }
};

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_OUTPUT_FILE_H
