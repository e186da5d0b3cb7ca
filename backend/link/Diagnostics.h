// Collects LLVM's diagnostics of linking and code generation
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_DIAGNOSTICS_H
#define XCC_BACKEND_LINK_DIAGNOSTICS_H

#include "targets/Target.h"
#include "llvm/IR/DiagnosticHandler.h"

namespace xcc {

/// Makes a handler that collects errors as text, so that they fail the link and
/// not the process. It keeps remarks that the options request. \p errors and \p
/// remarks must outlive it.
std::unique_ptr<llvm::DiagnosticHandler>
collectDiagnostics(std::string &errors, std::vector<std::string> &remarks,
                   const DeviceCodegenOptions &options);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DIAGNOSTICS_H
