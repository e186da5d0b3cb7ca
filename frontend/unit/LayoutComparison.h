// Whether host and device passes saw the same layouts
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_LAYOUTCOMPARISON_H
#define XCC_FRONTEND_UNIT_LAYOUTCOMPARISON_H

#include "DiagnosticLog.h"
#include "Kernel.h"
#include "kernels/check/RecordLayouts.h"

namespace xcc {

/// What one pass saw.
struct PassLayouts {
  const KernelTable &kernels;
  const RecordLayouts &records; ///< of classes that kernels may share
};

/// The passes must agree on every kernel, and on every class of which a kernel
/// may be given the host's objects. Where they do not, a header gave them
/// different code. Returns false after a message.
bool sameLayouts(const PassLayouts &host, const PassLayouts &device,
                 DiagnosticLog &log);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_LAYOUTCOMPARISON_H
