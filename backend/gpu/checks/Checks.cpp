// What no GPU can run, found in optimised code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Uses.h"
#include "gpu/GPU.h"
#include "link/LinkErrors.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace xcc::gpu {

Error checkDefined(const Module &module, const KernelTable &kernels,
                   const DeviceCodegenOptions &options) {
  std::string missing;
  for (const GlobalObject &object : module.global_objects())
    if (isLacking(object))
      missing += describeLacking(object.getName(),
                                 kernelsThatUse(object, kernels), options);
  if (missing.empty())
    return Error::success();
  return createStringError(missing + adviceForLacking());
}

Error checkShared(const Module &module, StringRef arch, uint64_t limit,
                  const KernelTable &kernels) {
  std::string wrong;
  for (const Kernel &kernel : kernels) {
    const Function *entry = module.getFunction(kernel.symbol);
    if (!entry)
      continue;
    uint64_t bytes = 0;
    for (const GlobalObject *object : usedBy(*entry))
      if (const auto *variable = dyn_cast<GlobalVariable>(object);
          variable && variable->getAddressSpace() == SharedAddressSpace)
        bytes =
            alignTo(bytes, variable->getAlign().valueOrOne()) +
            module.getDataLayout().getTypeAllocSize(variable->getValueType());
    if (bytes > limit)
      wrong +=
          formatv("{0}:{1}: kernel '{2}' has {3} bytes of block-shared "
                  "variables, and on {4} a block has {5}\n",
                  kernel.file, kernel.line, kernel.name, bytes, arch, limit)
              .str();
  }
  if (wrong.empty())
    return Error::success();
  return createStringError(wrong + "note: make them smaller, or let the launch "
                                   "ask for memory: xcc::dynamic_shared\n");
}

} // namespace xcc::gpu
