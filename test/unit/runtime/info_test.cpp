// xcc-info
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command.h"
#include "unit.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace xcc::test;

namespace {
/// A file that goes with the test.
struct TemporaryFile {
  std::string path;
  explicit TemporaryFile(const std::string &data)
      : path(testing::TempDir() + "xcc-info-" + std::to_string(getpid())) {
    std::ofstream(path, std::ios::binary) << data;
  }
  ~TemporaryFile() { unlink(path.c_str()); }
};
} // namespace

static Ended info(const std::string &arguments) {
  return runCommand(XCC_TEST_INFO " " + arguments);
}

/// An ELF file of nothing but an .llvm.offloading section.
static std::string elfWith(const std::string &section) {
  std::string names("\0.llvm.offloading\0.shstrtab\0", 28);
  std::string out(64, '\0');
  auto put = [&out](size_t at, auto value) {
    memcpy(&out[at], &value, sizeof(value));
  };
  uint64_t sectionAt = out.size();
  out += section;
  uint64_t namesAt = out.size();
  out += names;
  out.resize((out.size() + 7) / 8 * 8);
  uint64_t headersAt = out.size();
  out.resize(out.size() + 3 * 64);
  memcpy(&out[0],
         "\x7f"
         "ELF\2\1\1",
         7);
  put(16, uint16_t(1)); // relocatable
  put(18, uint16_t(62));
  put(40, headersAt);
  put(58, uint16_t(64));
  put(60, uint16_t(3));
  put(62, uint16_t(2));
  auto header = [&](int index, uint32_t name, uint32_t type, uint64_t at,
                    uint64_t size) {
    put(headersAt + index * 64, name);
    put(headersAt + index * 64 + 4, type);
    put(headersAt + index * 64 + 24, at);
    put(headersAt + index * 64 + 32, size);
  };
  header(1, 1, 1, sectionAt, section.size());
  header(2, 18, 3, namesAt, names.size());
  return out;
}

TEST(Info, Devices) {
  Ended e = info("");
  EXPECT_EQ(e.status, 0);
  EXPECT_NE(e.output.find("device 0: host, "), std::string::npos) << e.output;
  e = info("--json");
  auto j = nlohmann::json::parse(e.output);
  EXPECT_EQ(j["devices"][0]["kind"], "host");
  EXPECT_EQ(j["devices"][0]["warp_size"], 32);
}

TEST(Info, ImagesAndKernels) {
  TemporaryFile file(elfWith(Unit::defaultSection()));
  Ended e = info(file.path);
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_NE(e.output.find("1 image\n  x86_64-pc-linux-gnu x86-64-v2, object"),
            std::string::npos)
      << e.output;
  EXPECT_NE(e.output.find("increment  [k_increment]  arguments 8"),
            std::string::npos);
  auto j = nlohmann::json::parse(info("--json " + file.path).output);
  auto &image = j["files"][0]["images"][0];
  EXPECT_EQ(image["size"], Unit::defaultImage().size());
  EXPECT_EQ(image["intact"], true);
  EXPECT_EQ(image["kernels"].size(), 2u);
  EXPECT_EQ(image["kernels"][1]["symbol"], "k_increment");
}

TEST(Info, FilesWithoutImages) {
  Ended e = info(XCC_TEST_INFO);
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_NE(e.output.find(": 0 images"), std::string::npos);
}

TEST(Info, BadInput) {
  for (const char *arguments : {"--bogus", "/nonexistent", "/"}) {
    Ended e = info(arguments);
    EXPECT_EQ(e.status, 1);
    EXPECT_EQ(e.output.find("xcc-info: "), 0u) << e.output;
  }
  TemporaryFile notElf("hello");
  Ended e = info(notElf.path);
  EXPECT_EQ(e.status, 1);
  EXPECT_NE(e.output.find("is not an ELF file"), std::string::npos);
  std::string section = Unit::defaultSection();
  TemporaryFile damaged(elfWith(section.substr(0, section.size() / 2)));
  e = info(damaged.path);
  EXPECT_EQ(e.status, 1);
  EXPECT_NE(e.output.find("cut short"), std::string::npos) << e.output;
}

TEST(Info, HelpAndVersion) {
  EXPECT_EQ(info("--help").output.find("usage: xcc-info"), 0u);
  EXPECT_EQ(info("--version").output.find("xcc-info "), 0u);
}
