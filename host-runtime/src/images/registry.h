// Finding and loading the kernel of a descriptor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A descriptor refers to its unit, and the unit holds images. The image that
// suits the device best is loaded at the unit's first launch. Later launches
// read a slot of the descriptor and do not call this code.

#ifndef XCC_SRC_IMAGES_REGISTRY_H
#define XCC_SRC_IMAGES_REGISTRY_H

#include "devices/context.h"

namespace xcc::rt {

/// Checks that the descriptor was written by the compiler for this runtime.
xcc_status checkDescriptor(const xcc_kernel_info *info);

/// Finds a checked descriptor's kernel on a device, and loads the image if
/// necessary. Writes the descriptor's slot.
[[gnu::cold]] xcc_status loadKernel(const xcc_kernel_info &info, Device &on,
                                    const Kernel **out);

/// Checks that variants of the kernel can be generated: the program has a
/// portable image, and nothing forbids a second copy of the code.
xcc_status checkVaries(const xcc_kernel_info &info, Device &on);

/// Can a variant of the kernel be generated for the device? Opens the
/// generator.
bool canVary(const xcc_kernel_info &info, Device &on);

/// Adds a variable in an image of the descriptor's unit to the table of
/// allocations, until the image is unloaded. Returns false when memory ran out.
[[nodiscard]] bool rememberVariable(const xcc_kernel_info &info, Device &on,
                                    void *address, size_t size);

/// At the end of the process: enqueues the destructors of all images on a
/// device. Returns false if there are none.
bool beginDestructors(Device &on);
/// Waits for these destructors and prints their failures.
void endDestructors(Device &on);

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_REGISTRY_H
