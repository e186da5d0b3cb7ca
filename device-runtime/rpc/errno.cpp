// errno
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One for all threads of a GPU, which have no memory of their own that would
// outlive a function: it says what failed last, somewhere.

namespace {
int last;
}

extern "C" [[gnu::weak]] int *__errno_location() noexcept { return &last; }
