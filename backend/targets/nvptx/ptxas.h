// Runs ptxas: a cubin from PTX, and the resources of each kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_PTXAS_H
#define XCC_BACKEND_TARGETS_NVPTX_PTXAS_H

#include "arch.h"
#include "targets/Target.h"
#include <map>
#include <memory>
#include <string>

namespace xcc::nvptx {

/// What ptxas reports about one kernel: stack and spills in bytes for each
/// thread, shared memory in bytes for each block.
struct Usage {
  uint32_t registers = 0, stack = 0, spillStores = 0, spillLoads = 0,
           shared = 0;
};

/// Parses the output of ptxas -v. The keys are the symbols of kernels.
std::map<std::string, Usage> readUsage(llvm::StringRef text);

struct Assembled {
  std::unique_ptr<llvm::MemoryBuffer> cubin; ///< null: no ptxas knows the arch
  std::map<std::string, Usage> usage;
};

/// Runs the first ptxas that knows the arch and the PTX version.
llvm::Expected<Assembled> assemble(llvm::StringRef ptx, llvm::StringRef arch,
                                   const DeviceCodegenOptions &options);

/// The share of a multiprocessor's warps that blocks of that size can fill.
double occupancy(Arch arch, unsigned threads, const Usage &usage);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_PTXAS_H
