// Kernel descriptors in the host module
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_HOSTLOWERING_H
#define XCC_FRONTEND_UNIT_HOSTLOWERING_H

#include "Kernel.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace xcc {

/// Writes a constant descriptor for each kernel into a host module that is not
/// optimised yet, with its llvm_offload_entries record, and makes every place
/// that names a kernel refer to it: the address of an object_kernel
/// specialization, and a function passed to a parameter marked XCC_KERNEL.
/// Returns the kernels that the module names and the table lacks, in words for
/// the user: code that the front end did not see. With device code the object
/// demands of its link what the device link makes. Kernels in `pointedTo` are
/// found by their functions' addresses, too, in records of their own.
std::vector<std::string> lowerHostKernels(llvm::Module &module,
                                          const KernelTable &kernels,
                                          const llvm::StringSet<> &pointedTo,
                                          bool hasDeviceCode);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HOSTLOWERING_H
