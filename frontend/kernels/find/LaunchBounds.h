// [[xcc::launch_bounds]]
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_FIND_LAUNCHBOUNDS_H
#define XCC_FRONTEND_KERNELS_FIND_LAUNCHBOUNDS_H

#include "Kernel.h"

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace xcc {

/// Reads the launch bounds of a kernel's function or call operator, which may
/// be null, into `kernel`. Reports invalid ones.
void readLaunchBounds(clang::Sema &sema, const clang::FunctionDecl *function,
                      Kernel &kernel);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_LAUNCHBOUNDS_H
