// Settings, process ends and plugins
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test runs a program of its own (child.cpp).

#include "command.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

using namespace xcc::test;

static Ended run(const std::string &settings, const std::string &arguments,
                 const std::string &program = XCC_TEST_CHILD) {
  return runCommand("env " + settings + " " + program + " " + arguments);
}

static std::string temporaryFile(const char *name) {
  return testing::TempDir() + "xcc-" + std::to_string(getpid()) + "-" + name;
}

TEST(Process, WorksAndEnds) {
  Ended e = run("", "work");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_EQ(e.output, "");
}

TEST(Process, OnTheSharedLibrary) {
  for (const char *mode : {"work", "leave", "nothing"}) {
    Ended e = run("", mode, XCC_TEST_CHILD_SHARED);
    EXPECT_EQ(e.status, 0) << e.output;
  }
}

TEST(Process, DeviceSetting) {
  for (const char *good : {"host", "cpu", "host:0", "''"}) {
    Ended e = run(std::string("XCC_DEVICE=") + good, "work");
    EXPECT_EQ(e.status, 0) << e.output;
  }
  for (const char *absent : {"cuda:0", "hsa:1", "cuda"}) {
    Ended e = run(std::string("XCC_DEVICE=") + absent, "work");
    EXPECT_EQ(e.status, 1);
    EXPECT_NE(e.output.find("available: host"), std::string::npos) << e.output;
  }
  Ended e = run("XCC_DEVICE=toaster", "work");
  EXPECT_EQ(e.status, 1);
  EXPECT_NE(e.output.find("XCC_DEVICE=toaster: no such device; available: "
                          "host"),
            std::string::npos)
      << e.output;
}

TEST(Process, ThreadSetting) {
  for (const char *good : {"1", "2", "7"})
    EXPECT_EQ(run(std::string("XCC_CPU_THREADS=") + good, "work").status, 0);
  for (const char *bad : {"0", "x", "-1", "99999"}) {
    Ended e = run(std::string("XCC_CPU_THREADS=") + bad, "work");
    EXPECT_EQ(e.status, 1);
    EXPECT_NE(e.output.find("expected a number from 1 to 1024"),
              std::string::npos)
        << e.output;
  }
}

TEST(Process, EverySettingIsChecked) {
  // Also those of devices that the machine lacks.
  struct {
    const char *good, *bad, *says;
  } settings[] = {
      {"XCC_CPU_STACK=65536", "XCC_CPU_STACK=64k",
       "expected a number of bytes from 16384 to 67108864"},
      {"XCC_CPU_STACK=16384", "XCC_CPU_STACK=16383",
       "expected a number of bytes from 16384 to 67108864"},
      {"XCC_CPU_THREADS=2", "XCC_CPU_THREADS=+2",
       "expected a number from 1 to 1024"},
      {"XCC_EXIT_WAIT=0", "XCC_EXIT_WAIT=0x1",
       "expected a number from 0 to 1000000"},
      {"XCC_CUDA_STACK=4096", "XCC_CUDA_STACK=99999999999999999999",
       "expected a number of bytes from 1024 to 262144"},
      {"XCC_HSA_STACK=4096", "XCC_HSA_STACK=-1",
       "expected a number of bytes from 1024 to 131072"},
      {"XCC_COARSEN=0", "XCC_COARSEN=2", "expected a number from 0 to 1"},
      {"XCC_DEVICE_HEAP=0", "XCC_DEVICE_HEAP=4k",
       "expected a number of bytes from 0 to 1099511627776"},
      {"XCC_DENY_SERVICES=output,process", "XCC_DENY_SERVICES=Output",
       "'Output' is not one of output, input"},
      {"XCC_DEVICE=host", "XCC_DEVICE=host:", "no such device"},
  };
  for (auto &s : settings) {
    Ended e = run(s.good, "work");
    EXPECT_EQ(e.status, 0) << s.good << e.output;
    for (const char *mode : {"work", "set-device"}) {
      e = run(s.bad, mode);
      EXPECT_EQ(e.status, 1) << s.bad;
      EXPECT_NE(e.output.find(std::string(s.bad) + ": " + s.says),
                std::string::npos)
          << s.bad << ": " << e.output;
    }
  }
}

TEST(Process, OneCore) {
  Ended e = run("-u XCC_CPU_THREADS", "one-core");
  EXPECT_EQ(e.status, 0) << e.output;
}

TEST(Process, UrgentWorkBeginsFirst) {
  Ended e = run("XCC_CPU_THREADS=2", "priorities");
  EXPECT_EQ(e.status, 0);
  EXPECT_EQ(e.output, "-1 0 1\n");
}

TEST(Process, LogSetting) {
  Ended e = run("XCC_LOG=load,memory", "work");
  EXPECT_EQ(e.status, 0);
  EXPECT_NE(e.output.find("xcc: load: device 0: loaded the x86-64-v2 image"),
            std::string::npos)
      << e.output;
  EXPECT_NE(e.output.find("xcc: memory: allocated 16384 bytes"),
            std::string::npos);
  e = run("XCC_LOG=nonsense", "work");
  EXPECT_EQ(e.status, 0);
  EXPECT_NE(e.output.find("no category 'nonsense'"), std::string::npos);
}

TEST(Process, LeavesWorkBehind) {
  Ended e = run("", "leave");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_EQ(e.output, "");
}

TEST(Process, FailureNobodyWaitedForIsShown) {
  for (const char *mode : {"leave-failed", "leave-destroyed"}) {
    Ended e = run("", mode);
    EXPECT_EQ(e.status, 0) << e.output;
    EXPECT_NE(e.output.find("nothing synchronised with it: kernel 'bad_write'"),
              std::string::npos)
        << e.output;
  }
}

TEST(Process, UnloadWithoutALaunch) {
  Ended e = run("", "nothing");
  EXPECT_EQ(e.status, 0) << e.output;
}

#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
TEST(Process, FilesMayNotGrow) {
  std::string file = temporaryFile("limited");
  Ended e = run("XCC_TRACE=" + file, "no-files");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_NE(e.output.find("): cannot write"), std::string::npos) << e.output;
  EXPECT_NE(e.output.find("XCC_TRACE: cannot write"), std::string::npos)
      << e.output;
  EXPECT_NE(access(file.c_str(), F_OK), 0);
}

TEST(Process, ClosedFilesAreTheProgramsToUse) {
  for (const char *closed : {"", "<&-", "<&- >&-", "<&- >&- 2>&-"}) {
    Ended e = run(std::string("sh -c 'exec \"$@\" ") + closed + "' sh",
                  "closed-files");
    EXPECT_EQ(e.status, 0) << closed << e.output;
  }
}

#if !__has_feature(thread_sanitizer)
TEST(Process, ForksThatRunNoHandlers) {
  for (const char *how : {"_Fork", "clone"}) {
    Ended e = run("ASAN_OPTIONS=detect_leaks=0", std::string("fork ") + how);
    EXPECT_EQ(e.status, 0) << how << e.output;
    EXPECT_NE(e.output.find("this process was forked"), std::string::npos)
        << e.output;
  }
}

TEST(Process, ForkAfterUse) {
  // The child has no worker threads, so what they own looks lost to it.
  Ended e = run("ASAN_OPTIONS=detect_leaks=0", "fork");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_NE(e.output.find("forked"), std::string::npos) << e.output;
}
#endif

#ifdef XCC_TEST_PLUGIN
TEST(Process, PluginWithItsOwnRuntime) {
  Ended e = run("", "plugin " XCC_TEST_PLUGIN);
  EXPECT_EQ(e.status, 0) << e.output;
}
#endif

TEST(Trace, IsValidAndLinksLaunchesWithRuns) {
  std::string file = temporaryFile("trace.json");
  Ended e = run("XCC_TRACE=" + file, "work");
  EXPECT_EQ(e.status, 0) << e.output;
  std::ifstream in(file);
  nlohmann::json trace = nlohmann::json::parse(in);
  std::set<uint64_t> starts, ends;
  unsigned kernels = 0, copies = 0, launches = 0;
  for (const nlohmann::json &event : trace["traceEvents"]) {
    std::string phase = event["ph"];
    if (phase == "s")
      starts.insert(uint64_t(event["id"]));
    if (phase == "f")
      ends.insert(uint64_t(event["id"]));
    if (phase != "X")
      continue;
    EXPECT_GE(double(event["dur"]), 0.0);
    kernels += event["cat"] == "kernel" && event["name"] == "increment";
    copies += event["cat"] == "copy";
    launches += event["cat"] == "launch";
  }
  EXPECT_EQ(launches, 100u);
  EXPECT_GE(kernels, 100u);
  EXPECT_GE(copies, 2u);
  EXPECT_EQ(starts.size(), 100u);
  EXPECT_EQ(starts, ends);
  unlink(file.c_str());
}

TEST(Trace, UnwritableFileIsSaid) {
  Ended e = run("XCC_TRACE=/nonexistent/t.json", "work");
  EXPECT_EQ(e.status, 0);
  EXPECT_NE(e.output.find("XCC_TRACE: cannot write"), std::string::npos)
      << e.output;
}

TEST(Trace, DevicesAndFifosStay) {
  struct stat status;
  Ended e = run("XCC_TRACE=/dev/full", "work");
  EXPECT_NE(e.output.find("XCC_TRACE: cannot write /dev/full"),
            std::string::npos)
      << e.output;
  ASSERT_EQ(stat("/dev/full", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  std::string fifo = temporaryFile("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  e = run("XCC_TRACE=" + fifo, "work & cat " + fifo + "; wait");
  EXPECT_NE(e.output.find("traceEvents"), std::string::npos) << e.output;
  ASSERT_EQ(lstat(fifo.c_str(), &status), 0);
  EXPECT_TRUE(S_ISFIFO(status.st_mode));
  unlink(fifo.c_str());
}

TEST(Trace, LinksAreReplaced) {
  std::string link = temporaryFile("link"), other = temporaryFile("other");
  std::ofstream(other) << "precious";
  ASSERT_EQ(symlink(other.c_str(), link.c_str()), 0);
  // The name that used to be taken for the unfinished file.
  ASSERT_EQ(symlink(other.c_str(), (link + ".tmp").c_str()), 0);
  EXPECT_EQ(run("XCC_TRACE=" + link, "work").status, 0);
  std::string text;
  std::ifstream(other) >> text;
  EXPECT_EQ(text, "precious");
  struct stat status;
  ASSERT_EQ(lstat(link.c_str(), &status), 0);
  EXPECT_TRUE(S_ISREG(status.st_mode));
  for (const std::string &file : {link, link + ".tmp", other})
    unlink(file.c_str());
}

TEST(Trace, ProgramsWithMoreRightsTakeNoSettings) {
  if (geteuid() != 0)
    GTEST_SKIP() << "needs root, to make a program setuid";
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "LeakSanitizer cannot look into a setuid program";
#endif
  // Run by nobody, it is another user's program.
  char folder[] = "/tmp/xcc-setuid-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  struct statvfs mount;
  if (statvfs(folder, &mount) == 0 && (mount.f_flag & ST_NOSUID)) {
    rmdir(folder);
    GTEST_SKIP() << "needs a /tmp with setuid programs";
  }
  ASSERT_EQ(chmod(folder, 0777), 0);
  std::string program = std::string(folder) + "/child";
  std::string file = std::string(folder) + "/trace";
  std::filesystem::copy_file(XCC_TEST_CHILD, program);
  ASSERT_EQ(chown(program.c_str(), 1, 1), 0);
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  Ended e =
      run("XCC_TRACE=" + file +
              " XCC_LOG=all XCC_DEVICE=none "
              "XCC_CPU_THREADS=none XCC_CPU_STACK=none XCC_EXIT_WAIT=none "
              "XCC_DEVICE_HEAP=none XCC_DENY_SERVICES=none "
              "XCC_CUDA_STACK=none XCC_HSA_STACK=none",
          "work", program);
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_EQ(e.output, "");
  EXPECT_NE(access(file.c_str(), F_OK), 0);
  std::filesystem::remove_all(folder);
}
