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
/// optimised yet, with its llvm_offload_entries record. Replaces every name of
/// a kernel by the descriptor: the address of an object_kernel specialization,
/// and a function passed to a parameter marked XCC_KERNEL. With `hasDeviceCode`
/// the object needs a symbol that only the device link defines. Kernels in
/// `pointedTo` get a second record, by which their functions' addresses lead to
/// them.
///
/// \returns the kernels that the module names and `kernels` lacks, in words for
/// the user: they are in code that the front end did not see.
std::vector<std::string> lowerHostKernels(llvm::Module &module,
                                          const KernelTable &kernels,
                                          const llvm::StringSet<> &pointedTo,
                                          bool hasDeviceCode);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HOSTLOWERING_H
