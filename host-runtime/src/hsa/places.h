// What memory an address is in
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy engines reach memory that the HSA runtime knows: a GPU's own, and pinned
// host memory. This is a table of what our GPUs allocated; other addresses are
// looked up in the library, and any it does not know are the host's.

#ifndef XCC_SRC_HSA_PLACES_H
#define XCC_SRC_HSA_PLACES_H

#include "gpu.h"

namespace xcc::rt::hsa {

struct Place {
  enum Kind : uint8_t {
    Pageable, ///< memory of the process
    Pinned,   ///< host memory that every GPU sees
    Device
  } in = Pageable;
  Gpu *owner = nullptr; ///< of device memory
  void *base = nullptr; ///< where the allocation begins
};

/// False when memory ran out.
[[nodiscard]] bool rememberPlace(void *base, size_t bytes, Place::Kind in,
                                 Gpu &owner);
void forgetPlace(void *base);
Place placeOf(const void *address);
/// Lets a GPU see another one's allocation. False when it cannot.
bool allowAccess(const Place &memory, Gpu &user);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_PLACES_H
