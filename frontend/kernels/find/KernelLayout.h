// The kernarg layout of one kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's arguments lie in the kernarg segment like the members of a
// structure: a closure first, then the parameters, each at the next offset that
// its alignment allows. References are stored as addresses. xcc/launch.h packs
// by the same rule.

#ifndef XCC_FRONTEND_KERNELS_FIND_KERNELLAYOUT_H
#define XCC_FRONTEND_KERNELS_FIND_KERNELLAYOUT_H

#include <vector>

namespace clang {
class Sema;
}

namespace xcc {
struct FoundKernel;

/// Fills kernel.info from the kernel's entry: name, place, parameters,
/// captures, sizes. The caller sets symbol and linkage.
void describeKernel(clang::Sema &sema, FoundKernel &kernel);

/// Makes names that several kernels share unique: adds parameter types to
/// overloads and generic lambdas, and places to lambdas of one function.
void makeNamesDiffer(std::vector<FoundKernel> &kernels);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_KERNELLAYOUT_H
