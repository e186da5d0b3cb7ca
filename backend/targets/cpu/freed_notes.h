// Notes of what is freed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// formats/freed_note.h: so that an error can name the object of which memory is
// freed twice.

#ifndef XCC_BACKEND_TARGETS_CPU_FREED_NOTES_H
#define XCC_BACKEND_TARGETS_CPU_FREED_NOTES_H

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::cpu {

/// Has kernels call the host's free() and operator delete through a function that
/// leaves the note. After optimisation, which knows what these do. A sanitizer
/// says it all itself.
void noteFreed(llvm::Module &module);

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_FREED_NOTES_H
