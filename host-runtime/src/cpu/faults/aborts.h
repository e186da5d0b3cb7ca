// Kernels in which the C library calls abort()
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the CPU device use the host's heap. The C library calls abort()
// for memory that is freed twice, or that it never allocated. The runtime
// treats that as a fault, which ends the launch. If the C library holds the
// lock of its heap, the process cannot continue: it names the kernel and ends.

#ifndef XCC_SRC_CPU_FAULTS_ABORTS_H
#define XCC_SRC_CPU_FAULTS_ABORTS_H

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace xcc::rt::cpu {

/// Why abort() was called.
struct AbortReason {
  /// The pointer that device code freed (formats/freed_note.h); 0 if a
  /// library's function freed it.
  uint64_t freed = 0;
  /// The C library's message; empty if something else called abort().
  char text[96] = {};
  /// Does the thread hold the lock of a heap?
  bool heapLocked = false;
  bool ofHeap() const { return text[0] != 0; }
};

/// Call this before any kernel runs.
void prepareForAborts();

/// Is the signal the one that abort() sends to its own thread?
bool isAbort(int signal, const siginfo_t *info);
/// For the signal handler, with its third argument. Takes the message away, so
/// that it is reported once.
AbortReason takeAbortReason(const void *context);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_ABORTS_H
