// The mock runs no device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "execution.h"

namespace mock {
Execution *execution() { return nullptr; }
} // namespace mock
