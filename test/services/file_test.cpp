// Files of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

#include <cerrno>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace xcc::test;

namespace {
using File = Services;
}

TEST_F(File, WritesAndReads) {
  std::string name = temporary();
  void *f = dev_fopen(name.c_str(), "w+");
  ASSERT_TRUE(f);
  std::string data;
  for (int i = 0; i != 10000; ++i)
    data += char(i * 7);
  EXPECT_EQ(dev_fwrite(data.data(), 1, data.size(), f), data.size());
  EXPECT_EQ(dev_ftell(f), 10000);
  EXPECT_EQ(dev_fseek(f, 5000, SEEK_SET), 0);
  std::string got(6000, 0);
  EXPECT_EQ(dev_fread(got.data(), 1, got.size(), f), 5000u);
  EXPECT_EQ(got.substr(0, 5000), data.substr(5000));
  EXPECT_EQ(dev_feof(f), 1);
  EXPECT_EQ(dev_ferror(f), 0);
  dev_clearerr(f);
  EXPECT_EQ(dev_feof(f), 0);
  dev_rewind(f);
  EXPECT_EQ(dev_ftell(f), 0);
  EXPECT_EQ(dev_fread(got.data(), 300, 3, f), 3u);
  EXPECT_EQ(got.substr(0, 900), data.substr(0, 900));
  EXPECT_EQ(dev_fflush(f), 0);
  EXPECT_EQ(dev_fflush(nullptr), 0);
  EXPECT_EQ(dev_fclose(f), 0);
  EXPECT_EQ(dev_fclose(f), -1);
  EXPECT_EQ(*dev_errno_location(), EBADF);
}

TEST_F(File, MoreThanOneTransfer) {
  std::string name = temporary();
  std::string data((1 << 20) + 1001, 'x');
  data[1 << 20] = 'y';
  void *f = dev_fopen(name.c_str(), "w+");
  EXPECT_EQ(dev_fwrite(data.data(), 1, data.size(), f), data.size());
  dev_rewind(f);
  std::string got(data.size() + 5, 0);
  EXPECT_EQ(dev_fread(got.data(), 1, got.size(), f), data.size());
  EXPECT_EQ(got.substr(0, data.size()), data);
  dev_rewind(f);
  EXPECT_TRUE(dev_fgets(got.data(), int(got.size()), f));
  EXPECT_EQ(got.c_str(), data);
  dev_fclose(f);
}

TEST_F(File, LinesAndCharacters) {
  std::string name = temporary();
  std::ofstream(name) << "first\nsecond line\n\nlast";
  void *f = dev_fopen(name.c_str(), "r");
  char line[32];
  EXPECT_EQ(dev_fgets(line, sizeof line, f), line);
  EXPECT_STREQ(line, "first\n");
  EXPECT_EQ(dev_fgets(line, 5, f), line);
  EXPECT_STREQ(line, "seco");
  EXPECT_EQ(dev_fgetc(f), 'n');
  EXPECT_EQ(dev_ungetc('N', f), 'N');
  EXPECT_EQ(dev_fgets(line, sizeof line, f), line);
  EXPECT_STREQ(line, "Nd line\n");
  EXPECT_EQ(dev_fgets(line, 1, f), line);
  EXPECT_STREQ(line, "");
  EXPECT_EQ(dev_fgets(line, sizeof line, f), line);
  EXPECT_STREQ(line, "\n");
  EXPECT_EQ(dev_fgets(line, sizeof line, f), line);
  EXPECT_STREQ(line, "last");
  EXPECT_EQ(dev_fgets(line, sizeof line, f), nullptr);
  EXPECT_EQ(dev_fgetc(f), -1);
  dev_fclose(f);
}

TEST_F(File, LinesOfLanes) {
  std::string name = temporary();
  {
    std::ofstream out(name);
    for (int i = 0; i != 16; ++i)
      out << "line " << i << '\n';
  }
  void *f = dev_fopen(name.c_str(), "r");
  onWarp(0xffff, [&](uint32_t l) {
    char line[32];
    ASSERT_TRUE(dev_fgets(line, sizeof line, f));
    EXPECT_EQ(line, "line " + std::to_string(l) + "\n");
  });
  dev_fclose(f);
}

TEST_F(File, Failures) {
  *dev_errno_location() = 0;
  EXPECT_EQ(dev_fopen("/no/such/file", "r"), nullptr);
  EXPECT_EQ(*dev_errno_location(), ENOENT);
  EXPECT_EQ(dev_fopen("/tmp", "no mode"), nullptr);
  EXPECT_EQ(*dev_errno_location(), EINVAL);
  char buffer[8];
  // Handles that are none: small, large, an address.
  for (uint64_t wild :
       {uint64_t(0), uint64_t(4), uint64_t(99), uint64_t(1) << 40,
        reinterpret_cast<uint64_t>(buffer), ~uint64_t(0)}) {
    void *f = reinterpret_cast<void *>(wild);
    *dev_errno_location() = 0;
    EXPECT_EQ(dev_fread(buffer, 1, 8, f), 0u);
    EXPECT_EQ(*dev_errno_location(), EBADF);
    EXPECT_EQ(dev_fwrite(buffer, 1, 8, f), 0u);
    EXPECT_EQ(dev_fgetc(f), -1);
    EXPECT_EQ(dev_fseek(f, 0, SEEK_SET), -1);
    EXPECT_EQ(dev_ftell(f), -1);
    EXPECT_EQ(dev_fclose(f), -1);
    EXPECT_EQ(dev_fputs("x", f), -1);
  }
  std::string name = temporary();
  void *f = dev_fopen(name.c_str(), "r");
  EXPECT_EQ(dev_fseek(f, -1, SEEK_SET), -1);
  EXPECT_EQ(dev_fseek(f, 0, 17), -1);
  EXPECT_EQ(*dev_errno_location(), EINVAL);
  EXPECT_EQ(dev_fwrite("x", ~size_t(0), 2, f), 0u);
  dev_fclose(f);
}

TEST_F(File, ReadAndWrittenWithNothingBetween) {
  std::string name = temporary();
  std::ofstream(name) << "abcdef";
  void *f = dev_fopen(name.c_str(), "r+");
  EXPECT_EQ(dev_fgetc(f), 'a');
  EXPECT_EQ(dev_ungetc('x', f), 'x');
  EXPECT_EQ(dev_fputs("12", f), 1);
  EXPECT_EQ(dev_fgetc(f), 'c');
  dev_fclose(f);
  EXPECT_EQ(contents(name), "12cdef");
  f = dev_fopen(name.c_str(), "w");
  EXPECT_EQ(dev_ungetc('x', f), -1);
  EXPECT_EQ(dev_fgetc(f), -1);
  EXPECT_EQ(*dev_errno_location(), EBADF);
  dev_fclose(f);
}

TEST_F(File, RemoveAndRename) {
  std::string name = temporary(), other = name + ".other";
  EXPECT_EQ(dev_rename(name.c_str(), other.c_str()), 0);
  EXPECT_NE(access(name.c_str(), F_OK), 0);
  EXPECT_EQ(dev_remove(other.c_str()), 0);
  EXPECT_NE(access(other.c_str(), F_OK), 0);
  EXPECT_EQ(dev_remove(other.c_str()), -1);
  EXPECT_EQ(*dev_errno_location(), ENOENT);
}

TEST_F(File, ClosedWhileOthersUseIt) {
  std::string name = temporary();
  for (int round = 0; round != 20; ++round) {
    void *f = dev_fopen(name.c_str(), "w");
    std::thread other([&] {
      while (dev_fputs("text", f) == 1)
        ;
    });
    std::this_thread::yield();
    EXPECT_EQ(dev_fclose(f), 0);
    other.join();
  }
}
