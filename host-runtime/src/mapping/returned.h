// Objects that were copied back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A caller visits the objects of a launch before the launch is made. Kernels in
// flight may have to end before it can be made, and what comes back then may
// change objects that the visitor has seen: a kernel swaps two vectors, say. The
// visitor has to look again.

#ifndef XCC_SRC_MAPPING_RETURNED_H
#define XCC_SRC_MAPPING_RETURNED_H

#include "mapping/present.h"

namespace xcc::rt {

/// How many objects were copied back so far, from all devices. Needs no lock.
uint64_t objectsReturned();
/// Notes that an entry that holds addresses is copied back. Under mappingMutex.
void noteReturned(const Entry &e);
/// Was any object that the mapping names copied back since it was visited?
/// Under mappingMutex.
bool sawOlderObjects(const xcc_mapping &m);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_RETURNED_H
