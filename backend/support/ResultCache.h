// Results on disk, found again by a hash of all that made them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of files, one for each result, named by its key. Any number of
// processes use it at once, and any of them may be killed at any time: an entry
// is written beside its place and renamed, so that it is whole or not there,
// and what is read is believed only if its sum agrees. There are no locks.
// Nothing that goes wrong with the folder is an error: the result is made
// again. Needs LLVM's Support library alone.

#ifndef XCC_BACKEND_SUPPORT_RESULTCACHE_H
#define XCC_BACKEND_SUPPORT_RESULTCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace xcc {

/// A hash of everything that a result depends on, each part with its length.
class CacheKey {
public:
  /// Results of different kinds have different keys.
  explicit CacheKey(llvm::StringRef kind) { add(kind); }
  void add(llvm::StringRef text);
  void add(uint64_t number);
  /// 64 hexadecimal digits.
  std::string text() const;

private:
  mutable llvm::BLAKE3 hash;
};

struct CacheSettings {
  bool on = true;
  std::string directory;              ///< empty: there is no place for one
  uint64_t limit = uint64_t(1) << 30; ///< bytes that are kept
  std::string mistake; ///< what is wrong with the environment, for the user

  /// From XCC_CACHE_DIR ($XDG_CACHE_HOME/xcc or ~/.cache/xcc where it is not
  /// set) and XCC_CACHE_SIZE (as "500M" or "2G"; 0 keeps nothing).
  static CacheSettings fromEnvironment();
};

/// Thread-safe.
class ResultCache {
public:
  /// Makes the folder where there is none. One of another user, or that others
  /// may write to, is not used.
  explicit ResultCache(const CacheSettings &settings);
  ResultCache(const ResultCache &) = delete;
  /// Removes what was used longest ago, as far as there is more than the limit
  /// and this object added to it.
  ~ResultCache();

  bool isUsed() const { return !directory.empty(); }
  const std::string &folder() const { return directory; }
  /// Why it is not used, for the user; empty if nobody wants it.
  const std::string &whyNot() const { return reason; }

  /// What was stored for the key, or null.
  std::unique_ptr<llvm::MemoryBuffer> find(const CacheKey &key);
  void store(const CacheKey &key, llvm::StringRef result);

  /// How many were found and not found so far.
  unsigned hits() const { return found; }
  unsigned misses() const { return lacking; }

private:
  std::string directory, reason;
  uint64_t limit;
  std::atomic<uint64_t> added = 0;
  std::atomic<unsigned> found = 0, lacking = 0;

  std::string pathOf(const CacheKey &key) const;
};

/// Which code this process runs, libraries too: their build ids, or where there
/// is none the file's name, size and time.
const std::string &identityOfThisCode();

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_RESULTCACHE_H
