// What launches move, for -foffload-report-mapping
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

/// A remark, as a line, for everything that the launches of the kernels give to
/// a device with memory of its own: what is copied to it, what comes back, and
/// why, by the types and by what the kernels in the images do. Images that
/// differ are named.
std::vector<std::string> mappingRemarks(const KernelTable &kernels,
                                        llvm::ArrayRef<DeviceImage> images);

} // namespace xcc::access

#endif // XCC_BACKEND_ACCESS_MAPPINGREMARKS_H
