// Streams that a failed kernel left locked
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that fails within fprintf(file, "%s", bad) leaves the file locked.
// The next thread that prints to it would wait forever.

#ifndef XCC_SRC_CPU_FAULTS_STDIO_LOCKS_H
#define XCC_SRC_CPU_FAULTS_STDIO_LOCKS_H

namespace xcc::rt::cpu {

/// Unlocks the streams of stdio that the calling thread holds.
void unlockStreams();

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_STDIO_LOCKS_H
