// Dependencies between queues
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_DEPENDENCIES_H
#define XCC_SRC_MAPPING_DEPENDENCIES_H

#include "mapping/present.h"

namespace xcc::rt {

using Dependency = MappedMemory::Dependency;

/// Remembers a dependency, and removes useless ones. Call it under the lock;
/// may throw std::bad_alloc.
void remember(MappedMemory &memory, const Dependency &d);

/// Takes out a dependency that a wait for the queue (null: any) up to its
/// mapped launch \p upTo settles. Returns false if there is none.
bool takeDependency(MappedMemory &memory, const Queue *queue, uint64_t upTo,
                    Dependency &out);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_DEPENDENCIES_H
