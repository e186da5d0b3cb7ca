// Packed bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link/Embed.h"
#include "link/PackDictionary.h"
#include "link/PackedBitcode.h"
#include "link/RecordBytes.h"
#include "link/UnpackInputs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;

namespace xcc {
namespace {

std::string write(const Module &module) {
  std::string bitcode;
  raw_string_ostream os(bitcode);
  WriteBitcodeToFile(module, os);
  return bitcode;
}

/// What a reader of `bitcode` sees of it.
std::string seen(StringRef bitcode) {
  LLVMContext context;
  auto module = parseBitcodeFile(MemoryBufferRef(bitcode, "test"), context);
  if (!module)
    return "unreadable: " + toString(module.takeError());
  return write(**module);
}

std::string bitcodeOf(StringRef assembly) {
  LLVMContext context;
  SMDiagnostic error;
  auto module = parseAssemblyString(assembly, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  return module ? write(*module) : "";
}

/// A bit of everything that records are of.
constexpr StringLiteral Everything = R"(
source_filename = "everything.c"
target triple = "x86_64-pc-linux-gnu"
module asm ".globl it"
$one = comdat any
%node = type { ptr, i128, [3 x float], <4 x i16> }
@table = internal constant [4 x i32] [i32 1, i32 -2, i32 2147483647, i32 0]
@text = private unnamed_addr constant [15 x i8] c"a text\00\FF\80 more\00"
@wide = global i128 -170141183460469231731687303715884105728
@wider = global i200 803469022129495137770981046170581301261101496891396417650688
@floats = global { half, float, double, x86_fp80 } { half 0xH3C00, float -0.0, double 0x7FF8000000000000, x86_fp80 0xK4005F000000000000000 }
@chain = linkonce_odr global %node { ptr @chain, i128 3, [3 x float] zeroinitializer, <4 x i16> <i16 1, i16 2, i16 3, i16 4> }, comdat($one)
@also = alias i32, ptr @table
declare void @llvm.memcpy.p0.p0.i64(ptr noalias, ptr noalias readonly, i64, i1)
declare i32 @personality(...)
define i32 @work(i32 %n, ptr %p) personality ptr @personality !use !0 {
entry:
  switch i32 %n, label %loop [ i32 0, label %out  i32 -1, label %out  i32 70000, label %loop ]
loop:
  %i = phi i32 [ 0, %entry ], [ 0, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, 1
  %at = getelementptr inbounds %node, ptr %p, i32 %i, i32 2, i64 1
  store volatile float 1.5, ptr %at, align 4, !tbaa !3
  %old = atomicrmw add ptr %p, i32 %i syncscope("agent") monotonic
  %call = invoke i32 @work(i32 %old, ptr %at) [ "deopt"(i32 1) ] to label %ok unwind label %bad
ok:
  %done = icmp ult i32 %next, %n
  br i1 %done, label %loop, label %out, !prof !6
bad:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
out:
  call void asm sideeffect "nop", "~{memory}"()
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @text, i64 14, i1 false)
  ret i32 %n
}
define void @other() #0 { ret void }
attributes #0 = { noinline "one"="two" "three" }
!0 = !{!"everything.c", !"4:5 6:7", ptr @other}
!3 = !{!4, !4, i64 0}
!4 = !{!"float", !5}
!5 = !{!"chars"}
!6 = !{!"branch_weights", i32 1, i32 2000}
!named = !{!0, !4}
)";

/// The same with lines, which have a blob of strings.
constexpr StringLiteral Lines = R"(
define void @f(i32 %a) !dbg !3 { ret void, !dbg !6 }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "nobody", emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/tmp")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DILocation(line: 700, column: 3, scope: !3)
)";

/// Functions at random.
std::string manyFunctions(unsigned seed, unsigned count) {
  std::mt19937 random(seed);
  std::string text = "declare i64 @outside(i64)\n";
  for (unsigned f = 0; f != count; ++f) {
    text += "define i64 @f" + std::to_string(f) + "(i64 %v0, i64 %v1) {\n";
    unsigned last = 1;
    for (unsigned n = random() % 60; n; --n) {
      auto any = [&] { return "%v" + std::to_string(random() % (last + 1)); };
      std::string one = any(), other = any();
      static const char *const kinds[] = {"add", "mul nsw", "xor", "shl",
                                          "sub nuw"};
      text += "  %v" + std::to_string(++last) + " = ";
      if (random() % 4 == 0)
        text += "call i64 @" +
                (f && random() % 2 ? "f" + std::to_string(random() % f) +
                                         "(i64 " + one + ", i64 " + other + ")"
                                   : "outside(i64 " + one + ")") +
                "\n";
      else
        text +=
            std::string(kinds[random() % 5]) + " i64 " + one + ", " +
            (random() % 3 ? other : std::to_string(int64_t(random()) << 20)) +
            "\n";
    }
    text += "  ret i64 %v" + std::to_string(last) + "\n}\n";
  }
  return text;
}

std::vector<std::string> modules() {
  std::vector<std::string> list = {bitcodeOf(""), bitcodeOf(Everything),
                                   bitcodeOf(Lines)};
  for (unsigned seed = 0; seed != 40; ++seed)
    list.push_back(bitcodeOf(manyFunctions(seed, seed)));
  return list;
}

TEST(Packed, ReadsAsTheSameModule) {
  PackWith with = PackWith::Nothing;
  for (const std::string &bitcode : modules()) {
    auto packed = packRecords(bitcode, with);
    with = with == PackWith::Nothing ? PackWith::Dictionary : PackWith::Nothing;
    ASSERT_TRUE(bool(packed)) << toString(packed.takeError());
    auto back = unpackRecords(*packed);
    ASSERT_TRUE(bool(back)) << toString(back.takeError());
    EXPECT_EQ(seen(bitcode), seen(StringRef(back->data(), back->size())));
    // Again: what was unpacked is bitcode as good as any.
    auto again = packRecords(StringRef(back->data(), back->size()));
    ASSERT_TRUE(bool(again)) << toString(again.takeError());
    auto twice = unpackRecords(*again);
    ASSERT_TRUE(bool(twice)) << toString(twice.takeError());
    EXPECT_TRUE(*back == *twice);
  }
}

TEST(Packed, FindsFunctionsOneByOne) {
  std::string bitcode = bitcodeOf(Everything);
  auto packed = packRecords(bitcode);
  ASSERT_TRUE(bool(packed)) << toString(packed.takeError());
  auto back = unpackRecords(*packed);
  ASSERT_TRUE(bool(back)) << toString(back.takeError());
  LLVMContext context;
  auto module = getLazyBitcodeModule(
      MemoryBufferRef(StringRef(back->data(), back->size()), "test"), context);
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  Function *work = (*module)->getFunction("work");
  ASSERT_TRUE(work && work->isMaterializable());
  EXPECT_FALSE(bool(work->materialize()));
  EXPECT_EQ(work->size(), 5u);
  EXPECT_TRUE((*module)->getFunction("other")->isMaterializable());
}

TEST(Packed, IsShort) {
  std::string bitcode = bitcodeOf(manyFunctions(1, 200));
  auto packed = packRecords(bitcode);
  ASSERT_TRUE(bool(packed)) << toString(packed.takeError());
  EXPECT_LT(packed->size() * 2, bitcode.size());
}

/// A unit that says little has little to pack.
TEST(Packed, SmallModulesReferToWhatIsTypical) {
  std::string bitcode = bitcodeOf(R"(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%struct.pair = type { ptr, i64 }
define i64 @second(ptr noundef %0) #0 {
  %2 = getelementptr inbounds nuw %struct.pair, ptr %0, i32 0, i32 1
  %3 = load i64, ptr %2, align 8
  ret i64 %3
}
attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
)");
  auto alone = packRecords(bitcode, PackWith::Nothing);
  auto packed = packRecords(bitcode);
  ASSERT_TRUE(bool(alone) && bool(packed));
  EXPECT_LT(packed->size() * 2, alone->size());
  auto back = unpackRecords(*packed);
  ASSERT_TRUE(bool(back)) << toString(back.takeError());
  EXPECT_EQ(seen(bitcode), seen(StringRef(back->data(), back->size())));
}

TEST(Packed, AnotherDictionaryIsAnError) {
  auto packed = packRecords(bitcodeOf(""));
  ASSERT_TRUE(bool(packed)) << toString(packed.takeError());
  // The name of a dictionary is the four bytes from the sixth or seventh on.
  StringRef dictionary = packDictionary();
  size_t name = StringRef(*packed).find(dictionary.substr(4, 4));
  ASSERT_LT(name, 8u);
  (*packed)[name] ^= 1;
  auto back = unpackRecords(*packed);
  ASSERT_FALSE(bool(back));
  EXPECT_EQ(toString(back.takeError()),
            "it was packed by another version of xcc");
}

size_t sizeOfPacked(StringRef assembly) {
  auto packed = packRecords(bitcodeOf(assembly), PackWith::Nothing);
  EXPECT_TRUE(bool(packed));
  return packed ? packed->size() : 0;
}

/// Names begin where the last one ended, and metadata is of the next instruction:
/// such numbers are the same bytes again and again.
TEST(Packed, NumbersThatGrowAreEqualBytes) {
  auto functions = [](unsigned count) {
    std::string text;
    for (unsigned i = 0; i != count; ++i)
      text += "declare void @function" + std::to_string(10000 + i) + "()\n";
    return sizeOfPacked(text);
  };
  EXPECT_LT(functions(2000), functions(1000) + 600);
  auto stores = [](unsigned count) {
    std::string text = "define void @f(ptr %p) {\n";
    for (unsigned i = 0; i != count; ++i)
      text += "  store volatile float 1.0, ptr %p, !tbaa !0\n";
    return sizeOfPacked(text + "  ret void\n}\n"
                               "!0 = !{!1, !1, i64 0}\n"
                               "!1 = !{!\"float\", !2}\n"
                               "!2 = !{!\"chars\"}\n");
  };
  EXPECT_LT(stores(2000), stores(1000) + 100);
}

TEST(Packed, PortableOfAnySize) {
  for (unsigned count : {1u, 400u}) {
    LLVMContext context;
    SMDiagnostic error;
    auto module = parseAssemblyString(manyFunctions(3, count), error, context);
    ASSERT_TRUE(module) << error.getMessage().str();
    SmallString<0> packed = packPortableBitcode(*module);
    EXPECT_LT(packed.size() * 3, write(*module).size() * 2);
    auto back = unpackBitcode(packed, "test");
    ASSERT_TRUE(bool(back)) << toString(back.takeError());
    EXPECT_TRUE(seen(write(*module)) == seen((*back)->getBuffer()));
    for (size_t size = 0; size < packed.size(); size += packed.size() / 7) {
      auto cut = unpackBitcode(StringRef(packed).take_front(size), "test");
      if (!cut)
        EXPECT_NE(toString(cut.takeError()), "");
    }
  }
}

TEST(Packed, LinksUnpackOnceForAll) {
  SmallString<128> root;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("xcc-packed-test", root));
  CacheSettings settings;
  settings.directory = (root + "/cache").str();
  std::vector<std::string> texts;
  for (unsigned i = 0; i != 3; ++i) { // a new one, a known one, and no cache
    ResultCache cache(settings);
    DeviceModule first, second;
    for (auto [module, count] : {std::pair(&first, 90u), {&second, 70u}}) {
      auto packed = packRecords(bitcodeOf(manyFunctions(count, count)));
      ASSERT_TRUE(bool(packed)) << toString(packed.takeError());
      module->packed = *packed;
      module->packed.insert(module->packed.begin(), {'X', 'C', 'C', 'R'});
    }
    Error error = unpackInputs({&first, &second}, i == 2 ? nullptr : &cache);
    ASSERT_FALSE(bool(error)) << toString(std::move(error));
    texts.push_back(
        (first.bitcode->getBuffer() + second.bitcode->getBuffer()).str());
    EXPECT_EQ(cache.hits() + cache.misses(), 0u); // which are code's
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
  std::error_code error;
  unsigned kept = 0;
  for (sys::fs::directory_iterator at(settings.directory, error), end;
       at != end && !error; at.increment(error))
    kept += sys::path::filename(at->path()).starts_with("llvmcache-");
  EXPECT_EQ(kept, 2u);

  DeviceModule damaged;
  damaged.origin = "some.o";
  damaged.packed = "XCCR and what nobody has packed";
  Error wrong = unpackInputs({&damaged}, nullptr);
  ASSERT_TRUE(bool(wrong));
  EXPECT_NE(toString(std::move(wrong)).find("'some.o'"), std::string::npos);
  sys::fs::remove_directories(root);
}

using Reader = Expected<SmallVector<char, 0>>(StringRef bytes);

/// Ends, whatever the bytes are, with bitcode or an error.
void tryOut(Reader &read, StringRef bytes) {
  auto back = read(bytes);
  if (!back)
    EXPECT_NE(toString(back.takeError()), "");
  else
    EXPECT_EQ(back->size() % 4, 0u);
}

/// The same of its beginnings, and of some bytes changed.
void tryChanged(Reader &read, StringRef good) {
  for (size_t size = 0; size < good.size(); size += 1 + good.size() / 80)
    tryOut(read, good.take_front(size));
  std::mt19937 random(5);
  for (unsigned i = 0; i != 400; ++i) {
    SmallString<0> changed(good);
    for (unsigned n = 1 + random() % 3; n; --n)
      changed[random() % changed.size()] = char(random());
    tryOut(read, changed);
  }
}

TEST(Packed, TakesAnyBytes) {
  for (const std::string &bitcode :
       {bitcodeOf(Everything), bitcodeOf(Lines), bitcodeOf(manyFunctions(2, 9)),
        bitcodeOf("")})
    for (PackWith with : {PackWith::Nothing, PackWith::Dictionary}) {
      auto packed = packRecords(bitcode, with);
      ASSERT_TRUE(bool(packed)) << toString(packed.takeError());
      tryChanged(unpackRecords, *packed);
    }
  tryOut(unpackRecords, "12345678");
  // Frames of zstd of no bytes, of a size that is not said, and of 2^63 bytes.
  tryOut(unpackRecords, StringRef("\x28\xb5\x2f\xfd\x20\x00\x01\0\0", 9));
  tryOut(unpackRecords, StringRef("\x28\xb5\x2f\xfd\x00\x58\x01\0\0", 9));
  tryOut(unpackRecords,
         StringRef("\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\0\x80\x01\0\0", 16));
}

TEST(Packed, TakesAnyBytesOfRecords) {
  for (const std::string &bitcode : {bitcodeOf(Everything), bitcodeOf(Lines),
                                     bitcodeOf(manyFunctions(2, 9))}) {
    auto bytes = bytesOfRecords(bitcode);
    ASSERT_TRUE(bool(bytes)) << toString(bytes.takeError());
    tryChanged(recordsOfBytes, *bytes);
  }
  std::mt19937 random(6);
  for (unsigned i = 0; i != 400; ++i) {
    std::string bytes;
    for (unsigned n = random() % 300; n; --n)
      bytes += char(i % 3 ? random() % (i % 2 ? 256 : 12) : i % 2 ? 1 : -1);
    tryOut(recordsOfBytes, bytes);
  }
}

TEST(Packed, WhatIsNoBitcodeIsAnError) {
  std::string bitcode = bitcodeOf(Everything);
  for (StringRef bytes :
       {StringRef(""), StringRef("BC"), StringRef("no bitcode at all, really"),
        StringRef(bitcode).take_front(bitcode.size() / 2 / 4 * 4)}) {
    auto packed = packRecords(bytes);
    EXPECT_FALSE(bool(packed));
    consumeError(packed.takeError());
  }
}

} // namespace
} // namespace xcc
