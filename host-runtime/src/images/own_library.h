// Opening xcc's own libraries on demand
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_IMAGES_OWN_LIBRARY_H
#define XCC_IMAGES_OWN_LIBRARY_H

#include "xcc/abi.h"
#include <atomic>
#include <dlfcn.h>
#include <string>

namespace xcc::rt {

/// Opens the library at a path, permanently, and stores in \p functions what its
/// entry gives for a version of the interface. Returns the error, or empty text.
template <class Functions>
std::string openOwnLibrary(const char *path, const char *entryName,
                           uint32_t version,
                           std::atomic<const Functions *> &functions) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    const char *why = dlerror();
    return why ? why : std::string("cannot open ") + path;
  }
  auto entry = reinterpret_cast<const Functions *(*)(uint32_t)>(
      dlsym(handle, entryName));
  const Functions *found = entry ? entry(version) : nullptr;
  if (!found || found->version != version ||
      found->abi_version != XCC_ABI_VERSION)
    return std::string(path) + ": it is of another version of xcc";
  functions.store(found, std::memory_order_release);
  return "";
}

} // namespace xcc::rt

#endif // XCC_IMAGES_OWN_LIBRARY_H
