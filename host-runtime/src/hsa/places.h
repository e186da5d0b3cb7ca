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
  } In = Pageable;
  Gpu *Owner = nullptr; ///< of device memory
  void *Base = nullptr; ///< where the allocation begins
};

/// False when memory ran out.
[[nodiscard]] bool rememberPlace(void *Base, size_t Bytes, Place::Kind In,
                                 Gpu &Owner);
void forgetPlace(void *Base);
Place placeOf(const void *Address);
/// Lets a GPU see another one's allocation. False when it cannot.
bool allowAccess(const Place &Memory, Gpu &For);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_PLACES_H
