// Results on disk, found by a hash of all their inputs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResultCache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <cstring>
#include <link.h>
#include <sys/stat.h>

using namespace llvm;

namespace xcc {

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
  return {rt::CachePlace::fromEnvironment(), true};
}

ResultCache::ResultCache(const CacheSettings &settings)
    : place([&] {
        rt::CachePlace wanted = settings;
        if (!settings.on)
          wanted.limit = 0;
        return wanted;
      }()) {}

std::unique_ptr<MemoryBuffer> ResultCache::find(const CacheKey &key,
                                                bool counted) {
  if (!isUsed())
    return nullptr;
  std::vector<char> bytes;
  bool there = place.find(key.text(), bytes);
  if (counted)
    ++(there ? found : lacking);
  if (!there)
    return nullptr;
  return MemoryBuffer::getMemBufferCopy(StringRef(bytes.data(), bytes.size()));
}

void ResultCache::store(const CacheKey &key, StringRef result) {
  place.store(key.text(), rt::Bytes(result.data(), result.size()));
}

//===----------------------------------------------------------------------===//
// The identity of the code that runs
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
