// Which memory kernels use, in IR that is hard to see through
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "access/KernelAccess.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace xcc;
using namespace llvm;

namespace {

/// What is said of a kernel with that body, which may use %k, the kernarg
/// block. `others` stands beside it.
access::KernelAccess foundInBlock(const std::string &body,
                                  const std::string &others = "") {
  std::string text = R"(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare i32 @__xcc_thread_idx_x() memory(none)
)" + others + "\ndefine void @kernel(ptr %k) {\n" +
                     body + "\n}\n";
  LLVMContext context;
  SMDiagnostic wrong;
  std::unique_ptr<Module> module = parseAssemblyString(text, wrong, context);
  if (!module) {
    wrong.print("access_test", errs());
    return {"not IR", "", ""};
  }
  if (verifyModule(*module, &errs()))
    return {"invalid IR", "", ""};
  Kernel kernel;
  kernel.symbol = "kernel";
  access::KernelAccess found = access::accessOf(
      *module->getFunction("kernel"), kernel, KernelArguments::Segment);
  EXPECT_NE(found.paths.empty(), found.unknown.empty());
  return found;
}
std::string inBlock(const std::string &body, const std::string &others = "") {
  access::KernelAccess found = foundInBlock(body, others);
  return found.paths.empty() ? "unknown" : found.paths;
}

/// A load of the address at 0 as %p and of the one at 8 as %q.
const std::string Two = R"(
  %p = load ptr, ptr %k
  %k8 = getelementptr i8, ptr %k, i64 8
  %q = load ptr, ptr %k8
)";

} // namespace

TEST(KernelAccess, LoadsAndStores) {
  EXPECT_EQ(inBlock("ret void"), "none");
  EXPECT_EQ(inBlock(Two + "ret void"), "none");
  EXPECT_EQ(inBlock(Two + R"(
    %v = load float, ptr %q
    store float %v, ptr %p
    ret void)"),
            "0:w,8:r");
  EXPECT_EQ(inBlock(Two + R"(
    %in = load ptr, ptr %q
    %at = getelementptr i8, ptr %in, i64 -24
    %deep = load ptr, ptr %at
    store float 0.0, ptr %deep
    ret void)"),
            "8:r,8.0:r,8.0.-24:w");
}

TEST(KernelAccess, VariableOffsets) {
  EXPECT_EQ(inBlock(Two + R"(
    %i = call i32 @__xcc_thread_idx_x()
    %at = getelementptr { ptr, ptr, ptr }, ptr %p, i32 %i
    %in = load ptr, ptr %at
    store i32 1, ptr %in
    ret void)"),
            "0:r,0.*:w");
}

TEST(KernelAccess, Loops) {
  // A pointer that walks, and a list.
  EXPECT_EQ(inBlock(Two + R"(
    br label %loop
  loop:
    %at = phi ptr [ %p, %0 ], [ %next, %loop ]
    %in = load ptr, ptr %at
    store i32 1, ptr %in
    %next = getelementptr i8, ptr %at, i64 8
    %done = icmp eq ptr %next, %q
    br i1 %done, label %end, label %loop
  end:
    ret void)"),
            "0:r,0.0:w,0.8:w,0.16:w,0.24:w,0.32:w,0.40:w,0.48:w,0.56:w,0.*:w");
  EXPECT_EQ(inBlock(Two + R"(
    br label %loop
  loop:
    %at = phi ptr [ %p, %0 ], [ %next, %loop ]
    %v = load volatile i32, ptr %at
    %link = getelementptr i8, ptr %at, i64 8
    %next = load ptr, ptr %link
    %done = icmp eq ptr %next, null
    br i1 %done, label %end, label %loop
  end:
    ret void)"),
            "0:r,0.8:r,0.8.8:r,0.8.8.8:r,0.8.8.8.8:r,0.8.8.8.8.8+:r");
}

TEST(KernelAccess, ChoicesAndCasts) {
  EXPECT_EQ(inBlock(Two + R"(
    %i = call i32 @__xcc_thread_idx_x()
    %c = icmp eq i32 %i, 0
    %s = select i1 %c, ptr %p, ptr %q
    %f = freeze ptr %s
    %a = addrspacecast ptr %f to ptr addrspace(1)
    store i32 1, ptr addrspace(1) %a
    ret void)"),
            "0:w,8:w");
}

TEST(KernelAccess, ThroughLocalMemory) {
  EXPECT_EQ(inBlock(Two + R"(
    %box = alloca [2 x ptr]
    store ptr %p, ptr %box
    %second = getelementptr i8, ptr %box, i64 8
    store ptr %q, ptr %second
    %r = load ptr, ptr %second
    store i32 1, ptr %r
    ret void)"),
            "8:w");
  // Somewhere in it.
  EXPECT_EQ(inBlock(Two + R"(
    %box = alloca [2 x ptr]
    store ptr %p, ptr %box
    %second = getelementptr i8, ptr %box, i64 8
    store ptr %q, ptr %second
    %i = call i32 @__xcc_thread_idx_x()
    %at = getelementptr ptr, ptr %box, i32 %i
    %r = load ptr, ptr %at
    store i32 1, ptr %r
    ret void)"),
            "0:w,8:w");
  // A copy of a part of the block, at an odd place.
  EXPECT_EQ(inBlock(R"(
    %box = alloca [32 x i8]
    %to = getelementptr i8, ptr %box, i64 3
    call void @llvm.memcpy(ptr %to, ptr %k, i64 24, i1 false)
    %at = getelementptr i8, ptr %box, i64 11
    %r = load ptr, ptr %at
    store i32 1, ptr %r
    ret void)"),
            "8:w");
  // Packed: the pieces of the copy are not the addresses.
  EXPECT_EQ(inBlock(R"(
    %box = alloca [32 x i8]
    call void @llvm.memcpy(ptr %box, ptr %k, i64 24, i1 false)
    %at = getelementptr i8, ptr %box, i64 4
    %r = load ptr, ptr %at
    store i32 1, ptr %r
    ret void)"),
            "0:w,8:w,*:w");
}

TEST(KernelAccess, WideValues) {
  EXPECT_EQ(inBlock(R"(
    %both = load <2 x ptr>, ptr %k
    %r = extractelement <2 x ptr> %both, i32 1
    store i32 1, ptr %r
    ret void)"),
            "0:w,8:w");
  // An integer of the program's own may be one address of any.
  EXPECT_EQ(inBlock(R"(
    %both = load i128, ptr %k
    %high = lshr i128 %both, 64
    %part = trunc i128 %high to i64
    %r = inttoptr i64 %part to ptr
    store i32 1, ptr %r
    ret void)"),
            "unknown");
  // As a copy of memory it is not turned into one by name.
  EXPECT_EQ(inBlock(R"(
    %box = alloca i128
    %both = load i128, ptr %k
    store i128 %both, ptr %box
    %at = getelementptr i8, ptr %box, i64 8
    %r = load ptr, ptr %at
    store i32 1, ptr %r
    ret void)"),
            "0:w,8:w");
}

TEST(KernelAccess, NumbersThatWereAddresses) {
  EXPECT_EQ(inBlock(Two + R"(
    %n = ptrtoint ptr %p to i64
    %m = and i64 %n, -64
    %r = inttoptr i64 %m to ptr
    store i32 1, ptr %r
    ret void)"),
            "0:w");
  // The distance of two is no address; a sum may be any.
  EXPECT_EQ(inBlock(Two + R"(
    %n = ptrtoint ptr %p to i64
    %m = ptrtoint ptr %q to i64
    %d = sub i64 %m, %n
    %r = getelementptr i8, ptr %p, i64 %d
    store i32 1, ptr %r
    ret void)"),
            "0:w");
  EXPECT_EQ(inBlock(Two + R"(
    %n = ptrtoint ptr %p to i64
    %m = ptrtoint ptr %q to i64
    %x = xor i64 %m, %n
    %y = xor i64 %x, %n
    %r = inttoptr i64 %y to ptr
    store i32 1, ptr %r
    ret void)"),
            "unknown");
  EXPECT_EQ(inBlock(R"(
    %h = load i64, ptr %k
    %r = inttoptr i64 %h to ptr
    store i32 1, ptr %r
    ret void)"),
            "unknown");
  // Counted up to an address.
  EXPECT_EQ(inBlock(Two + R"(
    %end = ptrtoint ptr %p to i64
    br label %loop
  loop:
    %n = phi i64 [ 0, %0 ], [ %m, %loop ]
    %m = add i64 %n, 1
    %done = icmp eq i64 %m, %end
    br i1 %done, label %out, label %loop
  out:
    %r = inttoptr i64 %m to ptr
    store i32 1, ptr %r
    ret void)"),
            "unknown");
}

TEST(KernelAccess, BytesOfAddresses) {
  // Through a local variable.
  EXPECT_EQ(inBlock(R"(
    %box = alloca i64
    %low = load i32, ptr %k
    store i32 %low, ptr %box
    %k4 = getelementptr i8, ptr %k, i64 4
    %b4 = getelementptr i8, ptr %box, i64 4
    %high = load i32, ptr %k4
    store i32 %high, ptr %b4
    %r = load ptr, ptr %box
    store i32 1, ptr %r
    ret void)"),
            "unknown");
  // Through mapped memory, in place.
  EXPECT_EQ(inBlock(Two + R"(
    %p1 = getelementptr i8, ptr %p, i64 8
    %b = load i8, ptr %p1
    store i8 %b, ptr %p
    %r = load ptr, ptr %p
    store i32 1, ptr %r
    ret void)"),
            "unknown");
  // From one to another, which some third address leads to too.
  EXPECT_EQ(inBlock(Two + R"(
    %k16 = getelementptr i8, ptr %k, i64 16
    %third = load ptr, ptr %k16
    %b = load i8, ptr %p
    store i8 %b, ptr %q
    %r = load ptr, ptr %third
    store i32 1, ptr %r
    ret void)"),
            "0:r,8:w,16:r,0.*:w,16.0:w");
}

TEST(KernelAccess, AddressesInMappedMemory) {
  // *p = q; **k16 = 1, where k16 may be p.
  EXPECT_EQ(inBlock(Two + R"(
    store ptr %q, ptr %p
    %k16 = getelementptr i8, ptr %k, i64 16
    %other = load ptr, ptr %k16
    %r = load ptr, ptr %other
    store i32 1, ptr %r
    ret void)"),
            "0:w,8:w,16:r,16.0:w");
  EXPECT_EQ(inBlock(Two + R"(
    call void @llvm.memcpy(ptr %p, ptr %q, i64 24, i1 false)
    %r = load ptr, ptr %p
    store i32 1, ptr %r
    ret void)"),
            "0:rw,8:r,0.0:w,8.*:w");
  EXPECT_EQ(inBlock(Two + R"(
    %old = atomicrmw xchg ptr %p, ptr %q seq_cst
    store i32 1, ptr %old
    %pair = cmpxchg ptr %p, ptr null, ptr %q seq_cst seq_cst
    ret void)"),
            "0:rw,8:w,0.0:w");
}

TEST(KernelAccess, TypesOfAliasing) {
  // A float that is stored is not read as an address, a char may be.
  const std::string types = R"(
!0 = !{!"root"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"float", !1, i64 0}
!3 = !{!"any pointer", !1, i64 0}
!4 = !{!2, !2, i64 0}
!5 = !{!3, !3, i64 0}
!6 = !{!1, !1, i64 0}
)";
  auto body = [&](const std::string &stored) {
    return Two + "%v = load float, ptr %q, !tbaa !" + stored +
           "\n store float %v, ptr %p, !tbaa !" + stored + R"(
    %r = load ptr, ptr %p, !tbaa !5
    store i32 1, ptr %r
    ret void)";
  };
  EXPECT_EQ(inBlock(body("4"), types), "0:rw,8:r,0.0:w");
  EXPECT_EQ(inBlock(body("6"), types), "unknown");
}

TEST(KernelAccess, Globals) {
  EXPECT_EQ(inBlock(Two + "store ptr %p, ptr @g\n ret void",
                    "@g = internal global ptr null"),
            "0+:rw");
  EXPECT_EQ(inBlock("%r = load ptr, ptr @g\n store i32 1, ptr %r\n ret void",
                    "@g = internal global ptr null"),
            "unknown");
  // One that is not changed refers to others.
  EXPECT_EQ(inBlock("%r = load ptr, ptr @g\n store i32 1, ptr %r\n ret void",
                    "@n = internal global i32 0\n"
                    "@g = internal constant ptr @n"),
            "none");
  // What threads of a block share holds what they put there.
  EXPECT_EQ(inBlock(Two + R"(
    store ptr %p, ptr @s
    %r = load ptr, ptr @s
    store i32 1, ptr %r
    ret void)",
                    "@s = internal global ptr poison, section \".xcc.shared\""),
            "0:w");
}

TEST(KernelAccess, Functions) {
  EXPECT_EQ(inBlock(Two + "call void @f(ptr %p, ptr %q)\n ret void", R"(
define internal void @f(ptr %to, ptr %from) noinline {
  %v = load i32, ptr %from
  store i32 %v, ptr %to
  ret void
})"),
            "0:w,8:r");
  // Results, and itself.
  EXPECT_EQ(inBlock(Two + R"(
    %r = call ptr @f(ptr %p, i32 3)
    %v = load volatile i32, ptr %r
    ret void)",
                    R"(
define internal ptr @f(ptr %at, i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %more
more:
  %m = sub i32 %n, 1
  %next = load ptr, ptr %at
  %r = call ptr @f(ptr %next, i32 %m)
  ret ptr %r
end:
  ret ptr %at
})"),
            "0:r,0.0:r,0.0.0:r,0.0.0.0:r,0.0.0.0.0:r,0.0.0.0.0.0+:r");
  // Pointers to functions.
  EXPECT_EQ(inBlock(Two + R"(
    %i = call i32 @__xcc_thread_idx_x()
    %at = getelementptr ptr, ptr @table, i32 %i
    %f = load ptr, ptr %at
    call void %f(ptr %p)
    ret void)",
                    R"(
@table = internal constant [2 x ptr] [ptr @reads, ptr @writes]
define internal void @reads(ptr %at) {
  %v = load volatile i32, ptr %at
  ret void
}
define internal void @writes(ptr %at) {
  store i32 1, ptr %at
  ret void
})"),
            "0:rw");
  EXPECT_EQ(inBlock(Two + "call void %p(ptr %q)\n ret void"), "unknown");
}

TEST(KernelAccess, ValuesPassedAsCopies) {
  EXPECT_EQ(inBlock("call void @f(ptr byval({ ptr, ptr }) %k)\n ret void", R"(
define internal void @f(ptr byval({ ptr, ptr }) %pair) {
  %at = getelementptr i8, ptr %pair, i64 8
  %r = load ptr, ptr %at
  store i32 1, ptr %r
  store ptr null, ptr %pair
  ret void
})"),
            "8:w");
}

TEST(KernelAccess, FunctionsThatAreNotSeen) {
  EXPECT_EQ(
      inBlock(Two + "call void @f(ptr %p)\n ret void", "declare void @f(ptr)"),
      "unknown");
  EXPECT_EQ(inBlock(Two + "call void @f(ptr %p, ptr %q)\n ret void",
                    "declare void @f(ptr readonly captures(none), ptr writeonly"
                    " captures(none)) memory(argmem: readwrite)"),
            "0:r,8:w");
  // It may write what it is given into what it is given.
  EXPECT_EQ(inBlock(Two + R"(
    %box = alloca ptr
    call void @f(ptr %box, ptr %p)
    %r = load ptr, ptr %box
    store i32 1, ptr %r
    ret void)",
                    "declare void @f(ptr, ptr) memory(argmem: readwrite)"),
            "unknown");
  EXPECT_EQ(inBlock(Two + "%n = call i64 @strlen(ptr %p)\n ret void",
                    "declare i64 @strlen(ptr captures(none)) memory(argmem: "
                    "read)"),
            "0:r");
  // Known, but not what it does.
  EXPECT_EQ(inBlock(Two + "%n = call i32 (ptr, ...) @printf(ptr %p, ptr %q)\n "
                          "ret void",
                    "declare i32 @printf(ptr, ...)"),
            "0+:rw,8+:rw");
  EXPECT_EQ(inBlock("%r = call ptr @f()\n store i32 1, ptr %r\n ret void",
                    "declare ptr @f() memory(none)"),
            "unknown");
}

TEST(KernelAccess, LocalMemoryThatOthersKnow) {
  EXPECT_EQ(inBlock(Two + R"(
    %box = alloca ptr
    store ptr %p, ptr %box
    %n = call i32 (ptr, ...) @printf(ptr %box)
    ret void)",
                    "declare i32 @printf(ptr, ...)"),
            "0+:rw");
  EXPECT_EQ(inBlock(Two + R"(
    %box = alloca ptr
    %n = call i32 (ptr, ...) @printf(ptr %box)
    store ptr %p, ptr %box
    ret void)",
                    "declare i32 @printf(ptr, ...)"),
            "0+:rw");
}

TEST(KernelAccess, FunctionsWithNamesThatAreKnown) {
  // The program's own.
  EXPECT_EQ(inBlock(Two + R"(
    store ptr %p, ptr @arena
    %box = call ptr @_Znwm(i64 16)
    store i32 1, ptr %box
    ret void)",
                    R"(
@arena = internal global ptr null
define ptr @_Znwm(i64 %size) {
  %at = load ptr, ptr @arena
  ret ptr %at
})"),
            "unknown");
}

TEST(KernelAccess, IntegersByAnotherName) {
  EXPECT_EQ(inBlock(R"(
    %h = load i64, ptr %k
    %r = getelementptr i8, ptr null, i64 %h
    store i32 1, ptr %r
    ret void)"),
            "unknown");
  EXPECT_EQ(inBlock(R"(
    %pair = call { ptr, i32 } @f()
    %r = extractvalue { ptr, i32 } %pair, 0
    store i32 1, ptr %r
    ret void)",
                    "declare { ptr, i32 } @f() memory(none)"),
            "unknown");
}

TEST(KernelAccess, CallsOfTheHost) {
  EXPECT_EQ(inBlock(Two + R"(
    call void @__xcc_host_call(i64 1, ptr %p, i32 0)
    ret void)",
                    "declare void @__xcc_host_call(i64, ptr, i32)"),
            "unknown");
}

TEST(KernelAccess, Assembly) {
  EXPECT_EQ(inBlock(Two + R"(
    call void asm sideeffect "", "r,~{memory}"(ptr %p)
    ret void)"),
            "0+:rw");
}

TEST(KernelAccess, MemoryOfItsOwn) {
  EXPECT_EQ(inBlock(Two + R"(
    %box = call ptr @malloc(i64 16)
    store ptr %p, ptr %box
    %r = load ptr, ptr %box
    store i32 1, ptr %r
    call void @free(ptr %box)
    ret void)",
                    "declare ptr @malloc(i64)\ndeclare void @free(ptr)"),
            "0:w");
}

TEST(KernelAccess, VariableArguments) {
  EXPECT_EQ(inBlock(Two + R"(
    call void (i32, ...) @f(i32 1, ptr %p)
    ret void)",
                    R"(
define internal void @f(i32 %n, ...) {
  %list = alloca { i32, i32, ptr, ptr }
  call void @llvm.va_start(ptr %list)
  %at = getelementptr i8, ptr %list, i64 16
  %area = load ptr, ptr %at
  %r = load ptr, ptr %area
  store i32 1, ptr %r
  ret void
})"),
            "0:w");
}

TEST(KernelAccess, ValuesOfGPUs) {
  LLVMContext context;
  SMDiagnostic wrong;
  std::unique_ptr<Module> module = parseAssemblyString(R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(i32 %n, ptr %p, ptr byval({ i64, ptr }) %s) {
  %at = getelementptr i8, ptr %s, i64 8
  %q = load ptr, ptr %at
  %v = load float, ptr %p
  store float %v, ptr %q
  ret void
})",
                                                       wrong, context);
  ASSERT_TRUE(module);
  Kernel kernel;
  kernel.symbol = "kernel";
  for (auto [size, offset] : {std::pair(4, 0), {8, 8}, {16, 16}}) {
    KernelParam param;
    param.size = size;
    param.offset = offset;
    kernel.params.push_back(param);
  }
  auto found = access::accessOf(*module->getFunction("kernel"), kernel,
                                KernelArguments::Values);
  EXPECT_EQ(found.paths, "8:r,24:w") << found.unknown;
  kernel.params.pop_back();
  EXPECT_EQ(access::accessOf(*module->getFunction("kernel"), kernel,
                             KernelArguments::Values)
                .paths,
            "");
}

namespace {

/// What a kernel overwrites whose threads know their position, %i, and begin in
/// the block %entry.
std::string overwrittenBy(const std::string &body) {
  std::string positioned = R"(
entry:
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %t = call i32 @__xcc_thread_idx_x()
  %b64 = zext i32 %b to i64
  %d64 = zext i32 %d to i64
  %t64 = zext i32 %t to i64
  %bd = mul i64 %b64, %d64
  %i = add i64 %bd, %t64
  %n.at = getelementptr i8, ptr %k, i64 16
  %n = load i64, ptr %n.at
  %below = icmp ult i64 %i, %n
)";
  return foundInBlock(positioned + Two + body, R"(
declare i32 @__xcc_block_idx_x() memory(none)
declare i32 @__xcc_block_dim_x() memory(none)
declare void @elsewhere()
declare void @known() nounwind willreturn memory(none)
)")
      .overwrites;
}

} // namespace

TEST(KernelAccess, OverwritesElements) {
  const std::string at = "%at = getelementptr float, ptr %p, i64 %i\n",
                    end = "\nend:\n ret void",
                    branch = "br i1 %below, label %do, label %end\ndo:\n";
  EXPECT_EQ(overwrittenBy(at + "store float 0.0, ptr %at\nret void"), "0:4");
  EXPECT_EQ(overwrittenBy(branch + at +
                          "store float 0.0, ptr %at\nbr label %end" + end),
            "0:4@16u8");
  // Threads beyond the limit alone.
  EXPECT_EQ(overwrittenBy("br i1 %below, label %end, label %do\ndo:\n" + at +
                          "store float 0.0, ptr %at\nbr label %end" + end),
            "");
  // On one way, and on both.
  const std::string fork = branch + at + R"(
  %v = load i32, ptr %q
  %c = icmp eq i32 %v, 0
  br i1 %c, label %one, label %other
one:
  store float 0.0, ptr %at
  br label %end
other:
)";
  EXPECT_EQ(overwrittenBy(fork + "br label %end" + end), "");
  EXPECT_EQ(
      overwrittenBy(fork + "store float 1.0, ptr %at\nbr label %end" + end),
      "0:4@16u8");
  EXPECT_EQ(overwrittenBy(fork +
                          "call void @elsewhere() noreturn\nunreachable" + end),
            "");
  EXPECT_EQ(overwrittenBy(fork + "unreachable" + end), "0:4@16u8");
  // Read as well; smaller than the step; of others' positions; volatile.
  EXPECT_EQ(
      overwrittenBy(
          at + "%v = load float, ptr %at\nstore float %v, ptr %at\nret void"),
      "");
  EXPECT_EQ(overwrittenBy(at + "store i16 0, ptr %at\nret void"), "");
  EXPECT_EQ(overwrittenBy(
                at +
                "store i16 0, ptr %at\n%u = getelementptr i8, ptr %at, i64 2\n"
                "store i16 0, ptr %u\nret void"),
            "0:4");
  EXPECT_EQ(overwrittenBy("%at = getelementptr float, ptr %p, i64 %t64\nstore "
                          "float 0.0, ptr %at\nret void"),
            "");
  EXPECT_EQ(overwrittenBy("%at = getelementptr float, ptr %p, i64 %bd\nstore "
                          "float 0.0, ptr %at\nret void"),
            "");
  EXPECT_EQ(
      overwrittenBy(
          "%j = sub i64 %n, %i\n%at = getelementptr float, ptr %p, i64 %j\n"
          "store float 0.0, ptr %at\nret void"),
      "");
  EXPECT_EQ(overwrittenBy(at + "store volatile float 0.0, ptr %at\nret void"),
            "");
  EXPECT_EQ(overwrittenBy(at + "%w = getelementptr i8, ptr %at, i64 -4\nstore "
                               "float 0.0, ptr %w\nret void"),
            "");
  // From an argument on; from another number on.
  EXPECT_EQ(
      overwrittenBy(
          "%j = add i64 %n, %i\n%at = getelementptr float, ptr %p, i64 %j\n"
          "store float 0.0, ptr %at\nret void"),
      "0:4+16u8");
  EXPECT_EQ(overwrittenBy("%m = load i64, ptr %q\n%j = add i64 %m, %i\n"
                          "%at = getelementptr float, ptr %p, i64 %j\nstore "
                          "float 0.0, ptr %at\nret void"),
            "");
  // Calls that may end the thread.
  EXPECT_EQ(overwrittenBy("call void @elsewhere()\n" + at +
                          "store float 0.0, ptr %at\nret void"),
            "");
  EXPECT_EQ(overwrittenBy("call void asm sideeffect \"exit;\", \"\"()\n" + at +
                          "store float 0.0, ptr %at\nret void"),
            "");
  EXPECT_EQ(overwrittenBy("call void @known()\n" + at +
                          "store float 0.0, ptr %at\nret void"),
            "0:4");
  // The address changes, or the limit.
  EXPECT_EQ(
      overwrittenBy(
          "%in = load ptr, ptr %q\n%at = getelementptr float, ptr %in, i64 %i\n"
          "store float 0.0, ptr %at\nret void"),
      "8.0:4");
  EXPECT_EQ(
      overwrittenBy(
          "%in = load ptr, ptr %q\n%at = getelementptr float, ptr %in, i64 %i\n"
          "store float 0.0, ptr %at\nstore ptr %p, ptr %q\nret void"),
      "");
  EXPECT_EQ(
      overwrittenBy(
          branch + at +
          "store float 0.0, ptr %at\nstore i64 5, ptr %n.at\nbr label %end" +
          end),
      "");
}
