// A cache folder, shared by all processes of a user
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder with a file for each result, named by its key. The compiler stores
// generated parts of device code there, and programs store code that they
// generate themselves. Any number of processes use the folder at once, and any
// of them may be killed at any time. Therefore an entry is written to a
// temporary file and renamed, so that it is complete or missing, and it is used
// only if its sum matches. There are no locks. A failure of the folder is no
// error: the result is generated again.
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
  std::string directory;              ///< empty: no folder is available
  uint64_t limit = uint64_t(1) << 30; ///< the most bytes to keep
  std::string mistake; ///< an error in the environment variables, for the user

  /// Reads XCC_CACHE_DIR (by default $XDG_CACHE_HOME/xcc or ~/.cache/xcc),
  /// XCC_CACHE_SIZE (such as "500M" or "2G"; 0 keeps nothing) and XCC_CACHE
  /// ("off" keeps nothing). Programs with more rights than their user get no
  /// folder.
  static CachePlace fromEnvironment();
};

/// The key of results that a text describes completely: 64 hexadecimal digits.
/// If confusing two texts with the same key would do harm, store the text too.
std::string cacheKeyOf(std::string_view text);

/// Thread-safe.
class CacheFolder {
public:
  /// A file of the folder.
  struct Entry {
    std::string path;
    std::string key;   ///< empty: the file is incomplete or damaged
    uint64_t size = 0; ///< bytes
    int64_t used = 0;  ///< nanoseconds since 1970
  };

  /// Creates the folder if it is missing. Does not use a folder that belongs to
  /// another user, or that others may write to.
  explicit CacheFolder(const CachePlace &place);
  CacheFolder(const CacheFolder &) = delete;
  /// Trims the folder if this object added to it.
  ~CacheFolder() { trim(); }

  bool isUsed() const { return !directory.empty(); }
  const std::string &folder() const { return directory; }
  /// Returns why the folder is not used, for the user; empty if the limit is 0.
  const std::string &whyNot() const { return reason; }
  /// Returns why the last failed store failed; empty if none failed.
  std::string whyNotStored() const;
  uint64_t size() const { return limit; }

  /// Reads the result for a key. Returns false if there is none, or if it is
  /// damaged. Throws std::bad_alloc.
  bool find(std::string_view key, std::vector<char> &result);
  void store(std::string_view key, Bytes result);
  /// Removes the key's entry.
  void remove(std::string_view key);
  /// If this object has added entries, removes the least recently used ones
  /// beyond the limit. Happens at most once a minute, unless much was added.
  void trim();
  /// Like find, but does not count as a use.
  bool read(const Entry &entry, std::vector<char> &result) const;
  /// Lists all files, most recently used first.
  std::vector<Entry> list() const;
  /// Removes all entries. Returns the number that could not be removed.
  size_t clear();

private:
  std::string directory, reason;
  uint64_t limit;
  std::atomic<uint64_t> added = 0;
  std::atomic<int> failure = 0; ///< errno of the last failed store

  std::string pathOf(std::string_view key) const;
};

} // namespace xcc::rt
#endif // XCC_FORMATS_CACHE_FOLDER_H
