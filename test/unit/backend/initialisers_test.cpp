// What of a linked unit's initialisers is left to run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link/Initialisers.h"
#include "xcc/abi.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace xcc;
using namespace llvm;

namespace {

/// A linked unit for the CPU device, with a kernel "kernel" that uses @x, before
/// and after makeInitialisers.
class Unit {
public:
  explicit Unit(const std::string &text) {
    SMDiagnostic wrong;
    module = parseAssemblyString(R"(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@x = global i32 0
declare void @outside()
declare i32 @__cxa_atexit(ptr, ptr, ptr)
define void @kernel(ptr %k) {
  %v = load i32, ptr @x
  store i32 %v, ptr %k
  ret void
}
)" + text,
                                 wrong, context);
    if (!module) {
      wrong.print("initialisers_test", errs());
      return;
    }
    Kernel kernel;
    kernel.symbol = kernel.irName = "kernel";
    kernels.push_back(kernel);
    makeInitialisers(*module, cpuTarget(), kernels);
    EXPECT_FALSE(verifyModule(*module, &errs()));
  }

  /// The functions that a kernel of the link's own calls, in their order.
  std::string calls(StringRef kernel) const {
    std::string names;
    if (const Function *function = module->getFunction(kernel))
      for (const Instruction &inst : instructions(*function))
        if (const auto *call = dyn_cast<CallInst>(&inst))
          names += (names.empty() ? "" : " ") +
                   call->getCalledFunction()->getName().str();
    return names;
  }
  std::string atInit() const { return calls(XCC_SYMBOL_INIT); }
  std::string atExit() const { return calls(XCC_SYMBOL_FINI); }
  uint64_t value(StringRef variable) const {
    const GlobalVariable *global = module->getGlobalVariable(variable, true);
    return global->getInitializer()->getUniqueInteger().getZExtValue();
  }
  bool has(StringRef name) const { return module->getNamedValue(name); }

  KernelTable kernels;

private:
  LLVMContext context;
  std::unique_ptr<Module> module;
};

/// The list of constructors or destructors, with their priorities.
std::string list(StringRef name,
                 std::initializer_list<std::pair<int, const char *>> entries) {
  std::string text;
  for (auto [priority, function] : entries)
    text += (text.empty() ? "" : ", ") +
            std::string("{ i32, ptr, ptr } { i32 ") + std::to_string(priority) +
            ", ptr @" + function + ", ptr null }";
  return ("@llvm.global_" + name + " = appending global [").str() +
         std::to_string(entries.size()) + " x { i32, ptr, ptr }] [" + text +
         "]\n";
}

/// An initialiser that nothing can compute here, which writes a variable.
std::string runs(StringRef name, StringRef variable) {
  return ("define internal void @" + name + "() {\n  call void @outside()\n" +
          "  store i32 5, ptr @" + variable + "\n  ret void\n}\n")
      .str();
}

} // namespace

TEST(Initialisers, NoneMakeNoKernel) {
  Unit unit("");
  EXPECT_EQ(unit.kernels.size(), 1u);
  EXPECT_FALSE(unit.has(XCC_SYMBOL_INIT));
}

TEST(Initialisers, WhatCanBeComputedIsAValue) {
  Unit unit(list("ctors", {{65535, "made"}}) + R"(
define internal i32 @seven() {
  ret i32 7
}
define internal void @made() {
  %v = call i32 @seven()
  store i32 %v, ptr @x
  ret void
}
)");
  EXPECT_EQ(unit.value("x"), 7u);
  EXPECT_EQ(unit.kernels.size(), 1u);
  EXPECT_FALSE(unit.has("llvm.global_ctors"));
}

TEST(Initialisers, OthersRunByPriorityAndThenInOrder) {
  Unit unit(list("ctors", {{65535, "b"}, {65535, "c"}, {101, "a"}}) +
            runs("a", "x") + runs("b", "x") + runs("c", "x"));
  EXPECT_EQ(unit.atInit(), "a b c");
  ASSERT_EQ(unit.kernels.size(), 2u);
  EXPECT_EQ(unit.kernels.back().symbol, XCC_SYMBOL_INIT);
  EXPECT_EQ(unit.kernels.back().maxThreads, 1u);
}

TEST(Initialisers, BehindOneThatRunsNothingIsComputed) {
  Unit unit(list("ctors", {{1, "first"}, {2, "second"}, {3, "third"}}) +
            runs("second", "x") + R"(
define internal void @first() {
  store i32 1, ptr @x
  ret void
}
define internal void @third() {
  %v = load i32, ptr @x
  %w = add i32 %v, 1
  store i32 %w, ptr @x
  ret void
}
)");
  EXPECT_EQ(unit.value("x"), 1u);
  EXPECT_EQ(unit.atInit(), "second third");
}

TEST(Initialisers, WhatNoKernelNeedsGoes) {
  // y is for x's sake.
  Unit unit("@y = global i32 0\n@z = global i32 0\n" +
            list("ctors", {{1, "forY"}, {2, "forX"}, {3, "forZ"}}) +
            runs("forY", "y") + runs("forZ", "z") + R"(
define internal void @forX() {
  call void @outside()
  %v = load i32, ptr @y
  store i32 %v, ptr @x
  ret void
}
)");
  EXPECT_EQ(unit.atInit(), "forY forX");
}

TEST(Initialisers, AUnitsFunctionIsTakenApart) {
  Unit unit("@z = global i32 0\n" + list("ctors", {{65535, "whole"}}) +
            runs("one", "x") + runs("two", "z") + runs("three", "x") + R"(
define internal void @whole() {
  call void @one()
  call void @two()
  call void @three()
  ret void
}
)");
  EXPECT_EQ(unit.atInit(), "one three");
}

TEST(Initialisers, DestructorsThatDoNothingAreNotRegistered) {
  Unit unit(list("ctors", {{1, "made"}}) + R"(
define internal void @idle(ptr %object) {
  %local = alloca i32
  store i32 1, ptr %local
  ret void
}
define internal void @made() {
  store i32 3, ptr @x
  %r = call i32 @__cxa_atexit(ptr @idle, ptr @x, ptr null)
  ret void
}
)");
  EXPECT_EQ(unit.value("x"), 3u);
  EXPECT_EQ(unit.kernels.size(), 1u);
}

TEST(Initialisers, OtherDestructorsRunAtTheEnd) {
  Unit unit(list("ctors", {{1, "made"}}) +
            list("dtors", {{1, "early"}, {2, "late"}}) + runs("early", "x") +
            runs("late", "x") + R"(
define internal void @ends(ptr %object) {
  store i32 0, ptr %object
  ret void
}
define internal void @made() {
  store i32 3, ptr @x
  %r = call i32 @__cxa_atexit(ptr @ends, ptr @x, ptr null)
  ret void
}
)");
  EXPECT_EQ(unit.atInit(), "made");
  EXPECT_EQ(unit.atExit(), XCC_SYMBOL_RUN_EXITS " late early");
  EXPECT_EQ(unit.kernels.size(), 3u);
}

TEST(Initialisers, TheFirstOfSeveralUnitsMakesAnInlineVariable) {
  // Its guard has eight bytes, of which the first says whether it is made.
  Unit unit("@_ZGVx = linkonce_odr global i64 0\n" +
            list("ctors", {{1, "one"}, {1, "other"}}) + R"(
define internal void @one() {
  %made = load i8, ptr @_ZGVx
  %fresh = icmp eq i8 %made, 0
  br i1 %fresh, label %make, label %end
make:
  store i8 1, ptr @_ZGVx
  %v = load i32, ptr @x
  %w = add i32 %v, 4
  store i32 %w, ptr @x
  br label %end
end:
  ret void
}
define internal void @other() {
  call void @one()
  ret void
}
)");
  EXPECT_EQ(unit.value("x"), 4u);
  EXPECT_EQ(unit.kernels.size(), 1u);
}
