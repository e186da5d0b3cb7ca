// Objects that were copied back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A caller visits the objects of a launch before the launch is made. The launch
// may first wait for kernels in flight. Memory that is copied back then may
// change objects that the visitor has seen: a kernel may swap two vectors, for
// example. Then the visitor must visit them again.

#ifndef XCC_SRC_MAPPING_RETURNED_H
#define XCC_SRC_MAPPING_RETURNED_H

#include "mapping/present.h"

namespace xcc::rt {

/// How many objects were copied back so far, from all devices. Needs no lock.
uint64_t objectsReturned();
/// Records that an entry with addresses is copied back. Call it under
/// mappingMutex.
void noteReturned(const Entry &e);
/// Was any object that the mapping names copied back since it was visited? Call
/// it under mappingMutex.
bool hasOutdatedObjects(const xcc_mapping &m);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_RETURNED_H
