// Kernels that the C library ends
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the CPU device use the host's heap. The C library calls abort() for
// memory that is freed twice, or that it never gave. As a fault, that ends the
// launch. Where the C library holds the lock of its heap at that time, the
// process cannot go on: it ends, and the kernel is named first.

#ifndef XCC_SRC_CPU_FAULTS_ABORTS_H
#define XCC_SRC_CPU_FAULTS_ABORTS_H

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace xcc::rt::cpu {

/// Why abort() was called.
struct AbortReason {
  /// What device code was to free (formats/freed_note.h); 0: not known, since a
  /// library's function frees it.
  uint64_t freed = 0;
  /// What the C library says; empty when somebody else called abort().
  char text[96] = {};
  /// Does the thread hold the lock of a heap?
  bool heapLocked = false;
  bool ofHeap() const { return text[0] != 0; }
};

/// Before any kernel runs.
void prepareForAborts();

/// Is the signal one that abort() has sent to its own thread?
bool isAbort(int signal, const siginfo_t *info);
/// For the handler of such a signal, of what that was given. A message is taken
/// once.
AbortReason takeAbortReason(const void *context);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_ABORTS_H
