// What this process has loaded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loaded.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

using namespace llvm;

namespace xcc {

std::vector<std::string> processLibraries() {
  std::vector<std::string> paths;
  // libc++ where the program is linked with it.
  auto add = [&](const char *name, int flags) {
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL | flags);
    link_map *map = nullptr;
    if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map &&
        *map->l_name)
      paths.push_back(map->l_name);
    if (handle)
      dlclose(handle);
  };
  for (const char *name : {"libc++.so.1", "libc++abi.so.1"})
    add(name, RTLD_NOLOAD);
  for (const char *name : {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1",
                           "libc.so.6", "ld-linux-x86-64.so.2"})
    add(name, 0);
  return paths;
}

LoadedLibrary libraryOf(const void *address) {
  struct Search {
    uintptr_t address;
    LoadedLibrary found;
  } search{reinterpret_cast<uintptr_t>(address), {}};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        auto &search = *static_cast<Search *>(data);
        ArrayRef headers(info->dlpi_phdr, info->dlpi_phnum);
        auto start = [&](const ElfW(Phdr) & header) {
          return info->dlpi_addr + header.p_vaddr;
        };
        if (none_of(headers, [&](const ElfW(Phdr) & header) {
              return header.p_type == PT_LOAD &&
                     search.address - start(header) < header.p_memsz;
            }))
          return 0;
        search.found.path = info->dlpi_name;
        for (const ElfW(Phdr) &header : headers) {
          if (header.p_type != PT_NOTE)
            continue;
          for (uintptr_t at = start(header), end = at + header.p_memsz;
               at + sizeof(ElfW(Nhdr)) <= end;) {
            auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
            auto *name = reinterpret_cast<const char *>(note + 1);
            auto *bytes = reinterpret_cast<const uint8_t *>(
                name + alignTo(note->n_namesz, 4));
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                StringRef(name, 3) == "GNU")
              search.found.buildId =
                  toHex(ArrayRef(bytes, note->n_descsz), true);
            at =
                reinterpret_cast<uintptr_t>(bytes) + alignTo(note->n_descsz, 4);
          }
        }
        return 1;
      },
      &search);
  return search.found;
}

} // namespace xcc
