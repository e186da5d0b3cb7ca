// What ptxas prints, and parameters in PTX
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/nvptx/arch.h"
#include "targets/nvptx/ptx.h"
#include "targets/nvptx/ptxas.h"

#include <gtest/gtest.h>

namespace xcc::nvptx {
namespace {

TEST(Arch, HasAVersionAndASuffix) {
  EXPECT_EQ(Arch("sm_90").version, 90u);
  EXPECT_EQ(Arch("sm_90").suffix, 0);
  EXPECT_EQ(Arch("sm_90a").version, 90u);
  EXPECT_EQ(Arch("sm_90a").suffix, 'a');
  EXPECT_EQ(Arch("sm_100f").suffix, 'f');
  EXPECT_EQ(Arch("sm_x").version, 0u);
  EXPECT_EQ(ptxFeature(Arch("sm_70")), "+ptx78");
  EXPECT_EQ(ptxFeature(Arch("sm_60")), "+ptx63");
  EXPECT_EQ(ptxFeature(Arch("sm_90a")), "+ptx80");
  EXPECT_EQ(ptxFeature(Arch("sm_100f")), "+ptx88");
  EXPECT_EQ(ptxFeature(Arch("sm_70"), 4352), "+ptx78");
  EXPECT_EQ(ptxFeature(Arch("sm_70"), 4353), "+ptx81");
  EXPECT_EQ(ptxFeature(Arch("sm_100f"), 4353), "+ptx88");
}

TEST(Usage, OfSeveralKernels) {
  auto all = readUsage(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k_a' for 'sm_90'\n"
      "ptxas info    : Function properties for k_a\n"
      "    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 40 registers, used 1 barriers, 16 bytes cumulative "
      "stack size, 2048 bytes smem, 364 bytes cmem[0]\n"
      "ptxas info    : Compile time = 12.3 ms\n"
      "ptxas info    : Compiling entry function 'k_b' for 'sm_90'\n"
      "ptxas info    : Function properties for k_b\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all["k_a"].registers, 40u);
  EXPECT_EQ(all["k_a"].stack, 16u);
  EXPECT_EQ(all["k_a"].spillStores, 12u);
  EXPECT_EQ(all["k_a"].spillLoads, 8u);
  EXPECT_EQ(all["k_a"].shared, 2048u);
  EXPECT_EQ(all["k_b"].registers, 8u);
  EXPECT_EQ(all["k_b"].shared, 0u);
}

// Functions that a kernel calls are no kernels: theirs is not counted as its.
TEST(Usage, OfCalledFunctions) {
  auto all = readUsage(
      "ptxas info    : Compiling entry function 'k_a' for 'sm_70'\n"
      "ptxas info    : Function properties for callee\n"
      "    512 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Function properties for k_a\n"
      "    32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 16 registers, 380 bytes cmem[0]\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all["k_a"].stack, 32u);
  EXPECT_EQ(all["k_a"].registers, 16u);
}

TEST(Usage, OfTextThatIsNone) {
  EXPECT_TRUE(readUsage("").empty());
  EXPECT_TRUE(
      readUsage("error\nUsed 3 registers\nbytes stack frame\n").empty());
  EXPECT_EQ(readUsage("Compiling entry function 'k\nUsed\nregisters\n").size(),
            1u);
}

TEST(Occupancy, OfWhatRunsOut) {
  Usage usage;
  usage.registers = 32;
  EXPECT_DOUBLE_EQ(occupancy(Arch("sm_90"), 256, usage), 1.0);
  usage.registers = 128;
  EXPECT_DOUBLE_EQ(occupancy(Arch("sm_90"), 256, usage), 0.25);
  usage.registers = 32;
  usage.shared = 100 * 1024;
  EXPECT_DOUBLE_EQ(occupancy(Arch("sm_90"), 256, usage), 0.25);
}

Kernel kernel(std::vector<KernelParam> params) {
  Kernel made;
  made.symbol = "k_a";
  made.params = std::move(params);
  return made;
}

constexpr const char *Entry = ".visible .entry k_a(\n"
                              "\t.param .u64 .ptr .align 1 k_a_param_0,\n"
                              "\t.param .align 8 .b8 k_a_param_1[24],\n"
                              "\t.param .u32 k_a_param_2\n)\n{\n";

TEST(ParametersInPTX, AgreeWithTheLayout) {
  EXPECT_EQ(differenceInPTX(Entry, kernel({{"p", "int *", 8, 8, 0},
                                           {"s", "S", 24, 8, 8},
                                           {"n", "int", 4, 4, 32}})),
            "");
  EXPECT_EQ(differenceInPTX(".entry k_b(\n)\n", kernel({})), "");
}

TEST(ParametersInPTX, NameADifference) {
  EXPECT_EQ(differenceInPTX(Entry, kernel({{"p", "int *", 8, 8, 0},
                                           {"s", "S", 20, 4, 8},
                                           {"n", "int", 4, 4, 28}})),
            "parameter 2 is at 8 with 24 bytes, and the host puts 20 bytes at "
            "8");
  EXPECT_EQ(differenceInPTX(Entry, kernel({{"p", "int *", 8, 8, 0}})),
            "it has more parameters than the kernel");
  EXPECT_EQ(differenceInPTX(Entry, kernel({{"p", "int *", 8, 8, 0},
                                           {"s", "S", 24, 8, 8},
                                           {"n", "int", 4, 4, 32},
                                           {"m", "int", 4, 4, 36}})),
            "it has fewer parameters than the kernel");
  EXPECT_EQ(differenceInPTX("", kernel({{"p", "int *", 8, 8, 0}})),
            "it is missing");
}

TEST(ParametersInPTX, AreAlignedAsTheDriverAlignsABuffer) {
  // Padding in front is the parameter's own.
  EXPECT_EQ(differenceInPTX(".entry k_a(\n"
                            "\t.param .u32 k_a_param_0,\n"
                            "\t.param .align 16 .b8 k_a_param_1[112],\n"
                            "\t.param .u8 k_a_param_2\n)\n{\n",
                            kernel({{"n", "int", 4, 4, 0},
                                    {"m", "matrix", 64, 64, 64},
                                    {"c", "char", 1, 1, 128}})),
            "");
  EXPECT_EQ(differenceInPTX(".entry k_a(\n"
                            "\t.param .align 32 .b8 k_a_param_0[32]\n)\n{\n",
                            kernel({{"m", "matrix", 32, 32, 0}})),
            "parameter 1 is aligned to 32 bytes, and only 16 are what the host "
            "counts on");
}

TEST(FileNamesInPTX, HoldNoQuotes) {
  llvm::SmallString<64> text("\n\t.file\t1 \"a\\\"b\\\\.cpp\"\n\tmov \"\\\"\n");
  nameFilesForPTX(text);
  EXPECT_EQ(text.str(), "\n\t.file\t1 \"a''b\\\\.cpp\"\n\tmov \"\\\"\n");
}

TEST(Ptx, HasWideParametersInBytes) {
  llvm::SmallString<64> text(".visible .func  (.param .b128 func_retval0) f(\n"
                             "\t.param .b128 f_param_0\n)\n"
                             "\t.param .b128 \tparam0;\n"
                             ".callprototype (.param .b128 _) _ ();\n");
  writeWideParameters(text);
  EXPECT_EQ(text.str(),
            ".visible .func  (.param .align 16 .b8 func_retval0[16]) f(\n"
            "\t.param .align 16 .b8 f_param_0[16]\n)\n"
            "\t.param .align 16 .b8 param0[16];\n"
            ".callprototype (.param .align 16 .b8 _[16]) _ ();\n");
}

std::string stored(llvm::StringRef before) {
  llvm::SmallString<64> text(before);
  storeIntegers(text);
  return std::string(text);
}

TEST(StoresInPTX, AreOfCopiesWhereRegistersAreWider) {
  EXPECT_EQ(stored("\tst.global.b8 \t[%rd2+1], %rd4;\n"),
            "\t{ .reg .u64 %n0; mov.b64 %n0, %rd4; st.global.b8 \t[%rd2+1], "
            "%n0; }\n");
  EXPECT_EQ(stored("st.param.b32 [func_retval0], %rd4;"),
            "{ .reg .u64 %n0; mov.b64 %n0, %rd4; st.param.b32 [func_retval0], "
            "%n0; }");
  EXPECT_EQ(stored("st.b8 [%rd2], %rs4;"),
            "{ .reg .u16 %n0; mov.b16 %n0, %rs4; st.b8 [%rd2], %n0; }");
  EXPECT_EQ(stored("st.shared.v4.b8 [x], {%r1, 7, %r2, %r1};"),
            "{ .reg .u32 %n0; mov.b32 %n0, %r1; .reg .u32 %n1; mov.b32 %n1, "
            "%r2; .reg .u32 %n2; mov.b32 %n2, %r1; st.shared.v4.b8 [x], {%n0, "
            "7, %n1, %n2}; }");
}

TEST(StoresInPTX, KeepWhatStandsAroundThem) {
  EXPECT_EQ(stored("a;st.u16 [%rd2],%r4;b"),
            "a;{ .reg .u32 %n0; mov.b32 %n0, %r4; st.u16 [%rd2],%n0; }b");
  EXPECT_EQ(stored("$L: @!%p1 st.u16 [%rd2], %r4;"),
            "$L: { .reg .u32 %n0; mov.b32 %n0, %r4; @!%p1 st.u16 [%rd2], %n0; "
            "}");
  EXPECT_EQ(stored("st.L2::cache_hint.b32 [%rd2], %rd4, %rd5;"),
            "{ .reg .u64 %n0; mov.b64 %n0, %rd4; st.L2::cache_hint.b32 [%rd2], "
            "%n0, %rd5; }");
}

TEST(StoresInPTX, StayWhereNothingIsCutOff) {
  for (llvm::StringRef same :
       {"st.b64 [%rd2], %rd4;", "st.b16 [%rd2], %rs4;", "st.b8 [%rd2], 7;",
        "st.b8 [%rd2], byte;", "st.v2.b32 [%rd2], {%r1, %r2};",
        "st.v2.b64 [%rd2], {%rd1, %rd2};", "// st.b8 [%rd2], %r4;",
        "/* st.b8 [%rd2], %r4; */", ".file 1 \"st.b8 [%rd2], %r4;\"",
        "first.b8 [%rd2], %r4;", "x.st.b8 [%rd2], %r4;", "st.b8", "st.b8 [%rd2",
        "st.b8 [%rd2],", "st.", "@st.", ""})
    EXPECT_EQ(stored(same), same);
}

TEST(Ptx, JoinsParts) {
  std::string header = "//\n// made by a compiler\n//\n\n.version 7.8\n"
                       ".target sm_90\n.address_size 64\n\n";
  std::string first = header +
                      "\t// .globl\tk1\n.extern .func (.param .b32 r) vprintf\n"
                      "(\n\t.param .b64 p\n)\n;\n"
                      ".extern .global .align 4 .u32 both;\n"
                      ".extern .shared .align 8 .b8 dynamic[];\n"
                      ".global .align 1 .b8 text$1[3] = {123, 125, 0};\n"
                      ".visible .entry k1(\n\t.param .u64 k1_param_0\n)\n{\n"
                      "\t// a comment with } and ;\n"
                      "\t{ /* { */ .pragma \"}\"; }\n\tret;\n}\n";
  std::string second = header + ".extern .func (.param .b32 r) vprintf\n"
                                "(\n\t.param .b64 p\n)\n;\n"
                                ".extern .shared .align 8 .b8 dynamic[];\n"
                                ".func (.param .b32 r) f$2()\n;\n"
                                ".func (.param .b32 r) f$2()\n{\n\tret;\n}\n"
                                ".visible .entry k2()\n{\n\tret;\n}\n";
  std::string last = header + ".visible .global .align 4 .u32 both = 7;\n";
  auto joined = joinPTX({first, second, last});
  ASSERT_TRUE(bool(joined)) << llvm::toString(joined.takeError());
  llvm::StringRef text = *joined;
  EXPECT_EQ(text.count(".version"), 1u);
  EXPECT_EQ(text.count("vprintf"), 1u);
  EXPECT_EQ(text.count("dynamic[]"), 1u);
  EXPECT_EQ(text.count(" both"), 1u);
  EXPECT_LT(text.find(" both = 7;"), text.find(".entry k1("));
  EXPECT_EQ(text.count("f$2()"), 2u);
  EXPECT_NE(text.find(".entry k2()\n{\n\tret;\n}"), llvm::StringRef::npos);

  // What cannot be one module is no text.
  auto refuse = [&](std::vector<std::string> parts) {
    std::vector<llvm::StringRef> texts(parts.begin(), parts.end());
    auto made = joinPTX(texts);
    return made ? "joined" : llvm::toString(made.takeError());
  };
  EXPECT_EQ(refuse({first, first}), "two parts of the PTX define 'text$1'");
  EXPECT_EQ(refuse({second, header + ".func f$2()\n{\n}\n"}),
            "two parts of the PTX define 'f$2'");
  EXPECT_EQ(refuse({second, header + ".extern .shared .align 16 .b8 "
                                     "dynamic[];\n"}),
            "parts of the PTX declare 'dynamic' differently");
  EXPECT_EQ(refuse({first, ".version 7.8\n.target sm_80\n.address_size 64\n"}),
            "parts of the PTX differ in their kind");
  // The newest version of PTX has what older ones have.
  std::string newer = ".version 8.1\n.target sm_90\n.address_size 64\n";
  joined = joinPTX({first, newer, last});
  ASSERT_TRUE(bool(joined)) << llvm::toString(joined.takeError());
  EXPECT_EQ(llvm::StringRef(*joined).count(".version"), 1u);
  EXPECT_NE(joined->find(".version 8.1"), std::string::npos);
  EXPECT_EQ(refuse({first, header + "\t.file\t1 \"a.cpp\"\n.section .debug\n"
                                    "{\n}\n;"}),
            "parts of the PTX have lines of sources");
}

} // namespace
} // namespace xcc::nvptx
