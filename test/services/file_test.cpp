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
  std::string Name = temporary();
  void *F = dev_fopen(Name.c_str(), "w+");
  ASSERT_TRUE(F);
  std::string Data;
  for (int I = 0; I != 10000; ++I)
    Data += char(I * 7);
  EXPECT_EQ(dev_fwrite(Data.data(), 1, Data.size(), F), Data.size());
  EXPECT_EQ(dev_ftell(F), 10000);
  EXPECT_EQ(dev_fseek(F, 5000, SEEK_SET), 0);
  std::string Got(6000, 0);
  EXPECT_EQ(dev_fread(Got.data(), 1, Got.size(), F), 5000u);
  EXPECT_EQ(Got.substr(0, 5000), Data.substr(5000));
  EXPECT_EQ(dev_feof(F), 1);
  EXPECT_EQ(dev_ferror(F), 0);
  dev_clearerr(F);
  EXPECT_EQ(dev_feof(F), 0);
  dev_rewind(F);
  EXPECT_EQ(dev_ftell(F), 0);
  EXPECT_EQ(dev_fread(Got.data(), 300, 3, F), 3u);
  EXPECT_EQ(Got.substr(0, 900), Data.substr(0, 900));
  EXPECT_EQ(dev_fflush(F), 0);
  EXPECT_EQ(dev_fflush(nullptr), 0);
  EXPECT_EQ(dev_fclose(F), 0);
  EXPECT_EQ(dev_fclose(F), -1);
  EXPECT_EQ(*dev_errno_location(), EBADF);
}

TEST_F(File, MoreThanOneTransfer) {
  std::string Name = temporary();
  std::string Data((1 << 20) + 1001, 'x');
  Data[1 << 20] = 'y';
  void *F = dev_fopen(Name.c_str(), "w+");
  EXPECT_EQ(dev_fwrite(Data.data(), 1, Data.size(), F), Data.size());
  dev_rewind(F);
  std::string Got(Data.size() + 5, 0);
  EXPECT_EQ(dev_fread(Got.data(), 1, Got.size(), F), Data.size());
  EXPECT_EQ(Got.substr(0, Data.size()), Data);
  dev_rewind(F);
  EXPECT_TRUE(dev_fgets(Got.data(), int(Got.size()), F));
  EXPECT_EQ(Got.c_str(), Data);
  dev_fclose(F);
}

TEST_F(File, LinesAndCharacters) {
  std::string Name = temporary();
  std::ofstream(Name) << "first\nsecond line\n\nlast";
  void *F = dev_fopen(Name.c_str(), "r");
  char Line[32];
  EXPECT_EQ(dev_fgets(Line, sizeof Line, F), Line);
  EXPECT_STREQ(Line, "first\n");
  EXPECT_EQ(dev_fgets(Line, 5, F), Line);
  EXPECT_STREQ(Line, "seco");
  EXPECT_EQ(dev_fgetc(F), 'n');
  EXPECT_EQ(dev_ungetc('N', F), 'N');
  EXPECT_EQ(dev_fgets(Line, sizeof Line, F), Line);
  EXPECT_STREQ(Line, "Nd line\n");
  EXPECT_EQ(dev_fgets(Line, 1, F), Line);
  EXPECT_STREQ(Line, "");
  EXPECT_EQ(dev_fgets(Line, sizeof Line, F), Line);
  EXPECT_STREQ(Line, "\n");
  EXPECT_EQ(dev_fgets(Line, sizeof Line, F), Line);
  EXPECT_STREQ(Line, "last");
  EXPECT_EQ(dev_fgets(Line, sizeof Line, F), nullptr);
  EXPECT_EQ(dev_fgetc(F), -1);
  dev_fclose(F);
}

TEST_F(File, LinesOfLanes) {
  std::string Name = temporary();
  {
    std::ofstream Out(Name);
    for (int I = 0; I != 16; ++I)
      Out << "line " << I << '\n';
  }
  void *F = dev_fopen(Name.c_str(), "r");
  onWarp(0xffff, [&](uint32_t L) {
    char Line[32];
    ASSERT_TRUE(dev_fgets(Line, sizeof Line, F));
    EXPECT_EQ(Line, "line " + std::to_string(L) + "\n");
  });
  dev_fclose(F);
}

TEST_F(File, Failures) {
  *dev_errno_location() = 0;
  EXPECT_EQ(dev_fopen("/no/such/file", "r"), nullptr);
  EXPECT_EQ(*dev_errno_location(), ENOENT);
  EXPECT_EQ(dev_fopen("/tmp", "no mode"), nullptr);
  EXPECT_EQ(*dev_errno_location(), EINVAL);
  char Buffer[8];
  // Handles that are none: small, large, an address.
  for (uint64_t Wild :
       {uint64_t(0), uint64_t(4), uint64_t(99), uint64_t(1) << 40,
        reinterpret_cast<uint64_t>(Buffer), ~uint64_t(0)}) {
    void *F = reinterpret_cast<void *>(Wild);
    *dev_errno_location() = 0;
    EXPECT_EQ(dev_fread(Buffer, 1, 8, F), 0u);
    EXPECT_EQ(*dev_errno_location(), EBADF);
    EXPECT_EQ(dev_fwrite(Buffer, 1, 8, F), 0u);
    EXPECT_EQ(dev_fgetc(F), -1);
    EXPECT_EQ(dev_fseek(F, 0, SEEK_SET), -1);
    EXPECT_EQ(dev_ftell(F), -1);
    EXPECT_EQ(dev_fclose(F), -1);
    EXPECT_EQ(dev_fputs("x", F), -1);
  }
  std::string Name = temporary();
  void *F = dev_fopen(Name.c_str(), "r");
  EXPECT_EQ(dev_fseek(F, -1, SEEK_SET), -1);
  EXPECT_EQ(dev_fseek(F, 0, 17), -1);
  EXPECT_EQ(*dev_errno_location(), EINVAL);
  EXPECT_EQ(dev_fwrite("x", ~size_t(0), 2, F), 0u);
  dev_fclose(F);
}

TEST_F(File, ReadAndWrittenWithNothingBetween) {
  std::string Name = temporary();
  std::ofstream(Name) << "abcdef";
  void *F = dev_fopen(Name.c_str(), "r+");
  EXPECT_EQ(dev_fgetc(F), 'a');
  EXPECT_EQ(dev_ungetc('x', F), 'x');
  EXPECT_EQ(dev_fputs("12", F), 1);
  EXPECT_EQ(dev_fgetc(F), 'c');
  dev_fclose(F);
  EXPECT_EQ(contents(Name), "12cdef");
  F = dev_fopen(Name.c_str(), "w");
  EXPECT_EQ(dev_ungetc('x', F), -1);
  EXPECT_EQ(dev_fgetc(F), -1);
  EXPECT_EQ(*dev_errno_location(), EBADF);
  dev_fclose(F);
}

TEST_F(File, RemoveAndRename) {
  std::string Name = temporary(), Other = Name + ".other";
  EXPECT_EQ(dev_rename(Name.c_str(), Other.c_str()), 0);
  EXPECT_NE(access(Name.c_str(), F_OK), 0);
  EXPECT_EQ(dev_remove(Other.c_str()), 0);
  EXPECT_NE(access(Other.c_str(), F_OK), 0);
  EXPECT_EQ(dev_remove(Other.c_str()), -1);
  EXPECT_EQ(*dev_errno_location(), ENOENT);
}

TEST_F(File, ClosedWhileOthersUseIt) {
  std::string Name = temporary();
  for (int Round = 0; Round != 20; ++Round) {
    void *F = dev_fopen(Name.c_str(), "w");
    std::thread Other([&] {
      while (dev_fputs("text", F) == 1)
        ;
    });
    std::this_thread::yield();
    EXPECT_EQ(dev_fclose(F), 0);
    Other.join();
  }
}
