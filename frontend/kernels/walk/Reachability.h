// Checks and generates all device code that kernels reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_WALK_REACHABILITY_H
#define XCC_FRONTEND_KERNELS_WALK_REACHABILITY_H

#include "LinkNotes.h"
#include "kernels/check/RecordLayouts.h"
#include "kernels/host/GeneratedCalls.h"

namespace xcc {

/// Device pass: instantiates the kernels' entries, and makes Clang generate
/// them, every exported function, and all code that these reach. Reports each
/// reachable construct that the target cannot run, with the chain of calls from
/// the launch. Sets `body` of each kernel. Returns false if there is nothing
/// for a device.
///
/// With `generated`, functions without a definition become calls of the host if
/// they can. With `exports`, everything that other units can name is generated
/// too; its faults go to `notes`, for the link. `program` adds main and what
/// runs around it. Sets `layouts` to those of the classes that kernels share
/// with the host.
bool emitReachable(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                   std::vector<FoundKernel> &kernels, const Target &target,
                   GeneratedCalls *generated, bool exports, bool program,
                   LinkNotes &notes, clang::CodeGenerator &codegen,
                   const Warnings &warnings, RecordLayouts &layouts);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_REACHABILITY_H
