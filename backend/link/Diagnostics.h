// What LLVM reports while it links and generates
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_DIAGNOSTICS_H
#define XCC_BACKEND_LINK_DIAGNOSTICS_H

#include "targets/Target.h"
#include "llvm/IR/DiagnosticHandler.h"

namespace xcc {

/// Makes errors text: one must fail the link, never the process. Remarks that
/// the options ask for are kept for the user. Both outlive the handler.
std::unique_ptr<llvm::DiagnosticHandler>
collectDiagnostics(std::string &errors, std::vector<std::string> &remarks,
                   const DeviceCodegenOptions &options);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DIAGNOSTICS_H
