//===-- Invocation.cpp - A GPU's device pass ------------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GPU.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace xcc::gpu {

void adjustInvocation(CompilerInvocation &invocation, llvm::StringRef triple,
                      const GivenOptions &given) {
  TargetOptions &target = invocation.getTargetOpts();
  target.Triple = triple.str();
  target.CPU.clear();
  target.TuneCPU.clear();
  target.ABI.clear();
  target.FPMath.clear();
  target.Features.clear();
  target.FeaturesAsWritten.clear();
  target.FeatureMap.clear();

  LangOptions &lang = invocation.getLangOpts();
  // A GPU has no errno, so that math functions are what they compute.
  lang.MathErrno = false;
  lang.PICLevel = lang.PIE = 0;
  // Until a function's body is known, it may hold a barrier or a shuffle, which
  // must not move to where other threads do not go.
  lang.ConvergentFunctions = true;
  // As compilers for GPUs do: their multiply-add is one operation.
  if (!given.fpContract)
    lang.setDefaultFPContractMode(LangOptions::FPM_FastHonorPragmas);
  lang.Exceptions = lang.CXXExceptions;

  CodeGenOptions &codegen = invocation.getCodeGenOpts();
  codegen.UnwindTables = 0;
  codegen.setFramePointer(CodeGenOptions::FramePointerKind::None);
  codegen.StackRealignment = false;
  codegen.NoPLT = codegen.DirectAccessExternalData = false;
  codegen.StackProtectorGuard.clear();
  codegen.CodeModel.clear();
  codegen.PreferVectorWidth.clear();
  codegen.CFProtectionBranch = codegen.CFProtectionReturn = false;
  codegen.MergeFunctions = false;
  // For a final class Clang compares vtables' addresses instead of calling
  // __dynamic_cast, of two types where variables have a space of their own.
  codegen.AssumeUniqueVTables = false;

  // Warps shuffle by distances too; see xcc/device.h.
  invocation.getPreprocessorOpts().addMacroDef(
      "__XCC_SHUFFLES_BY_DISTANCE__=1");
  invocation.getPreprocessorOpts().addMacroDef("__XCC_SEPARATE_MEMORY__=1");
  // Clang defines these for its own languages; libraries switch on them.
  for (const char *macro : {"__CUDA_ARCH__", "__CUDA__", "__HIP__"})
    invocation.getPreprocessorOpts().addMacroUndef(macro);
}

} // namespace xcc::gpu
