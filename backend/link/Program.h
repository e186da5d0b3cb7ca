// Kernels of a program whose main runs on the device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image of a whole program (-foffload-main) is an ordinary image with three
// kernels, which a loader launches one after the other. _begin calls what C++
// and constructor functions run before main, by priority. _start calls main.
// _end calls the functions of atexit and destructors, in reverse order. Their
// arguments are an xcc_program_arguments (xcc/abi.h).

#ifndef XCC_BACKEND_LINK_PROGRAM_H
#define XCC_BACKEND_LINK_PROGRAM_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace xcc {

/// Adds these kernels to a linked module and to the table. Returns an error if
/// no unit defines main.
llvm::Error makeProgram(llvm::Module &module, const Target &target,
                        KernelTable &kernels);

} // namespace xcc

#endif // XCC_BACKEND_LINK_PROGRAM_H
