// Results on disk, found again by a hash of all that made them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResultCache.h"
#include "Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace xcc {
namespace {

/// What an entry begins with: who wrote it, its key, and the sum of the rest.
struct Header {
  char magic[8];
  char key[64];
  char sum[16];
};
static_assert(sizeof(Header) == 88);
constexpr char Magic[] = "xccrslt1";

Header headerOf(StringRef key, StringRef result) {
  Header header;
  memcpy(header.magic, Magic, sizeof(header.magic));
  memcpy(header.key, key.data(), sizeof(header.key));
  XXH128_hash_t sum = xxh3_128bits(arrayRefFromStringRef(result));
  support::endian::write64le(header.sum, sum.low64);
  support::endian::write64le(header.sum + 8, sum.high64);
  return header;
}

/// "500M" as bytes.
std::optional<uint64_t> parseSize(StringRef text) {
  unsigned shift = 0;
  if (text.consume_back_insensitive("K"))
    shift = 10;
  else if (text.consume_back_insensitive("M"))
    shift = 20;
  else if (text.consume_back_insensitive("G"))
    shift = 30;
  uint64_t number;
  if (text.getAsInteger(10, number) || number > (UINT64_MAX >> 1 >> shift))
    return std::nullopt;
  return number << shift;
}

/// Why a folder is not ours alone to write to; empty if it is.
std::string objectionTo(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info))
    return strerror(errno);
  if (!S_ISDIR(info.st_mode))
    return "it is no folder";
  if (info.st_uid != geteuid())
    return "it belongs to another user";
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return "others may write to it";
  return "";
}

} // namespace

void CacheKey::add(StringRef text) {
  add(text.size());
  hash.update(text);
}

void CacheKey::add(uint64_t number) {
  uint8_t bytes[8];
  support::endian::write64le(bytes, number);
  hash.update(ArrayRef(bytes));
}

std::string CacheKey::text() const {
  return toHex(hash.final(), /*LowerCase=*/true);
}

CacheSettings CacheSettings::fromEnvironment() {
  CacheSettings settings;
  const char *place = getenv("XCC_CACHE_DIR");
  SmallString<128> path(place ? place : "");
  if (path.empty() && sys::path::cache_directory(path))
    sys::path::append(path, "xcc");
  settings.directory = path.str().str();
  const char *size = getenv("XCC_CACHE_SIZE");
  if (!size || !*size)
    return settings;
  if (auto bytes = parseSize(size))
    settings.limit = *bytes;
  else
    settings.mistake = "XCC_CACHE_SIZE=" + std::string(size) +
                       " is no size, such as 500M or 2G; it does not count";
  return settings;
}

ResultCache::ResultCache(const CacheSettings &settings)
    : limit(settings.limit) {
  if (!settings.on || !limit)
    return;
  if (settings.directory.empty()) {
    reason = "there is no HOME; XCC_CACHE_DIR names a place for it";
    return;
  }
  // One that is there may be somebody's link.
  if (!sys::fs::exists(settings.directory))
    if (auto error = sys::fs::create_directories(
            settings.directory, /*IgnoreExisting=*/true, sys::fs::owner_all)) {
      reason =
          "'" + settings.directory + "' cannot be made: " + error.message();
      return;
    }
  std::string objection = objectionTo(settings.directory);
  if (objection.empty())
    directory = settings.directory;
  else
    reason = "'" + settings.directory + "': " + objection;
}

ResultCache::~ResultCache() {
  if (!isUsed() || !added)
    return;
  CachePruningPolicy policy;
  policy.MaxSizeBytes = limit;
  policy.Expiration = std::chrono::seconds(0);
  // Looking at all of a large folder takes time.
  policy.Interval = std::chrono::seconds(added > limit / 16 ? 0 : 60);
  pruneCache(directory, policy);
}

// LLVM's pruning removes files that begin so, and no others.
std::string ResultCache::pathOf(const CacheKey &key) const {
  return directory + "/llvmcache-" + key.text();
}

std::unique_ptr<MemoryBuffer> ResultCache::find(const CacheKey &key) {
  if (!isUsed())
    return nullptr;
  auto read = [&]() -> std::unique_ptr<MemoryBuffer> {
    Expected<sys::fs::file_t> file =
        sys::fs::openNativeFileForRead(pathOf(key), sys::fs::OF_UpdateAtime);
    if (!file) {
      consumeError(file.takeError());
      return nullptr;
    }
    // Not mapped: whoever cuts it short must not end this process.
    auto buffer = MemoryBuffer::getOpenFile(*file, pathOf(key), /*FileSize=*/-1,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
    sys::fs::closeFile(*file);
    if (!buffer || (*buffer)->getBufferSize() < sizeof(Header))
      return nullptr;
    StringRef bytes = (*buffer)->getBuffer();
    StringRef result = bytes.drop_front(sizeof(Header));
    Header expected = headerOf(key.text(), result);
    if (memcmp(bytes.data(), &expected, sizeof(expected)) != 0)
      return nullptr;
    return MemoryBuffer::getMemBufferCopy(result);
  };
  auto result = read();
  ++(result ? found : lacking);
  return result;
}

void ResultCache::store(const CacheKey &key, StringRef result) {
  // What alone is too large would push out everything else.
  if (!isUsed() || result.size() > limit / 2)
    return;
  Header header = headerOf(key.text(), result);
  Error error = writeFile(pathOf(key), [&](raw_ostream &os) {
    os.write(reinterpret_cast<const char *>(&header), sizeof(header));
    os << result;
  });
  if (error)
    consumeError(std::move(error));
  else
    added += result.size();
}

//===----------------------------------------------------------------------===//
// What runs
//===----------------------------------------------------------------------===//

namespace {

/// A loaded object's build id, empty if it has none.
StringRef buildIDOf(const dl_phdr_info &object) {
  for (int i = 0; i != object.dlpi_phnum; ++i) {
    const auto &segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    auto *at =
        reinterpret_cast<const char *>(object.dlpi_addr + segment.p_vaddr);
    const char *end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
      const char *name = at + sizeof(*note);
      size_t alignment = segment.p_align == 8 ? 8 : 4;
      const char *text =
          at + alignTo(sizeof(*note) + note->n_namesz, alignment);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
          !memcmp(name, "GNU", 4))
        return StringRef(text, note->n_descsz);
      at = text + alignTo(note->n_descsz, alignment);
    }
  }
  return "";
}

int addIdentity(dl_phdr_info *object, size_t, void *list) {
  StringRef name(object->dlpi_name);
  // The kernel's own part of this process.
  if (name.contains("linux-vdso"))
    return 0;
  auto &text = *static_cast<std::string *>(list);
  if (StringRef id = buildIDOf(*object); !id.empty()) {
    text += toHex(id) + "\n";
    return 0;
  }
  std::string path = name.empty() ? "/proc/self/exe" : name.str();
  struct stat info = {};
  stat(path.c_str(), &info);
  text += path + " " + std::to_string(info.st_size) + " " +
          std::to_string(info.st_mtim.tv_sec) + "." +
          std::to_string(info.st_mtim.tv_nsec) + "\n";
  return 0;
}

} // namespace

const std::string &identityOfThisCode() {
  static const std::string identity = [] {
    std::string list;
    dl_iterate_phdr(addIdentity, &list);
    return list;
  }();
  return identity;
}

} // namespace xcc
