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

/// A member's header and contents, as ar writes them.
static std::string member(std::string name, const std::string &data) {
  char header[61];
  snprintf(header, sizeof(header), "%-16s%-12d%-6d%-6d%-8o%-10zu`\n",
           name.c_str(), 0, 0, 0, 0644, data.size());
  return header + data + (data.size() % 2 ? "\n" : "");
}

TEST(Info, Archives) {
  const std::string elf = elfWith(Unit::defaultSection());
  const std::string index = member("/", std::string(7, '\0'));
  const std::string names =
      member("//", "no_such_member_beside_the_archive.o/\n");
  TemporaryFile archive("!<arch>\n" + index + names + member("short.o/", elf) +
                        member("text/", "no object") + member("/0", elf));
  Ended e = info(archive.path);
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_NE(e.output.find("(short.o): 1 image\n"), std::string::npos)
      << e.output;
  EXPECT_NE(e.output.find("(no_such_member_beside_the_archive.o): 1 image\n"),
            std::string::npos);
  EXPECT_EQ(e.output.find("text"), std::string::npos);
  auto j = nlohmann::json::parse(info("--json " + archive.path).output);
  EXPECT_EQ(j["files"].size(), 2u);

  TemporaryFile thin(
      "!<thin>\n" + index + names +
      "/0              0           0     0     644     99        `\n");
  e = info(thin.path);
  EXPECT_EQ(e.status, 1);
  EXPECT_NE(e.output.find("no_such_member_beside_the_archive.o): No such file"),
            std::string::npos)
      << e.output;

  // Wherever it is cut, there is an answer.
  const std::string whole = "!<arch>\n" + names + member("/0", elf);
  for (size_t length = 8; length < whole.size(); length += 1 + length / 8) {
    TemporaryFile cut(whole.substr(0, length));
    EXPECT_LT(info(cut.path).status, 2) << length;
  }
  TemporaryFile nameless("!<arch>\n" + member("/9", elf));
  EXPECT_NE(info(nameless.path).output.find("name is not there"),
            std::string::npos);
  TemporaryFile bitcode("BC\xc0\xde....");
  EXPECT_NE(info(bitcode.path).output.find("compiled with -flto"),
            std::string::npos);
}

TEST(Info, Environment) {
  Ended e = info("--env");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_NE(e.output.find("XCC_CPU_THREADS"), std::string::npos);
  setenv("XCC_CPU_THREDS", "2", 1);
  setenv("XCC_CPU_STACK", "much", 1);
  e = info("--env");
  unsetenv("XCC_CPU_THREDS");
  unsetenv("XCC_CPU_STACK");
  EXPECT_EQ(e.status, 1);
  EXPECT_NE(e.output.find("XCC_CPU_THREDS is set, and nothing reads it"),
            std::string::npos)
      << e.output;
  EXPECT_NE(e.output.find("is much; takes BYTES"), std::string::npos);
  EXPECT_NE(e.output.find("XCC_CPU_STACK=much: expected a number of bytes"),
            std::string::npos)
      << e.output;
}

TEST(Info, HelpAndVersion) {
  EXPECT_EQ(info("--help").output.find("usage: xcc-info"), 0u);
  EXPECT_EQ(info("--version").output.find("xcc-info "), 0u);
}
