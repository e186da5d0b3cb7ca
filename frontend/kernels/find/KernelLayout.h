// The kernarg layout of one kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's arguments lie in the kernarg segment like the members of a
// structure: a closure first, then the parameters, each at the next offset
// its alignment allows; references as addresses. xcc/launch.h packs by the
// same rule.

#ifndef XCC_FRONTEND_KERNELS_FIND_KERNELLAYOUT_H
#define XCC_FRONTEND_KERNELS_FIND_KERNELLAYOUT_H

#include <vector>

namespace clang {
class Sema;
}

namespace xcc {
struct FoundKernel;

/// Fills kernel.info from its entry: name, place, parameters, captures, sizes.
/// Leaves symbol and linkage to the caller.
void describeKernel(clang::Sema &sema, FoundKernel &kernel);

/// Lengthens the names that several of the kernels have: overloads and generic
/// lambdas by their parameters, the lambdas of one function by their place.
void makeNamesDiffer(std::vector<FoundKernel> &kernels);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_KERNELLAYOUT_H
