// Does a kernel allocate or free memory?
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Heap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;

namespace xcc::access {

static bool isOfHeap(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"__xcc_allocate", "__xcc_free", "__xcc_usable_size", "malloc",
              "calloc", "realloc", "reallocarray", "free", "aligned_alloc"},
             true)
      .Cases({"memalign", "posix_memalign", "valloc", "strdup", "strndup",
              "free_sized", "free_aligned_sized"},
             true)
      .StartsWith("_Znw", true)
      .StartsWith("_Zna", true)
      .StartsWith("_Zdl", true)
      .StartsWith("_Zda", true)
      .Default(false);
}

/// Whether a function without a body here may use the heap.
static bool mayUseHeapUnseen(const Function &callee,
                             const TargetLibraryInfo &library) {
  StringRef name = callee.getName();
  LibFunc function;
  if (callee.isIntrinsic() || name.starts_with("__") ||
      library.getLibFunc(callee, function))
    return false;
  // A throw ends the launch or is caught.
  if (callee.doesNotReturn())
    return false;
  return !callee.getMemoryEffects()
              .getWithoutLoc(IRMemLocation::ArgMem)
              .getWithoutLoc(IRMemLocation::ErrnoMem)
              .doesNotAccessMemory();
}

bool mayUseHeap(const Function &entry) {
  const TargetLibraryInfoImpl functions(entry.getParent()->getTargetTriple());
  const TargetLibraryInfo library(functions);
  SmallPtrSet<const Function *, 32> seen;
  SmallVector<const Function *, 16> work{&entry};
  while (!work.empty()) {
    for (const Instruction &i : instructions(*work.pop_back_val())) {
      const auto *call = dyn_cast<CallBase>(&i);
      if (!call || call->isInlineAsm())
        continue;
      const Function *callee = call->getCalledFunction();
      if (!callee || isOfHeap(callee->getName()))
        return true;
      if (!seen.insert(callee).second)
        continue;
      if (!callee->isDeclaration())
        work.push_back(callee);
      else if (mayUseHeapUnseen(*callee, library))
        return true;
    }
  }
  return false;
}

} // namespace xcc::access
