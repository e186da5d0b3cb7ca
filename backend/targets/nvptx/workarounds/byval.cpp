// Parameters that are passed by value
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures are passed in registers. If PTX code takes the address of such a
// parameter, ptxas stores it in the function's frame first. If the function
// also allocates stack memory at run time (PTX's alloca, __builtin_alloca,
// variable-length arrays in C++), a register of its own addresses the frame.
// Versions of ptxas up to CUDA 13 store the structure before they set that
// register, so they write to the address in the caller's register. libstdc++
// prints numbers in this way, so a stream in a kernel caused an illegal access.
//
// So this copies each parameter to a local variable. The back end reads
// parameters for the copy only with ld.param. Most copies then become values in
// registers.

#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::nvptx {

/// The limit in bytes. The back end copies up to this size without taking the
/// address. Larger structures are passed in memory: ptxas uses twelve registers
/// for parameters.
constexpr uint64_t Most = 64;

static void copy(Argument &argument) {
  Function &function = *argument.getParent();
  Type *type = argument.getParamByValType();
  const DataLayout &layout = function.getDataLayout();
  uint64_t size = layout.getTypeAllocSize(type);
  if (size == 0 || size > Most || argument.use_empty())
    return;
  Align align = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *own = builder.CreateAlloca(type);
  own->setAlignment(align);
  argument.replaceAllUsesWith(own);
  builder.CreateMemCpy(own, align, &argument, align, size);
}

void copyParameters(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() &&
        function.getCallingConv() != CallingConv::PTX_Kernel)
      for (Argument &argument : function.args())
        if (argument.hasByValAttr())
          copy(argument);
}

} // namespace xcc::nvptx
