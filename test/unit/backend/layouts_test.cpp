// The layouts that objects carry, written and read back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernel.h"

#include <gtest/gtest.h>

namespace xcc {
namespace {

Kernel sample() {
  Kernel kernel;
  kernel.symbol = "k_sample";
  kernel.name = "ns::sample<char>\t\\x";
  kernel.file = "a\nb\tc.cpp";
  kernel.line = 3;
  kernel.column = 7;
  kernel.external = true;
  kernel.params = {{"closure", "L", 16, 8, 0, XCC_PARAM_CLOSURE},
                   {"", "float *", 8, 8, 16, XCC_PARAM_POINTER}};
  kernel.captures = {{"n", "int &", 8, 8, true, XCC_PARAM_REFERENCE}};
  kernel.kernargSize = 24;
  kernel.kernargAlignment = 8;
  kernel.maxThreads = 128;
  kernel.mapping = {{"capture 'n'\t(reference to 'int')",
                     "a\nb\tc.cpp",
                     9,
                     3,
                     KernelMapping::Memory,
                     true,
                     KernelMapping::Out,
                     {{0, 8}, {INT64_MIN, INT64_MAX}}}};
  return kernel;
}

TEST(Layouts, AreReadAsTheyWereWritten) {
  Kernel other;
  other.symbol = other.name = "k_other";
  other.text = UINT64_MAX;
  KernelTable written = {sample(), other}, read;
  ASSERT_TRUE(parseLayouts(writeLayouts(written), read));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].symbol, written[0].symbol);
  EXPECT_EQ(read[0].name, written[0].name);
  EXPECT_EQ(read[0].file, written[0].file);
  EXPECT_EQ(read[0].line, 3u);
  EXPECT_EQ(read[0].column, 7u);
  EXPECT_TRUE(read[0].external);
  EXPECT_FALSE(read[1].external);
  EXPECT_EQ(read[0].maxThreads, 128u);
  EXPECT_EQ(read[1].text, UINT64_MAX);
  EXPECT_EQ(read[0].params[1].type, "float *");
  EXPECT_EQ(read[0].captures[0].name, "n");
  ASSERT_EQ(read[0].mapping.size(), 1u);
  EXPECT_EQ(read[0].mapping[0].what, written[0].mapping[0].what);
  EXPECT_EQ(read[0].mapping[0].path[1].last, INT64_MAX);
  EXPECT_EQ(layoutDifference(written[0], read[0]), "");
  EXPECT_EQ(read[0].fingerprint(), written[0].fingerprint());
  EXPECT_EQ(writeLayouts(read), writeLayouts(written));
}

TEST(Layouts, RefuseEveryTextThatIsNone) {
  std::string good = writeLayouts({sample()});
  for (const char *bad :
       {"X\tk\n", "K\tk_a\t0\t8\n", "P\t8\t8\t0\t1\tx\tint\n",
        "C\t8\t0\t0\t0\tx\tint\n", "K\tk_a\tyes\t0\t1\t0\t1\t1\t5\ta.cpp\ta\n",
        "K\tk_a\t1\t-1\t1\t0\t1\t1\t5\ta.cpp\ta\n",
        "K\tk_a\t1\t99999999999\t1\t0\t1\t1\t5\ta.cpp\ta\n", "\n"}) {
    KernelTable read;
    EXPECT_FALSE(parseLayouts(bad, read)) << bad;
  }
  KernelTable read;
  for (const char *bad :
       {"M\t1\t2\t9\t0\t0\ta.cpp\tx\t\n", "M\t1\t2\t0\t0\t0\ta.cpp\tx\t1:,\n",
        "M\t1\t2\t0\t0\ta.cpp\tx\t\n"})
    EXPECT_FALSE(parseLayouts(good + bad, read)) << bad;
  EXPECT_FALSE(parseLayouts(good + "P\t8\t8\t0\t9\tx\tint\n", read));
  // Whatever is cut off: a table, or none; never more than was there.
  for (size_t size = 0; size != good.size(); ++size) {
    KernelTable part;
    if (parseLayouts(llvm::StringRef(good).take_front(size), part)) {
      EXPECT_LE(part.size(), 1u);
    }
  }
}

TEST(Layouts, NameTheFirstDifference) {
  Kernel host = sample(), device = sample();
  device.params[1].size = 4;
  EXPECT_EQ(layoutDifference(host, device),
            "parameter '' (float *) has size 8 on the host and 4 on the "
            "device");
  EXPECT_NE(host.fingerprint(), device.fingerprint());
  device = sample();
  device.captures.clear();
  EXPECT_EQ(layoutDifference(host, device),
            "the closure has capture count 1 on the host and 0 on the device");
  device = sample();
  device.captures[0].byReference = false;
  EXPECT_EQ(layoutDifference(host, device),
            "capture 'n' (int &) is captured in another way on the device");
}

} // namespace
} // namespace xcc
