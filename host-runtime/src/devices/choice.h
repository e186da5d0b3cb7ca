// Which device a program uses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If XCC_DEVICE names a device, the program uses that device or gets an error.
// "sim:sm_90" names a simulated device (simulator.h); then only the host is
// available in addition. Without XCC_DEVICE, the first GPU that has an image of
// every linked unit is used, else the host. A GPU API that is missing or broken
// is skipped silently unless XCC_DEVICE names it; XCC_LOG=load
// reports it.

#ifndef XCC_SRC_DEVICES_CHOICE_H
#define XCC_SRC_DEVICES_CHOICE_H

#include "device.h"

#include <string>

namespace xcc::rt {

/// The devices found of one kind.
struct FoundKind {
  const DeviceKind *kind;
  bool asked;        ///< findDevices was called
  xcc_error *broken; ///< why it does not work; null if it does
  int first = 0;     ///< ordinal of the first device
  int count = 0;
};

/// The process's devices, fixed once found.
struct DeviceList {
  std::string wanted; ///< XCC_DEVICE when the list was made
  /// The archs that XCC_DEVICE wants simulated; may be empty.
  std::vector<std::string> simulated;
  std::vector<FoundKind> kinds;
  std::vector<Device *> devices; ///< by ordinal
};

/// Finds the devices that this program could use. May throw std::bad_alloc.
void findDevices(DeviceList &out);

/// Checks XCC_DEVICE. Returns an error, which the caller owns, if no machine
/// has such a device; else null.
xcc_error *checkRequested(const DeviceList &list);

/// Chooses the device of threads that have set none. Returns an error, which
/// the caller owns, if there is none.
xcc_error *chooseDevice(const DeviceList &list, int &ordinal);

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_CHOICE_H
