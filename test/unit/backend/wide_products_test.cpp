// Products of eight 64-bit integers, which LLVM 22 cannot select
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/cpu/wide_products.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <gtest/gtest.h>

using namespace llvm;

/// Of factors that are known to be small.
static const char *const Product = R"(
target triple = "x86_64-pc-linux-gnu"
define <8 x i64> @f(ptr %at, i32 %by) "target-cpu"="CPU" "min-legal-vector-width"="0" {
  %a = zext i32 %by to i64
  %b = load i32, ptr %at, align 4, !range !0
  %c = zext i32 %b to i64
  %d = mul i64 %a, %c
  %e = insertelement <8 x i64> zeroinitializer, i64 %d, i64 0
  %f = shufflevector <8 x i64> %e, <8 x i64> zeroinitializer, <8 x i32> zeroinitializer
  %g = mul <8 x i64> %f, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  ret <8 x i64> %g
}
!0 = !{i32 1, i32 1025}
)";

static std::string assemblyFor(const std::string &cpu) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  std::string text = Product, error;
  text.replace(text.find("CPU"), 3, cpu);
  LLVMContext context;
  SMDiagnostic diagnostic;
  auto module = parseAssemblyString(text, diagnostic, context);
  if (!module)
    return diagnostic.getMessage().str();
  const Triple triple("x86_64-pc-linux-gnu");
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, "", "", TargetOptions(), std::nullopt));
  module->setDataLayout(machine->createDataLayout());
  xcc::cpu::allowWideProducts(*module, *machine);
  SmallString<0> out;
  raw_svector_ostream os(out);
  legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, os, nullptr,
                                            CodeGenFileType::AssemblyFile));
  passes.run(*module);
  return std::string(out);
}

TEST(WideProducts, AreSelectedWhereVectorsOf256BitsArePreferred) {
  for (const char *cpu : {"cannonlake", "icelake-server", "sapphirerapids"})
    EXPECT_NE(assemblyFor(cpu).find("%zmm"), std::string::npos) << cpu;
}

TEST(WideProducts, AreAsTheyWereElsewhere) {
  for (const char *cpu : {"skylake-avx512", "x86-64-v3", "arrowlake"})
    EXPECT_EQ(assemblyFor(cpu).find("%zmm"), std::string::npos) << cpu;
}
