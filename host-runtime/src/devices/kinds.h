// The kinds of devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One entry for each folder that drives a kind of device. Nothing else in the
// runtime names a vendor: a new kind needs a folder and a line in kinds.cpp.

#ifndef XCC_SRC_DEVICES_KINDS_H
#define XCC_SRC_DEVICES_KINDS_H

#include "process/settings.h"

#include <span>
#include <vector>

namespace xcc::rt {

class Device;

/// The library that replaces a kind's driver where there is no GPU
/// (simulator.h).
struct Simulator {
  const char *library;    ///< its file's name
  const char *archPrefix; ///< of the archs in XCC_DEVICE
  const char *usualArch;  ///< for portable code, which has no arch
};

struct DeviceKind {
  const char *id;           ///< in XCC_DEVICE and device properties
  const char *name;         ///< in sentences: "this machine has no NAME device"
  const char *triplePrefix; ///< of the images that could run there
  /// Adds the machine's devices of this kind, or those of the simulator whose
  /// library \p driver is. Returns null if the API works, even without a
  /// device; else an error, which the caller owns. Prints nothing and throws
  /// only std::bad_alloc.
  xcc_error *(*findDevices)(std::vector<Device *> &out, void *driver);
  std::span<const NumberSetting> settings;
  bool host;                  ///< uses the host's memory; always looked for
  const Simulator *simulator; ///< null if there is none
};

/// All kinds, in the order of ordinals: GPUs first, the host last.
std::span<const DeviceKind> deviceKinds();

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_KINDS_H
