// Flags of records in llvm_offload_entries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FORMATS_ENTRY_FLAGS_H
#define XCC_FORMATS_ENTRY_FLAGS_H

/// OffloadEntry::flags of a record that maps the address of a host function to
/// the descriptor of its kernel. Other records have flags 0; each descriptor
/// has one of those.
#define XCC_ENTRY_OF_FUNCTION 1u

#endif // XCC_FORMATS_ENTRY_FLAGS_H
