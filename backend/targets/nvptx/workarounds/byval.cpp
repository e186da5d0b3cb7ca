// Parameters that are passed by value
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure comes in registers. Where PTX takes its address, ptxas stores it in
// the function's frame first. Where the function also takes memory from the stack
// at run time (PTX's alloca, __builtin_alloca and arrays of variable length in
// C++), the frame is addressed by a register of its own, and ptxas up to CUDA 13
// stores the structure before it sets that register: it writes to wherever the
// caller's register pointed. libstdc++ prints numbers so, and a stream in a
// kernel ended in an illegal access.
//
// So each function copies what it is passed to a variable of its own, which the
// back end reads with ld.param alone. Most copies are values in registers then.

#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::nvptx {

/// In bytes; what is larger is passed in memory, for which ptxas has twelve
/// registers. The back end copies this much without taking the address.
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
