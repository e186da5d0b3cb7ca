// Vector versions of mathematical functions, from a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units may differ in whether they allow libmvec, but are optimised together.
// So the calls have the vector versions, instead of an option of the pipeline.
// An image finds libmvec like libm: glibc's libm.so is a linker script that
// names both.

#include "vector_library.h"
#include "targets/Target.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Transforms/Utils/InjectTLIMappings.h"

#include <dlfcn.h>
#include <link.h>

using namespace llvm;

namespace xcc::cpu {

static constexpr StringLiteral Allowed = "xcc-libmvec";

void allowVectorLibrary(Module &module, const GivenOptions &given) {
  if (given.vectorLibrary.empty() ? !given.fastMath
                                  : given.vectorLibrary != "libmvec")
    return;
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(Allowed);
}

void provideVectorLibrary(Module &module) {
  TargetLibraryInfoImpl libraries(module.getTargetTriple(),
                                  VectorLibrary::LIBMVEC);
  FunctionAnalysisManager analyses;
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([&] { return TargetLibraryAnalysis(libraries); });
  // The loop below adds declarations to the module.
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(Allowed))
      functions.push_back(&function);
  for (Function *function : functions) {
    function->removeFnAttr(Allowed);
    InjectTLIMappings().run(*function, analyses);
    // libmvec has tan from glibc 2.35 on, and the other functions from 2.22 on.
    for (Instruction &inst : instructions(*function))
      if (auto *call = dyn_cast<CallInst>(&inst))
        if (const Function *callee = call->getCalledFunction();
            callee &&
            (callee->getIntrinsicID() == Intrinsic::tan ||
             callee->getName() == "tan" || callee->getName() == "tanf"))
          call->removeFnAttr(VFABI::MappingsAttrName);
  }
}

bool wantsVectorLibrary(const Module &module) {
  const TargetLibraryInfoImpl libraries(module.getTargetTriple(),
                                        VectorLibrary::LIBMVEC);
  for (const Function &function : module)
    if (function.hasFnAttribute(Allowed))
      for (const Instruction &inst : instructions(function))
        if (auto *call = dyn_cast<CallInst>(&inst))
          if (const Function *callee = call->getCalledFunction();
              callee && libraries.isFunctionVectorizable(callee->getName()))
            return true;
  return false;
}

std::string vectorLibraryOfProcess() {
  static const std::string path = [] {
    void *library = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL);
    link_map *map = nullptr;
    if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map)
      return std::string();
    return std::string(map->l_name);
  }();
  return path;
}

} // namespace xcc::cpu
