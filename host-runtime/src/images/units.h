// The linked units of the process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every program and library with device code registers its record, before main
// or when it is loaded. The choice of a device uses the list: which images does
// this process hold, and which device could run all of them?

#ifndef XCC_SRC_IMAGES_UNITS_H
#define XCC_SRC_IMAGES_UNITS_H

#include "devices/device.h"

#include <functional>
#include <string>

namespace xcc::rt {

/// The bytes of the unit's .llvm.offloading section.
Bytes sectionOf(const xcc_binary &unit);

/// Adds a unit to the list; does nothing if it is there.
void rememberUnit(xcc_binary &unit);
/// Removes a unit from the list; does nothing if it is not there.
void forgetUnit(xcc_binary &unit);

/// Calls \p visit for each unit of the list, which it must not change.
void visitUnits(const std::function<void(xcc_binary &)> &visit);

/// Whether a unit holds an image whose triple begins with this prefix.
bool programHolds(const char *triplePrefix);

/// Can the device run an image of every unit that holds any? Ignores units
/// whose images cannot be read: their launch reports the error.
bool runsEveryUnit(Device &d);

/// Why no code can be generated from a portable image for one of the devices,
/// and what to do; null if nothing prevents it.
const char *whyNotGenerated(std::span<Device *const> devices);

/// The archs of all images, each once, with what the devices lack for them:
/// "native:zen4 (needs avx512f), sm_90". Empty without images.
std::string archsHeld(std::span<Device *const> devices);

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_UNITS_H
