// Results on disk, for every process of a user
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of files, one for each result, named by its key. The compiler keeps
// generated parts of device code there, programs what they generate themselves.
// Any number of processes use it at once, and any of them may be killed at any
// time: an entry is written beside its place and renamed, so that it is whole
// or not there, and what is read is believed only if its sum agrees. There are
// no locks. Nothing that goes wrong with the folder is an error: the result is
// made again.
//
//     entry   | "xccrslt3" | key, 64 hexadecimal digits | size, 8 bytes |
//             | sum, 16 bytes | result

#ifndef XCC_FORMATS_CACHE_FOLDER_H
#define XCC_FORMATS_CACHE_FOLDER_H

#include "bytes.h"

#include <atomic>
#include <string>
#include <vector>

namespace xcc::rt {

struct CachePlace {
  std::string directory;              ///< empty: there is no place for one
  uint64_t limit = uint64_t(1) << 30; ///< bytes that are kept
  std::string mistake; ///< what is wrong with the environment, for the user

  /// From XCC_CACHE_DIR ($XDG_CACHE_HOME/xcc or ~/.cache/xcc where it is not
  /// set) and XCC_CACHE_SIZE (as "500M" or "2G"; 0 keeps nothing). Programs
  /// that run with more rights than their user have no place.
  static CachePlace fromEnvironment();
};

/// The key of results that a text describes whole: 64 hexadecimal digits. Who
/// must not mix up two texts of one key stores the text too.
std::string cacheKeyOf(std::string_view text);

/// Thread-safe.
class CacheFolder {
public:
  /// A file of the folder, for who lists them.
  struct Entry {
    std::string path;
    std::string key;   ///< empty: an incomplete file, or a damaged one
    uint64_t size = 0; ///< bytes
    int64_t used = 0;  ///< nanoseconds since 1970
  };

  /// Makes the folder where there is none. One of another user, or that others
  /// may write to, is not used.
  explicit CacheFolder(const CachePlace &place);
  CacheFolder(const CacheFolder &) = delete;
  /// Trims what this object added to.
  ~CacheFolder() { trim(); }

  bool isUsed() const { return !directory.empty(); }
  const std::string &folder() const { return directory; }
  /// Why it is not used, for the user; empty if it is not wanted.
  const std::string &whyNot() const { return reason; }
  /// Why something could not be stored, the last time; empty if all was.
  std::string whyNotStored() const;
  uint64_t size() const { return limit; }

  /// What was stored for the key; false: nothing, or nothing to be believed.
  /// Throws std::bad_alloc.
  bool find(std::string_view key, std::vector<char> &result);
  void store(std::string_view key, Bytes result);
  /// Removes the key's entry.
  void remove(std::string_view key);
  /// Removes what was used longest ago, as far as there is more than the limit
  /// and this object added to it: at most once a minute, unless it added much.
  void trim();
  /// As find, which is no use of it.
  bool read(const Entry &entry, std::vector<char> &result) const;
  /// What is there, most recently used first.
  std::vector<Entry> list() const;
  /// Removes all entries; how many could not be.
  size_t clear();

private:
  std::string directory, reason;
  uint64_t limit;
  std::atomic<uint64_t> added = 0;
  std::atomic<int> failure = 0; ///< to store something: an errno

  std::string pathOf(std::string_view key) const;
};

} // namespace xcc::rt
#endif // XCC_FORMATS_CACHE_FOLDER_H
