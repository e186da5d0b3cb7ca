// Which device a program uses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_DEVICE names a device, and then it is that one or an error; "sim:sm_90" is
// a simulated one (simulator.h), beside which there is the host alone. Without it
// the first GPU is taken that has an image of every linked unit, else the host.
// A GPU API that is missing or broken is passed over without a word, unless it
// was asked for; XCC_LOG=load tells.

#ifndef XCC_SRC_DEVICES_CHOICE_H
#define XCC_SRC_DEVICES_CHOICE_H

#include "device.h"

#include <string>

namespace xcc::rt {

/// What was found of one kind.
struct FoundKind {
  const DeviceKind *kind;
  bool asked;        ///< findDevices was called
  xcc_error *broken; ///< why it does not work; null when it does
  int first = 0;     ///< ordinal of the first device
  int count = 0;
};

/// The process's devices, fixed once found.
struct DeviceList {
  std::string wanted; ///< XCC_DEVICE when the list was made
  /// What it asks a simulator for; empty if it asks for none.
  std::vector<std::string> simulated;
  std::vector<FoundKind> kinds;
  std::vector<Device *> devices; ///< by ordinal
};

/// Looks for the devices that this program could use. May throw
/// std::bad_alloc.
void findDevices(DeviceList &out);

/// What XCC_DEVICE says when that is no device of any machine (owned), else
/// null.
xcc_error *checkWanted(const DeviceList &list);

/// The device of threads that have set none, or why there is none (owned).
xcc_error *chooseDevice(const DeviceList &list, int &ordinal);

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_CHOICE_H
