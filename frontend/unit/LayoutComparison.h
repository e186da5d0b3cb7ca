// Compares the layouts of host and device passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_LAYOUTCOMPARISON_H
#define XCC_FRONTEND_UNIT_LAYOUTCOMPARISON_H

#include "DiagnosticLog.h"
#include "Kernel.h"
#include "kernels/check/RecordLayouts.h"

namespace xcc {

/// The layouts of one pass.
struct PassLayouts {
  const KernelTable &kernels;
  const RecordLayouts &records; ///< of classes that kernels may share
};

/// Compares every kernel, and every class whose host objects a kernel may be
/// given. If they differ, a header gave the passes different code. Returns
/// false after a message.
bool sameLayouts(const PassLayouts &host, const PassLayouts &device,
                 DiagnosticLog &log);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_LAYOUTCOMPARISON_H
