// Notes about freed memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With these notes (formats/freed_note.h), an error can name the object whose
// memory is freed twice.

#ifndef XCC_BACKEND_TARGETS_CPU_FREED_NOTES_H
#define XCC_BACKEND_TARGETS_CPU_FREED_NOTES_H

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::cpu {

/// Makes kernels call the host's free() and operator delete through a function
/// that leaves the note. It runs after optimisation, which treats these
/// functions specially. Sanitized code needs no notes: the sanitizer reports
/// such errors itself.
void noteFreed(llvm::Module &module);

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_FREED_NOTES_H
