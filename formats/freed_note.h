// Stack notes of device code that frees memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the CPU device the C library ends a kernel that frees memory twice, and
// does not report the address. So each call that frees memory puts a note on
// the stack, which the handler of SIGABRT looks for:
//
//     +0  XCC_FREED_NOTE
//     +8  the address to free

#ifndef XCC_FORMATS_FREED_NOTE_H
#define XCC_FORMATS_FREED_NOTE_H

/// A number that does not occur on a stack by chance.
#define XCC_FREED_NOTE 0x9c5f3e8641d7b2a3

#endif // XCC_FORMATS_FREED_NOTE_H
