// The linked units of the process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every program and library with device code hands in its record before main or
// while it is loaded. The list answers what the choice of a device asks: which
// images does this process hold, and which device could run all of it?

#ifndef XCC_SRC_IMAGES_UNITS_H
#define XCC_SRC_IMAGES_UNITS_H

#include "devices/device.h"

#include <functional>
#include <string>

namespace xcc::rt {

/// The bytes of the unit's .llvm.offloading section.
Bytes sectionOf(const xcc_binary &unit);

/// Puts a unit on the list; harmless when it is there.
void rememberUnit(xcc_binary &unit);
/// Takes a unit off the list; harmless when it is not there.
void forgetUnit(xcc_binary &unit);

/// Calls \p visit for each unit on the list. It may not change the list.
void visitUnits(const std::function<void(xcc_binary &)> &visit);

/// Does some unit hold an image whose triple begins so?
bool programHolds(const char *triplePrefix);

/// Can the device run an image of every unit that holds any? Units whose images
/// cannot be read do not count: their launch says what is wrong.
bool suitsEveryUnit(Device &d);

/// Why code for some device is not generated from a portable image, with what
/// to do; null where nothing hinders it.
const char *whyNotGenerated(std::span<Device *const> devices);

/// The archs of all images, each once, and what the devices lack for them:
/// "native:zen4 (needs avx512f), sm_90"; "" without images.
std::string archsHeld(std::span<Device *const> devices);

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_UNITS_H
