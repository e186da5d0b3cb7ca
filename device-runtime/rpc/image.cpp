// Variables that the runtime writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link keeps the names of those that an image uses, and treats their
// values as unknown.

#include "rpc/services/image.h"

extern "C" {
[[gnu::visibility("protected")]] volatile xcc_rpc_image __xcc_rpc = {};
[[gnu::visibility("protected")]] xcc_trap_record *volatile __xcc_trap_report =
    nullptr;
}
