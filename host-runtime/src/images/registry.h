// From a linked unit to a loaded kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A descriptor names its unit, the unit holds images, one of them suits the
// device best and is loaded there at the unit's first launch. Afterwards a
// launch reads one slot of the descriptor and never comes here.

#ifndef XCC_SRC_IMAGES_REGISTRY_H
#define XCC_SRC_IMAGES_REGISTRY_H

#include "devices/context.h"

namespace xcc::rt {

/// Is this a descriptor the compiler wrote, for this runtime?
xcc_status checkDescriptor(const xcc_kernel_info *info);

/// The kernel of a checked descriptor on a device, loading what is needed.
/// Writes the descriptor's slot.
[[gnu::cold]] xcc_status loadKernel(const xcc_kernel_info &info, Device &on,
                                    const Kernel **out);

/// Has the program what variants of the kernel are made out of, and may there be
/// any?
xcc_status checkVaries(const xcc_kernel_info &info, Device &on);

/// Could there be a variant of the kernel on the device? Opens the generator.
bool canVary(const xcc_kernel_info &info, Device &on);

/// Remembers an address within an image of the descriptor's unit as memory of
/// the device, until the image goes. False when memory ran out.
[[nodiscard]] bool rememberVariable(const xcc_kernel_info &info, Device &on,
                                    void *address, size_t size);

/// While the process ends: enqueues the destructors of all images on a device;
/// false when there are none.
bool beginDestructors(Device &on);
/// Called when they have run. Returns their failure.
void endDestructors(Device &on);

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_REGISTRY_H
