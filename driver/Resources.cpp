// The table of resources that kernels use
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Resources.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace xcc {

void printResources(ArrayRef<DeviceImage> images, raw_ostream &os) {
  bool any = false;
  for (const DeviceImage &image : images)
    for (const KernelResources &kernel : image.resources) {
      if (!any)
        os << "arch             regs  sregs  spills  stack  shared  occupancy  "
              "kernel\n";
      any = true;
      os << left_justify(image.arch, 15)
         << format("%6u %6u %7u %6u %7u %9.0f%%  ", kernel.registers,
                   kernel.scalarRegisters,
                   kernel.spillStores + kernel.spillLoads, kernel.stack,
                   kernel.shared, kernel.occupancy * 100)
         << kernel.name << '\n';
    }
  if (any)
    return;
  os << "xcc: note: none of the images says what its kernels use";
  StringRef before = ": ";
  for (const Target *target : allTargets())
    if (StringRef text = target->tellsResources(); !text.empty()) {
      os << before << text;
      before = ", ";
    }
  os << '\n';
}

} // namespace xcc
