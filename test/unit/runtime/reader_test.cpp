// Readers of untrusted bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/images/elf_file.h"
#include "src/images/kernel_row.h"
#include "src/images/offload_binary.h"
#include "unit.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>

using namespace xcc::rt;
using namespace xcc::test;

/// Copies into memory of exactly that size, so that a sanitizer sees a read
/// past its end, and uses every string and byte that a reader hands out.
static int readAll(const std::string &Data) {
  std::unique_ptr<char[]> Exact(new char[Data.size()]);
  memcpy(Exact.get(), Data.data(), Data.size());
  OffloadReader Reader(Bytes(Exact.get(), Data.size()));
  OffloadImage I;
  int Count = 0;
  size_t Used = 0;
  while (Reader.next(I)) {
    ++Count;
    Used += strlen(I.Triple) + strlen(I.Arch) + strlen(I.Abi) + strlen(I.Hash) +
            strlen(I.Features);
    Used += hashOf(I.Data) & 1;
    std::string_view Table = I.Kernels;
    KernelRow Row;
    while (nextKernelRow(Table, Row))
      Used += Row.symbol.size() + Row.name.size();
    (void)checkSharedObject(I.Data);
  }
  asm volatile("" : : "r"(Used)); // the reads above must happen
  return Reader.error() ? -1 : Count;
}

static std::string sample() {
  Strings Map = imageStrings("0123456789");
  return writeOffloadBinary("0123456789", Map) + std::string(16, '\0') +
         writeOffloadBinary("x", {{"triple", "t"}, {"arch", "a"}});
}

TEST(OffloadReader, ReadsAllObjects) {
  std::string Data = sample();
  EXPECT_EQ(readAll(Data), 2);
  EXPECT_EQ(readAll(""), 0);
  EXPECT_EQ(readAll(std::string(40, '\0')), 0);
  OffloadReader Reader(Bytes(Data.data(), Data.size()));
  OffloadImage I;
  ASSERT_TRUE(Reader.next(I));
  EXPECT_STREQ(I.Arch, "x86-64-v2");
  EXPECT_EQ(std::string(I.Data.data(), I.Data.size()), "0123456789");
  std::string_view Table = I.Kernels;
  KernelRow Row;
  ASSERT_TRUE(nextKernelRow(Table, Row));
  EXPECT_EQ(Row.symbol, "k_nothing");
  ASSERT_TRUE(nextKernelRow(Table, Row));
  EXPECT_EQ(Row.name, "increment");
  EXPECT_EQ(Row.kernargSize, 8u);
  EXPECT_EQ(Row.fingerprint, 0x1234u);
  EXPECT_FALSE(nextKernelRow(Table, Row));
}

TEST(KernelTable, IsReadAsItWasWritten) {
  KernelTableWriter Writer;
  Writer.add({.symbol = "k_a",
              .name = "a\tb\nc\\",
              .kernargSize = 1,
              .groupSize = 2,
              .privateSize = 3,
              .flags = 4,
              .maxThreads = 5,
              .fingerprint = 0xab});
  Writer.add({.symbol = "k_ab", .name = "ab", .columns = "wave=32"});
  Writer.column("k_ab", "calls", 1);
  Writer.column("k_none", "calls", 1);
  std::string Table = Writer.text();
  EXPECT_EQ(Table, "k_a\ta\\tb\\nc\\\\\t1\t2\t3\t4\t5\t00000000000000ab\n"
                   "k_ab\tab\t0\t0\t0\t0\t0\t0000000000000000\twave=32\t"
                   "calls=1\n");
  KernelRow Row;
  ASSERT_TRUE(findKernelRow(Table, "k_a", Row));
  EXPECT_EQ(Row.name, "a\\tb\\nc\\\\");
  EXPECT_EQ(Row.privateSize, 3u);
  EXPECT_EQ(Row.flags, 4u);
  EXPECT_EQ(Row.fingerprint, 0xabu);
  EXPECT_FALSE(Row.is("calls"));
  ASSERT_TRUE(findKernelRow(Table, "k_ab", Row));
  EXPECT_TRUE(Row.is("calls"));
  EXPECT_EQ(Row.column("wave"), "32");
  EXPECT_EQ(Row.column("sgprs"), std::nullopt);
  EXPECT_FALSE(findKernelRow(Table, "k_", Row));
}

TEST(KernelTable, ColumnsOfAnyForm) {
  std::string_view Columns = "a=1\tb\t\t=2\tc=3=4", Key, Value;
  std::string All;
  while (nextColumn(Columns, Key, Value))
    All += "<" + std::string(Key) + "|" + std::string(Value) + ">";
  EXPECT_EQ(All, "<a|1><b|><|><|2><c|3=4>");
}

TEST(OffloadReader, SurvivesEveryTruncation) {
  std::string Data = sample();
  for (size_t Size = 0; Size != Data.size(); ++Size) {
    int Count = readAll(Data.substr(0, Size));
    EXPECT_LE(Count, 1) << Size;
  }
}

TEST(OffloadReader, SurvivesEveryChangedByte) {
  std::string Data = sample();
  for (size_t At = 0; At != Data.size(); ++At)
    for (int Change : {1, 0x80, 0xff}) {
      std::string Changed = Data;
      Changed[At] = char(Changed[At] ^ Change);
      (void)readAll(Changed);
    }
}

TEST(OffloadReader, SeesEveryChangedBit) {
  Strings Map = imageStrings("0123456789");
  uint64_t Sum = beginStrings(1, 0);
  for (const auto &[Key, Value] : Map)
    Sum += hashOfString(Key, Value);
  char Text[17];
  snprintf(Text, sizeof(Text), "%016llx", static_cast<unsigned long long>(Sum));
  Map.push_back({"xcc.strings", Text});
  std::string Data = writeOffloadBinary("0123456789", Map);
  auto Read = [](const std::string &Data, OffloadImage &I) {
    return OffloadReader(Bytes(Data.data(), Data.size())).next(I) && I.Summed &&
           I.Ours && I.intact();
  };
  OffloadImage Good;
  ASSERT_TRUE(Read(Data, Good));
  for (size_t Bit = 0; Bit != Data.size() * 8; ++Bit) {
    std::string Changed = Data;
    Changed[Bit / 8] ^= char(1 << Bit % 8);
    OffloadImage I;
    if (!Read(Changed, I))
      continue;
    // Padding, or a number that nothing depends on.
    EXPECT_STREQ(I.Triple, Good.Triple) << Bit;
    EXPECT_STREQ(I.Arch, Good.Arch) << Bit;
    EXPECT_STREQ(I.Kernels, Good.Kernels) << Bit;
    EXPECT_EQ(I.ImageKind, Good.ImageKind) << Bit;
    EXPECT_EQ(std::string(I.Data.data(), I.Data.size()), "0123456789") << Bit;
  }
}

TEST(OffloadReader, SurvivesExtremeNumbers) {
  std::string Data = sample();
  for (size_t At = 0; At + 8 <= 32 + 40 + 16; At += 8)
    for (uint64_t Value : {uint64_t(0), ~uint64_t(0), ~uint64_t(7),
                           uint64_t(1) << 63, uint64_t(Data.size())}) {
      std::string Changed = Data;
      memcpy(&Changed[At], &Value, 8);
      (void)readAll(Changed);
    }
}

TEST(ElfFile, SurvivesDamage) {
  const std::string &Good = Unit::defaultImage();
  ASSERT_EQ(checkSharedObject(Bytes(Good.data(), Good.size())), nullptr);
  auto Check = [](const std::string &Data) {
    std::unique_ptr<char[]> Exact(new char[Data.size()]);
    memcpy(Exact.get(), Data.data(), Data.size());
    Bytes File(Exact.get(), Data.size()), Section;
    const char *Why;
    (void)checkSharedObject(File);
    if (findSection(File, ".dynsym", Section, Why))
      (void)hashOf(Section);
  };
  for (size_t Size = 0; Size < 1200; ++Size)
    Check(Good.substr(0, Size));
  for (size_t At = 0; At < 1200; ++At)
    for (int Change : {1, 0x80, 0xff}) {
      std::string Changed = Good;
      Changed[At] = char(Changed[At] ^ Change);
      Check(Changed);
    }
  // The section headers are at the file's end.
  for (size_t Back = 1; Back < 2400; Back += 3) {
    std::string Changed = Good;
    Changed[Good.size() - Back] ^= 0xff;
    Check(Changed);
  }
}

TEST(ElfFile, FindsSections) {
  const std::string &Good = Unit::defaultImage();
  Bytes File(Good.data(), Good.size()), Section;
  const char *Why = nullptr;
  ASSERT_TRUE(findSection(File, ".dynsym", Section, Why));
  EXPECT_GT(Section.size(), 0u);
  ASSERT_TRUE(findSection(File, ".absent", Section, Why));
  EXPECT_EQ(Section.size(), 0u);
  EXPECT_FALSE(findSection(Bytes("hello", 5), ".x", Section, Why));
  EXPECT_STREQ(Why, "is not an ELF file");
}
