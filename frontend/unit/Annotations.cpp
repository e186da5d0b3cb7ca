// Annotations that Clang writes into functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Annotations.h"
#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace xcc {

StringRef annotationOf(const IntrinsicInst &call) {
  StringRef text;
  getConstantStringInfo(call.getArgOperand(1), text);
  return text;
}

void dropSpentAnnotations(Module &module) {
  for (Function &function : module) {
    bool ofMember = function.getIntrinsicID() == Intrinsic::ptr_annotation;
    if (!ofMember && function.getIntrinsicID() != Intrinsic::var_annotation)
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<IntrinsicInst>(user);
      if (!call || annotationOf(*call) != annotation::Specialize)
        continue;
      if (ofMember)
        call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
  }
}

} // namespace xcc
