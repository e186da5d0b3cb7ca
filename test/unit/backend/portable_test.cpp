// Portable images that cannot be generated
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/KernelGroups.h"
#include "link/Portable.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace xcc;

namespace {

std::unique_ptr<Module> parse(LLVMContext &context, StringRef text) {
  SMDiagnostic error;
  auto module = parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  return module;
}

std::string bitcodeOf(StringRef text) {
  LLVMContext context;
  std::string bytes;
  raw_string_ostream os(bytes);
  WriteBitcodeToFile(*parse(context, text), os);
  return bytes;
}

KernelTable kernels(std::initializer_list<const char *> symbols) {
  KernelTable table;
  for (const char *symbol : symbols) {
    table.emplace_back();
    table.back().symbol = table.back().name = symbol;
  }
  return table;
}

/// What is said of an image, of which everything else is right.
std::string failure(PortableImage image, PortableRequest request) {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  request.codegen.inProgram = true;
  auto made = generatePortable(image, std::move(request));
  return made ? "" : toString(made.takeError());
}

bool has(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

TEST(Portable, WhatCannotBeGeneratedIsAnError) {
  std::string layouts = writeLayouts(kernels({"a"}));
  std::string code = bitcodeOf("target triple = \"nvptx64-nvidia-cuda\"\n"
                               "define ptx_kernel void @b() { ret void }\n");
  PortableImage image{"nvptx64-nvidia-cuda", layouts, "-O2", code};
  auto with = [&](auto change) {
    PortableImage other = image;
    change(other);
    return failure(other, {"sm_90", {}, "", {}, {}});
  };
  std::string said =
      with([](PortableImage &i) { i.triple = "riscv64-linux-gnu"; });
  EXPECT_TRUE(has(said, "generates no code for 'riscv64-linux-gnu'")) << said;
  said = with([](PortableImage &i) { i.layouts = "K\tnot a table\n"; });
  EXPECT_TRUE(has(said, "layouts are damaged")) << said;
  said = with([](PortableImage &i) { i.data = "no bitcode at all"; });
  EXPECT_TRUE(has(said, "cannot be read by LLVM")) << said;
  said = with([&](PortableImage &i) { i.data = i.data.drop_back(64); });
  EXPECT_TRUE(has(said, "cannot be read by LLVM")) << said;
  said = with([](PortableImage &i) {
    i.data = StringRef("XCCR\x08\0\0\0\0\0\0\0no records", 22);
  });
  EXPECT_TRUE(has(said, "cannot be unpacked")) << said;
  said = failure(image, {"sm_1", {}, "", {}, {}});
  EXPECT_TRUE(has(said, "knows no arch 'sm_1'")) << said;
  said = failure(image, {"gfx1100", {}, "", {}, {}});
  EXPECT_TRUE(has(said, "knows no arch 'gfx1100'")) << said;
  // Of two kernels the one that the module has not.
  layouts = writeLayouts(kernels({"a", "b"}));
  image.layouts = layouts;
  said = failure(image, {"sm_90", {"a"}, "", {}, {}});
  EXPECT_TRUE(has(said, "lacks kernel 'a'")) << said;
}

TEST(Portable, KernelsThatShareAreOneGroup) {
  LLVMContext context;
  auto module = parse(context, R"(
    @variable = internal global i32 0
    @table = internal constant [2 x i32] [i32 1, i32 2]
    @tag = internal constant i8 0
    @text = private unnamed_addr constant [2 x i8] c"x\00"
    declare void @use(ptr)
    define void @writes() { store i32 1, ptr @variable  ret void }
    define void @alone() { ret void }
    define internal i32 @reads() { %1 = load i32, ptr @variable  ret i32 %1 }
    define void @calls() { %1 = call i32 @reads()  ret void }
    define void @looks(i64 %i) {
      %1 = getelementptr i32, ptr @table, i64 %i
      %2 = load i32, ptr %1
      ret void
    }
    define void @looks2() { %1 = load i32, ptr @table  ret void }
    define void @tags() { call void @use(ptr @tag)  ret void }
    define void @tags2() { call void @use(ptr @tag)  ret void }
    define void @says() { call void @use(ptr @text)  ret void }
    define void @says2() { call void @use(ptr @text)  ret void }
    define internal void @target() { ret void }
    define void @chooses(ptr %p) { store ptr @target, ptr %p  ret void }
    define void @jumps(ptr %p) { call void %p()  ret void }
  )");
  ASSERT_TRUE(module);
  std::vector<unsigned> expected = {0, 1, 0, 2, 3, 4, 4, 5, 6, 7, 7};
  std::vector<bool> tied;
  EXPECT_EQ(groupKernels(
                *module,
                kernels({"writes", "alone", "calls", "looks", "looks2", "tags",
                         "tags2", "says", "says2", "chooses", "jumps"}),
                &tied),
            expected);
  // Whether a second copy of each would do the same as the first.
  EXPECT_EQ(tied, std::vector<bool>({1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
}

} // namespace
