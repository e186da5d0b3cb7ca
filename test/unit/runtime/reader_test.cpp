// Readers of untrusted bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "formats/elf_file.h"
#include "formats/kernel_access.h"
#include "formats/kernel_row.h"
#include "formats/library_row.h"
#include "formats/offload_binary.h"
#include "unit.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>

using namespace xcc::rt;
using namespace xcc::test;

/// Copies into memory of exactly that size, so that a sanitizer sees a read
/// past its end, and uses every string and byte that a reader hands out.
static int readAll(const std::string &data) {
  std::unique_ptr<char[]> exact(new char[data.size()]);
  memcpy(exact.get(), data.data(), data.size());
  OffloadReader reader(Bytes(exact.get(), data.size()));
  OffloadImage i;
  int count = 0;
  size_t used = 0;
  while (reader.next(i)) {
    ++count;
    used += strlen(i.triple) + strlen(i.arch) + strlen(i.abi) + strlen(i.hash) +
            strlen(i.features);
    used += hashOf(i.data) & 1;
    std::string_view table = i.kernels;
    KernelRow row;
    while (nextKernelRow(table, row))
      used += row.symbol.size() + row.name.size();
    (void)checkSharedObject(i.data);
  }
  asm volatile("" : : "r"(used)); // the reads above must happen
  return reader.error() ? -1 : count;
}

static std::string sample() {
  Strings map = imageStrings("0123456789");
  return writeOffloadBinary("0123456789", map) + std::string(16, '\0') +
         writeOffloadBinary("x", {{"triple", "t"}, {"arch", "a"}});
}

TEST(OffloadReader, ReadsAllObjects) {
  std::string data = sample();
  EXPECT_EQ(readAll(data), 2);
  EXPECT_EQ(readAll(""), 0);
  EXPECT_EQ(readAll(std::string(40, '\0')), 0);
  OffloadReader reader(Bytes(data.data(), data.size()));
  OffloadImage i;
  ASSERT_TRUE(reader.next(i));
  EXPECT_STREQ(i.arch, "x86-64-v2");
  EXPECT_EQ(std::string(i.data.data(), i.data.size()), "0123456789");
  std::string_view table = i.kernels;
  KernelRow row;
  ASSERT_TRUE(nextKernelRow(table, row));
  EXPECT_EQ(row.symbol, "k_nothing");
  ASSERT_TRUE(nextKernelRow(table, row));
  EXPECT_EQ(row.name, "increment");
  EXPECT_EQ(row.kernargSize, 8u);
  EXPECT_EQ(row.fingerprint, 0x1234u);
  EXPECT_FALSE(nextKernelRow(table, row));
}

TEST(KernelTable, IsReadAsItWasWritten) {
  KernelTableWriter writer;
  writer.add({.symbol = "k_a",
              .name = "a\tb\nc\\",
              .kernargSize = 1,
              .sharedSize = 2,
              .privateSize = 3,
              .flags = 4,
              .maxThreads = 5,
              .fingerprint = 0xab});
  writer.add({.symbol = "k_ab", .name = "ab", .columns = "wave=32"});
  writer.column("k_ab", "calls", 1);
  writer.column("k_none", "calls", 1);
  std::string table = writer.text();
  EXPECT_EQ(table, "k_a\ta\\tb\\nc\\\\\t1\t2\t3\t4\t5\t00000000000000ab\n"
                   "k_ab\tab\t0\t0\t0\t0\t0\t0000000000000000\twave=32\t"
                   "calls=1\n");
  KernelRow row;
  ASSERT_TRUE(findKernelRow(table, "k_a", row));
  EXPECT_EQ(row.name, "a\\tb\\nc\\\\");
  EXPECT_EQ(row.privateSize, 3u);
  EXPECT_EQ(row.flags, 4u);
  EXPECT_EQ(row.fingerprint, 0xabu);
  EXPECT_FALSE(row.is("calls"));
  ASSERT_TRUE(findKernelRow(table, "k_ab", row));
  EXPECT_TRUE(row.is("calls"));
  EXPECT_EQ(row.column("wave"), "32");
  EXPECT_EQ(row.column("sgprs"), std::nullopt);
  EXPECT_FALSE(findKernelRow(table, "k_", row));
}

using Use = KernelAccess::Use;
constexpr Use Nothing{false, false}, Reads{true, false}, Writes{false, true},
    Both{true, true};

TEST(KernelAccess, FollowsPaths) {
  KernelAccess access("0:r,8:r,0.0:rw,8.-16:w");
  ASSERT_TRUE(access.known());
  EXPECT_EQ(access({0}), Reads);
  EXPECT_EQ(access({0, 0}), Both);
  EXPECT_EQ(access({8, -16}), Writes);
  EXPECT_EQ(access({8, 16}), Nothing);
  EXPECT_EQ(access({16}), Nothing);
  EXPECT_EQ(access({0, 0, 0}), Nothing);
  EXPECT_TRUE(access.names(8));
  EXPECT_FALSE(access.names(16));
  KernelAccess::State at = access.step(KernelAccess::Block, 8);
  EXPECT_FALSE(access.ends(at));
  EXPECT_FALSE(access.uniform(at));
  EXPECT_TRUE(access.uniform(access.step(at, -16)));
  EXPECT_TRUE(access.ends(access.step(at, 8)));
}

TEST(KernelAccess, AnyOffsetAndAllBelow) {
  KernelAccess access("0.*:r,0.8:w,0.8.0:rw,0.*.16:w,24+:r,24.8:w,*.32:rw");
  ASSERT_TRUE(access.known());
  EXPECT_EQ(access({0}), Nothing);
  EXPECT_EQ(access({0, 40}), Reads);
  EXPECT_EQ(access({0, 8}), Both);
  EXPECT_EQ(access({0, 8, 0}), Both);
  EXPECT_EQ(access({0, 8, 16}), Writes);
  EXPECT_EQ(access({0, 40, 16}), Writes);
  EXPECT_EQ(access({0, 40, 0}), Nothing);
  EXPECT_EQ(access({0, 32}), Both);
  EXPECT_EQ(access({24}), Reads);
  EXPECT_EQ(access({24, 0, 96, -8}), Reads);
  EXPECT_EQ(access({24, 8}), Both);
  EXPECT_EQ(access({24, 8, 8}), Reads);
  EXPECT_EQ(access({77, 32}), Both);
  EXPECT_FALSE(access.names(77));
}

TEST(KernelAccess, NothingIsNotTheSameAsNothingKnown) {
  KernelAccess none("none");
  EXPECT_TRUE(none.known());
  EXPECT_EQ(none({0}), Nothing);
  EXPECT_TRUE(none.ends(none.step(KernelAccess::Block, 0)));
  KernelAccess unknown;
  EXPECT_FALSE(unknown.known());
  EXPECT_EQ(unknown({0, 8, -4}), Both);
  EXPECT_FALSE(unknown.ends(unknown.step(KernelAccess::Block, 0)));
}

TEST(KernelAccess, Overwrites) {
  struct {
    uint64_t first = 3, count = 100;
    int32_t small = 7, negative = -1;
  } block;
  const char *kernarg = reinterpret_cast<const char *>(&block);
  using Part = KernelAccess::Part;
  auto part = [&](const char *text, uint64_t threads,
                  size_t size = sizeof(block)) {
    KernelAccess access("0:r,0.0:w", text);
    EXPECT_TRUE(access.known()) << text;
    KernelAccess::State at =
        access.step(access.step(KernelAccess::Block, 0), 0);
    return access.overwritten(at, kernarg, size, threads);
  };
  EXPECT_EQ(part("0.0:4", 50), (Part{0, 200}));
  EXPECT_EQ(part("0.0:4@8u8", 128), (Part{0, 400}));
  EXPECT_EQ(part("0.0:4@8u8", 50), (Part{0, 200}));
  EXPECT_EQ(part("0.0:4@8u8+0u8", 128), (Part{12, 412}));
  EXPECT_EQ(part("8:2,0.0:12@16u4", 128), (Part{0, 84}));
  EXPECT_EQ(part("0.0:4@20s4", 128), (Part{0, 0}));
  EXPECT_EQ(part("0.0:4@20u4", 128), (Part{0, 512}));
  // Of other memory; of arguments that are not there; too much.
  EXPECT_EQ(part("0:4@8u8", 128), Part{});
  EXPECT_EQ(part("0.0:4@8u8", 128, 15), Part{});
  EXPECT_EQ(part("0.0:4@4294967295u8", 128), Part{});
  EXPECT_EQ(part("0.0:4@8u8", uint64_t(1) << 31), Part{});
  block.first = uint64_t(1) << 60;
  EXPECT_EQ(part("0.0:4@8u8+0u8", 128), Part{});
  for (const char *text :
       {"0.0", "0.0:", "0.0:0", "0.0:x", "0.0:4@", "0.0:4@8", "0.0:4@8u",
        "0.0:4@8u2", "0.0:4@8x8", "0.0:4+8u8@16u8", ",0.0:4", "0.0:4@8u8 ",
        "0.0:-4", "0.0:999999999", ".0:4", "0.0:4@-8u8"}) {
    KernelAccess access("0:r,0.0:w", text);
    EXPECT_FALSE(access.known()) << text;
  }
}

TEST(KernelAccess, OfAnyForm) {
  std::string deep = "0", many = "0:r";
  for (int i = 0; i != 20; ++i)
    deep += ".*";
  for (int i = 0; i != 5000; ++i)
    many += "," + std::to_string(i) + ":w";
  for (std::string text :
       {std::string(""), std::string(":rw"), std::string("0"),
        std::string("0:"), std::string("0:x"), std::string("0:wr"),
        std::string("0:r,"), std::string(",0:r"), std::string("0..8:r"),
        std::string("0.:r"), std::string("+:r"), std::string("**:r"),
        std::string("0x8:r"), std::string("8 :r"),
        std::string("99999999999999999999:r"), std::string("none,0:r"),
        deep + ":r", many, std::string(1 << 17, '0') + ":r"}) {
    KernelAccess access(text);
    EXPECT_FALSE(access.known()) << text.substr(0, 40);
    EXPECT_EQ(access({0, 0}), Both);
  }
}

TEST(KernelTable, ColumnsOfAnyForm) {
  std::string_view columns = "a=1\tb\t\t=2\tc=3=4", key, value;
  std::string all;
  while (nextColumn(columns, key, value))
    all += "<" + std::string(key) + "|" + std::string(value) + ">";
  EXPECT_EQ(all, "<a|1><b|><|><|2><c|3=4>");
}

TEST(OffloadReader, SurvivesEveryTruncation) {
  std::string data = sample();
  for (size_t size = 0; size != data.size(); ++size) {
    int count = readAll(data.substr(0, size));
    EXPECT_LE(count, 1) << size;
  }
}

TEST(OffloadReader, SurvivesEveryChangedByte) {
  std::string data = sample();
  for (size_t at = 0; at != data.size(); ++at)
    for (int change : {1, 0x80, 0xff}) {
      std::string changed = data;
      changed[at] = char(changed[at] ^ change);
      (void)readAll(changed);
    }
}

TEST(OffloadReader, SeesEveryChangedBit) {
  Strings map = imageStrings("0123456789");
  uint64_t sum = beginStrings(1, 0);
  for (const auto &[key, value] : map)
    sum += hashOfString(key, value);
  char text[17];
  snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(sum));
  map.push_back({"xcc.strings", text});
  std::string data = writeOffloadBinary("0123456789", map);
  auto read = [](const std::string &data, OffloadImage &i) {
    return OffloadReader(Bytes(data.data(), data.size())).next(i) &&
           i.stringsVerified && i.ours && i.intact();
  };
  OffloadImage good;
  ASSERT_TRUE(read(data, good));
  for (size_t bit = 0; bit != data.size() * 8; ++bit) {
    std::string changed = data;
    changed[bit / 8] ^= char(1 << bit % 8);
    OffloadImage i;
    if (!read(changed, i))
      continue;
    // Padding, or a number that nothing depends on.
    EXPECT_STREQ(i.triple, good.triple) << bit;
    EXPECT_STREQ(i.arch, good.arch) << bit;
    EXPECT_STREQ(i.kernels, good.kernels) << bit;
    EXPECT_EQ(i.imageKind, good.imageKind) << bit;
    EXPECT_EQ(std::string(i.data.data(), i.data.size()), "0123456789") << bit;
  }
}

TEST(OffloadReader, SurvivesExtremeNumbers) {
  std::string data = sample();
  for (size_t at = 0; at + 8 <= 32 + 40 + 16; at += 8)
    for (uint64_t value : {uint64_t(0), ~uint64_t(0), ~uint64_t(7),
                           uint64_t(1) << 63, uint64_t(data.size())}) {
      std::string changed = data;
      memcpy(&changed[at], &value, 8);
      (void)readAll(changed);
    }
}

TEST(ElfFile, SurvivesDamage) {
  const std::string &good = Unit::defaultImage();
  ASSERT_EQ(checkSharedObject(Bytes(good.data(), good.size())), nullptr);
  auto check = [](const std::string &data) {
    std::unique_ptr<char[]> exact(new char[data.size()]);
    memcpy(exact.get(), data.data(), data.size());
    Bytes file(exact.get(), data.size()), section;
    const char *why;
    (void)checkSharedObject(file);
    if (findSection(file, ".dynsym", section, why))
      (void)hashOf(section);
  };
  for (size_t size = 0; size < 1200; ++size)
    check(good.substr(0, size));
  for (size_t at = 0; at < 1200; ++at)
    for (int change : {1, 0x80, 0xff}) {
      std::string changed = good;
      changed[at] = char(changed[at] ^ change);
      check(changed);
    }
  // The section headers are at the file's end.
  for (size_t back = 1; back < 2400; back += 3) {
    std::string changed = good;
    changed[good.size() - back] ^= 0xff;
    check(changed);
  }
}

TEST(ElfFile, FindsSections) {
  const std::string &good = Unit::defaultImage();
  Bytes file(good.data(), good.size()), section;
  const char *why = nullptr;
  ASSERT_TRUE(findSection(file, ".dynsym", section, why));
  EXPECT_GT(section.size(), 0u);
  ASSERT_TRUE(findSection(file, ".absent", section, why));
  EXPECT_EQ(section.size(), 0u);
  EXPECT_FALSE(findSection(Bytes("hello", 5), ".x", section, why));
  EXPECT_STREQ(why, "is not an ELF file");
}

//===----------------------------------------------------------------------===//
// What images say of shared libraries
//===----------------------------------------------------------------------===//

/// In memory of exactly that size; every field that is handed out is read.
static size_t useOffers(const std::string &text) {
  std::unique_ptr<char[]> exact(new char[text.size()]);
  memcpy(exact.get(), text.data(), text.size());
  std::string_view all(exact.get(), text.size());
  size_t rows = 0, used = 0;
  LibraryRow row;
  for (std::string_view rest = all; nextLibraryRow(rest, row); ++rows)
    for (std::string_view field : row.fields)
      used += std::string(field).size() + sizeIn(field);
  LibraryExports exports(all);
  used += std::string(exports.library).size();
  used += exports.findVariable("s", row) + exports.hasFunction("g", "12");
  asm volatile("" : : "r"(used));
  return rows;
}

static const std::string libraryText = "l\tliba.so\tabcd\n"
                                       "v\ts\t8\tstrong\t_Z1s\n"
                                       "f\t12\tg\n";

TEST(LibraryExports, FindsWhatThereIs) {
  LibraryExports exports(libraryText);
  EXPECT_EQ(exports.library, "liba.so");
  EXPECT_EQ(exports.fingerprint, "abcd");
  LibraryRow row;
  ASSERT_TRUE(exports.findVariable("s", row));
  EXPECT_EQ(sizeIn(row.fields[1]), 8u);
  EXPECT_EQ(row.fields[2], "strong");
  EXPECT_EQ(row.fields[3], "_Z1s");
  EXPECT_FALSE(exports.findVariable("", row));
  EXPECT_FALSE(exports.findVariable("_Z1s", row));
  EXPECT_TRUE(exports.hasFunction("g", "12"));
  EXPECT_FALSE(exports.hasFunction("g", "13"));
  EXPECT_FALSE(exports.hasFunction("", ""));
}

TEST(LibraryExports, HasNothingWithoutALibrary) {
  LibraryRow row;
  for (const char *text :
       {"", "\n", "l", "v\ts\t8\tstrong\ts\n", "\nl\ta\tb\nv\ts\t8\n"}) {
    LibraryExports exports(text);
    EXPECT_FALSE(exports.findVariable("s", row)) << text;
    EXPECT_FALSE(exports.hasFunction("g", "12")) << text;
  }
}

TEST(LibraryExports, SizesAreNumbers) {
  EXPECT_EQ(sizeIn("18446744073709551615"), ~0ull);
  for (const char *text : {"", "x", "8x", "-8", " 8", "18446744073709551616"})
    EXPECT_EQ(sizeIn(text), 0u) << text;
}

TEST(LibraryExports, SurvivesDamage) {
  EXPECT_EQ(useOffers(libraryText), 3u);
  for (size_t size = 0; size <= libraryText.size(); ++size)
    useOffers(libraryText.substr(0, size));
  for (size_t at = 0; at != libraryText.size(); ++at)
    for (char with : {'\0', '\t', '\n', 'v', '\xff'}) {
      std::string damaged = libraryText;
      damaged[at] = with;
      useOffers(damaged);
    }
  EXPECT_EQ(useOffers(std::string(1000, '\t')), 1u);
  EXPECT_EQ(useOffers(std::string(1000, '\n')), 1000u);
}
