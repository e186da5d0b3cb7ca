// Results on disk, found by a hash of all their inputs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A key is a hash of all inputs. formats/cache_folder.h says where and how
// results are kept; the runtime uses the same folder. Needs only LLVM's Support
// library.

#ifndef XCC_BACKEND_SUPPORT_RESULTCACHE_H
#define XCC_BACKEND_SUPPORT_RESULTCACHE_H

#include "formats/cache_folder.h"
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

struct CacheSettings : rt::CachePlace {
  bool on = true;

  static CacheSettings fromEnvironment();
};

/// Thread-safe.
class ResultCache {
public:
  explicit ResultCache(const CacheSettings &settings);

  bool isUsed() const { return place.isUsed(); }
  const std::string &folder() const { return place.folder(); }
  /// Why the cache is not used, for the user; empty if it is not wanted.
  const std::string &whyNot() const { return place.whyNot(); }
  /// Why something could not be stored; empty if all was.
  std::string whyNotStored() const { return place.whyNotStored(); }

  /// The result stored for the key, or null. With \p counted, counts it as a
  /// hit or a miss.
  std::unique_ptr<llvm::MemoryBuffer> find(const CacheKey &key,
                                           bool counted = true);
  void store(const CacheKey &key, llvm::StringRef result);

  /// How many were found and not found so far.
  unsigned hits() const { return found; }
  unsigned misses() const { return lacking; }

private:
  rt::CacheFolder place;
  std::atomic<unsigned> found = 0, lacking = 0;
};

/// Identifies the code that this process runs, libraries too: their build ids,
/// or the file's name, size and time if there is none.
const std::string &identityOfThisCode();

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_RESULTCACHE_H
