// What a record of llvm_offload_entries is for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FORMATS_ENTRY_FLAGS_H
#define XCC_FORMATS_ENTRY_FLAGS_H

/// OffloadEntry::flags of a record that leads from the address of the host's
/// function to the descriptor of the kernel. Others are 0: each descriptor has
/// one of them.
#define XCC_ENTRY_OF_FUNCTION 1u

#endif // XCC_FORMATS_ENTRY_FLAGS_H
