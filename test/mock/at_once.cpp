// Work of the mocks begins at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lateness.h"

namespace mock {
Begins workBegins() { return Begins::AtOnce; }
unsigned throwDice(unsigned) { return 0; }
void watchPending(bool (*)()) {}
} // namespace mock
