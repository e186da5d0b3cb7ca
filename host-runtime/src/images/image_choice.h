// Which image of a unit suits a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_IMAGES_IMAGE_CHOICE_H
#define XCC_SRC_IMAGES_IMAGE_CHOICE_H

#include "unit_state.h"

namespace xcc::rt {

/// Finds the unit's image for the device, and checks it. Call it under
/// unitMutex.
xcc_status choiceOf(const xcc_binary &unit, UnitState &state, Device &on,
                    const ErrorSite &site, OffloadImage &out);

/// Finds the portable image from which a variant is generated.
xcc_status portableFor(const xcc_binary &unit, const xcc_kernel_info &info,
                       Device &on, const ErrorSite &site, OffloadImage &out);

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_IMAGE_CHOICE_H
