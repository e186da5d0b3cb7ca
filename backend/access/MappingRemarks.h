// Remarks on what launches copy (-foffload-report-mapping)
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_ACCESS_MAPPINGREMARKS_H
#define XCC_BACKEND_ACCESS_MAPPINGREMARKS_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace xcc::access {

/// One line for each object that launches of the kernels give to a device with
/// separate memory: what is copied to the device, what is copied back, and why,
/// by the types and by what the kernels in the images do. If images differ, the
/// line names them.
std::vector<std::string> mappingRemarks(const KernelTable &kernels,
                                        llvm::ArrayRef<DeviceImage> images);

} // namespace xcc::access

#endif // XCC_BACKEND_ACCESS_MAPPINGREMARKS_H
