// xcc-info
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace xcc::test;

namespace {
struct Ended {
  int Status;
  std::string Output;
};
/// A file that goes with the test.
struct TemporaryFile {
  std::string Path;
  explicit TemporaryFile(const std::string &Data)
      : Path(testing::TempDir() + "xcc-info-" + std::to_string(getpid())) {
    std::ofstream(Path, std::ios::binary) << Data;
  }
  ~TemporaryFile() { unlink(Path.c_str()); }
};
} // namespace

static Ended info(const std::string &Arguments) {
  FILE *Pipe = popen((XCC_TEST_INFO " " + Arguments + " 2>&1").c_str(), "r");
  Ended E{-1, ""};
  char Buffer[4096];
  while (size_t N = fread(Buffer, 1, sizeof(Buffer), Pipe))
    E.Output.append(Buffer, N);
  int Status = pclose(Pipe);
  if (WIFEXITED(Status))
    E.Status = WEXITSTATUS(Status);
  return E;
}

/// An ELF file of nothing but an .llvm.offloading section.
static std::string elfWith(const std::string &Section) {
  std::string Names("\0.llvm.offloading\0.shstrtab\0", 28);
  std::string Out(64, '\0');
  auto Put = [&Out](size_t At, auto Value) {
    memcpy(&Out[At], &Value, sizeof(Value));
  };
  uint64_t SectionAt = Out.size();
  Out += Section;
  uint64_t NamesAt = Out.size();
  Out += Names;
  Out.resize((Out.size() + 7) / 8 * 8);
  uint64_t HeadersAt = Out.size();
  Out.resize(Out.size() + 3 * 64);
  memcpy(&Out[0],
         "\x7f"
         "ELF\2\1\1",
         7);
  Put(16, uint16_t(1)); // relocatable
  Put(18, uint16_t(62));
  Put(40, HeadersAt);
  Put(58, uint16_t(64));
  Put(60, uint16_t(3));
  Put(62, uint16_t(2));
  auto Header = [&](int Index, uint32_t Name, uint32_t Type, uint64_t At,
                    uint64_t Size) {
    Put(HeadersAt + Index * 64, Name);
    Put(HeadersAt + Index * 64 + 4, Type);
    Put(HeadersAt + Index * 64 + 24, At);
    Put(HeadersAt + Index * 64 + 32, Size);
  };
  Header(1, 1, 1, SectionAt, Section.size());
  Header(2, 18, 3, NamesAt, Names.size());
  return Out;
}

TEST(Info, Devices) {
  Ended E = info("");
  EXPECT_EQ(E.Status, 0);
  EXPECT_NE(E.Output.find("device 0: host, "), std::string::npos) << E.Output;
  E = info("--json");
  auto J = nlohmann::json::parse(E.Output);
  EXPECT_EQ(J["devices"][0]["kind"], "host");
  EXPECT_EQ(J["devices"][0]["warp_size"], 32);
}

TEST(Info, ImagesAndKernels) {
  TemporaryFile File(elfWith(Unit::defaultSection()));
  Ended E = info(File.Path);
  EXPECT_EQ(E.Status, 0) << E.Output;
  EXPECT_NE(E.Output.find("1 image\n  x86_64-pc-linux-gnu x86-64-v2, object"),
            std::string::npos)
      << E.Output;
  EXPECT_NE(E.Output.find("increment  [k_increment]  arguments 8"),
            std::string::npos);
  auto J = nlohmann::json::parse(info("--json " + File.Path).Output);
  auto &Image = J["files"][0]["images"][0];
  EXPECT_EQ(Image["size"], Unit::defaultImage().size());
  EXPECT_EQ(Image["intact"], true);
  EXPECT_EQ(Image["kernels"].size(), 2u);
  EXPECT_EQ(Image["kernels"][1]["symbol"], "k_increment");
}

TEST(Info, FilesWithoutImages) {
  Ended E = info(XCC_TEST_INFO);
  EXPECT_EQ(E.Status, 0) << E.Output;
  EXPECT_NE(E.Output.find(": 0 images"), std::string::npos);
}

TEST(Info, BadInput) {
  for (const char *Arguments : {"--bogus", "/nonexistent", "/"}) {
    Ended E = info(Arguments);
    EXPECT_EQ(E.Status, 1);
    EXPECT_EQ(E.Output.find("xcc-info: "), 0u) << E.Output;
  }
  TemporaryFile NotElf("hello");
  Ended E = info(NotElf.Path);
  EXPECT_EQ(E.Status, 1);
  EXPECT_NE(E.Output.find("is not an ELF file"), std::string::npos);
  std::string Section = Unit::defaultSection();
  TemporaryFile Damaged(elfWith(Section.substr(0, Section.size() / 2)));
  E = info(Damaged.Path);
  EXPECT_EQ(E.Status, 1);
  EXPECT_NE(E.Output.find("cut short"), std::string::npos) << E.Output;
}

TEST(Info, HelpAndVersion) {
  EXPECT_EQ(info("--help").Output.find("usage: xcc-info"), 0u);
  EXPECT_EQ(info("--version").Output.find("xcc-info "), 0u);
}
