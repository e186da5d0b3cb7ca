// Whether a device may run what it reaches, and generating that
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_WALK_REACHABILITY_H
#define XCC_FRONTEND_KERNELS_WALK_REACHABILITY_H

#include "LinkNotes.h"
#include "kernels/check/RecordLayouts.h"
#include "kernels/host/GeneratedCalls.h"

namespace xcc {

/// Device pass: instantiates the kernels' entries and makes Clang generate
/// them, every exported function, and what they reach. Reports each reachable
/// construct that the target cannot run, with the chain of calls from the
/// launch to it. Fills irName of each kernel; false when nothing is for a
/// device.
/// With `generated`, functions that nothing defines become calls of the host
/// where that can be. With `exports`, all that other units can name is generated
/// too; what is wrong with that goes to `notes`, for the link. Of a program's
/// also main and what runs around it.
/// `layouts` become those of the classes that kernels share with the host.
bool emitReachable(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                   std::vector<FoundKernel> &kernels, const Target &target,
                   GeneratedCalls *generated, bool exports, bool program,
                   LinkNotes &notes, clang::CodeGenerator &codegen,
                   const Warnings &warnings, RecordLayouts &layouts);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_REACHABILITY_H
