// Settings, process ends and plugins
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test runs a program of its own (child.cpp).

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
#include <sys/wait.h>
#include <unistd.h>

namespace {
struct Ended {
  int Status = -1; ///< the exit status, -1 when killed
  std::string Output;
};
} // namespace

static Ended run(const std::string &Settings, const std::string &Arguments,
                 const std::string &Program = XCC_TEST_CHILD) {
  std::string Command =
      "env " + Settings + " " + Program + " " + Arguments + " 2>&1";
  Ended E;
  FILE *Pipe = popen(Command.c_str(), "r");
  if (!Pipe)
    return E;
  char Buffer[4096];
  while (size_t N = fread(Buffer, 1, sizeof(Buffer), Pipe))
    E.Output.append(Buffer, N);
  int Status = pclose(Pipe);
  if (WIFEXITED(Status))
    E.Status = WEXITSTATUS(Status);
  return E;
}

static std::string temporaryFile(const char *Name) {
  return testing::TempDir() + "xcc-" + std::to_string(getpid()) + "-" + Name;
}

TEST(Process, WorksAndEnds) {
  Ended E = run("", "work");
  EXPECT_EQ(E.Status, 0) << E.Output;
  EXPECT_EQ(E.Output, "");
}

TEST(Process, OnTheSharedLibrary) {
  for (const char *Mode : {"work", "leave", "nothing"}) {
    Ended E = run("", Mode, XCC_TEST_CHILD_SHARED);
    EXPECT_EQ(E.Status, 0) << E.Output;
  }
}

TEST(Process, DeviceSetting) {
  for (const char *Good : {"host", "cpu", "host:0", "''"}) {
    Ended E = run(std::string("XCC_DEVICE=") + Good, "work");
    EXPECT_EQ(E.Status, 0) << E.Output;
  }
  for (const char *Absent : {"cuda:0", "hsa:1", "cuda"}) {
    Ended E = run(std::string("XCC_DEVICE=") + Absent, "work");
    EXPECT_EQ(E.Status, 1);
    EXPECT_NE(E.Output.find("available: host"), std::string::npos) << E.Output;
  }
  Ended E = run("XCC_DEVICE=toaster", "work");
  EXPECT_EQ(E.Status, 1);
  EXPECT_NE(E.Output.find("XCC_DEVICE=toaster: no such device; available: "
                          "host"),
            std::string::npos)
      << E.Output;
}

TEST(Process, ThreadSetting) {
  for (const char *Good : {"1", "2", "7"})
    EXPECT_EQ(run(std::string("XCC_CPU_THREADS=") + Good, "work").Status, 0);
  for (const char *Bad : {"0", "x", "-1", "99999"}) {
    Ended E = run(std::string("XCC_CPU_THREADS=") + Bad, "work");
    EXPECT_EQ(E.Status, 1);
    EXPECT_NE(E.Output.find("expected a number from 1 to 1024"),
              std::string::npos)
        << E.Output;
  }
}

TEST(Process, EverySettingIsChecked) {
  // Also those of devices that the machine lacks.
  struct {
    const char *Good, *Bad, *Says;
  } Settings[] = {
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
      {"XCC_DEVICE_HEAP=0", "XCC_DEVICE_HEAP=4k",
       "expected a number of bytes from 0 to 1099511627776"},
      {"XCC_DENY_SERVICES=output,process", "XCC_DENY_SERVICES=Output",
       "'Output' is not one of output, input"},
      {"XCC_DEVICE=host", "XCC_DEVICE=host:", "no such device"},
  };
  for (auto &S : Settings) {
    Ended E = run(S.Good, "work");
    EXPECT_EQ(E.Status, 0) << S.Good << E.Output;
    for (const char *Mode : {"work", "set-device"}) {
      E = run(S.Bad, Mode);
      EXPECT_EQ(E.Status, 1) << S.Bad;
      EXPECT_NE(E.Output.find(std::string(S.Bad) + ": " + S.Says),
                std::string::npos)
          << S.Bad << ": " << E.Output;
    }
  }
}

TEST(Process, OneCore) {
  Ended E = run("-u XCC_CPU_THREADS", "one-core");
  EXPECT_EQ(E.Status, 0) << E.Output;
}

TEST(Process, LogSetting) {
  Ended E = run("XCC_LOG=load,memory", "work");
  EXPECT_EQ(E.Status, 0);
  EXPECT_NE(E.Output.find("xcc: load: device 0: loaded the x86-64-v2 image"),
            std::string::npos)
      << E.Output;
  EXPECT_NE(E.Output.find("xcc: memory: allocated 16384 bytes"),
            std::string::npos);
  E = run("XCC_LOG=nonsense", "work");
  EXPECT_EQ(E.Status, 0);
  EXPECT_NE(E.Output.find("no category 'nonsense'"), std::string::npos);
}

TEST(Process, LeavesWorkBehind) {
  Ended E = run("", "leave");
  EXPECT_EQ(E.Status, 0) << E.Output;
  EXPECT_EQ(E.Output, "");
}

TEST(Process, FailureNobodyWaitedForIsShown) {
  for (const char *Mode : {"leave-failed", "leave-destroyed"}) {
    Ended E = run("", Mode);
    EXPECT_EQ(E.Status, 0) << E.Output;
    EXPECT_NE(E.Output.find("nothing synchronised with it: kernel 'bad_write'"),
              std::string::npos)
        << E.Output;
  }
}

TEST(Process, UnloadWithoutALaunch) {
  Ended E = run("", "nothing");
  EXPECT_EQ(E.Status, 0) << E.Output;
}

#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
TEST(Process, FilesMayNotGrow) {
  std::string File = temporaryFile("limited");
  Ended E = run("XCC_TRACE=" + File, "no-files");
  EXPECT_EQ(E.Status, 0) << E.Output;
  EXPECT_NE(E.Output.find("cannot be loaded: cannot write"), std::string::npos)
      << E.Output;
  EXPECT_NE(E.Output.find("XCC_TRACE: cannot write"), std::string::npos)
      << E.Output;
  EXPECT_NE(access(File.c_str(), F_OK), 0);
}

TEST(Process, ClosedFilesAreTheProgramsToUse) {
  for (const char *Closed : {"", "<&-", "<&- >&-", "<&- >&- 2>&-"}) {
    Ended E = run(std::string("sh -c 'exec \"$@\" ") + Closed + "' sh",
                  "closed-files");
    EXPECT_EQ(E.Status, 0) << Closed << E.Output;
  }
}

#if !__has_feature(thread_sanitizer)
TEST(Process, ForksThatRunNoHandlers) {
  for (const char *How : {"_Fork", "clone"}) {
    Ended E = run("ASAN_OPTIONS=detect_leaks=0", std::string("fork ") + How);
    EXPECT_EQ(E.Status, 0) << How << E.Output;
    EXPECT_NE(E.Output.find("this process was forked"), std::string::npos)
        << E.Output;
  }
}

TEST(Process, ForkAfterUse) {
  // The child has no worker threads, so what they own looks lost to it.
  Ended E = run("ASAN_OPTIONS=detect_leaks=0", "fork");
  EXPECT_EQ(E.Status, 0) << E.Output;
  EXPECT_NE(E.Output.find("forked"), std::string::npos) << E.Output;
}
#endif

#ifdef XCC_TEST_PLUGIN
TEST(Process, PluginWithItsOwnRuntime) {
  Ended E = run("", "plugin " XCC_TEST_PLUGIN);
  EXPECT_EQ(E.Status, 0) << E.Output;
}
#endif

TEST(Trace, IsValidAndLinksLaunchesWithRuns) {
  std::string File = temporaryFile("trace.json");
  Ended E = run("XCC_TRACE=" + File, "work");
  EXPECT_EQ(E.Status, 0) << E.Output;
  std::ifstream In(File);
  nlohmann::json Trace = nlohmann::json::parse(In);
  std::set<uint64_t> Starts, Ends;
  unsigned Kernels = 0, Copies = 0, Launches = 0;
  for (const nlohmann::json &Event : Trace["traceEvents"]) {
    std::string Phase = Event["ph"];
    if (Phase == "s")
      Starts.insert(uint64_t(Event["id"]));
    if (Phase == "f")
      Ends.insert(uint64_t(Event["id"]));
    if (Phase != "X")
      continue;
    EXPECT_GE(double(Event["dur"]), 0.0);
    Kernels += Event["cat"] == "kernel" && Event["name"] == "increment";
    Copies += Event["cat"] == "copy";
    Launches += Event["cat"] == "launch";
  }
  EXPECT_EQ(Launches, 100u);
  EXPECT_GE(Kernels, 100u);
  EXPECT_GE(Copies, 2u);
  EXPECT_EQ(Starts.size(), 100u);
  EXPECT_EQ(Starts, Ends);
  unlink(File.c_str());
}

TEST(Trace, UnwritableFileIsSaid) {
  Ended E = run("XCC_TRACE=/nonexistent/t.json", "work");
  EXPECT_EQ(E.Status, 0);
  EXPECT_NE(E.Output.find("XCC_TRACE: cannot write"), std::string::npos)
      << E.Output;
}

TEST(Trace, DevicesAndFifosStay) {
  struct stat Status;
  Ended E = run("XCC_TRACE=/dev/full", "work");
  EXPECT_NE(E.Output.find("XCC_TRACE: cannot write /dev/full"),
            std::string::npos)
      << E.Output;
  ASSERT_EQ(stat("/dev/full", &Status), 0);
  EXPECT_TRUE(S_ISCHR(Status.st_mode));
  std::string Fifo = temporaryFile("fifo");
  ASSERT_EQ(mkfifo(Fifo.c_str(), 0600), 0);
  E = run("XCC_TRACE=" + Fifo, "work & cat " + Fifo + "; wait");
  EXPECT_NE(E.Output.find("traceEvents"), std::string::npos) << E.Output;
  ASSERT_EQ(lstat(Fifo.c_str(), &Status), 0);
  EXPECT_TRUE(S_ISFIFO(Status.st_mode));
  unlink(Fifo.c_str());
}

TEST(Trace, LinksAreReplaced) {
  std::string Link = temporaryFile("link"), Other = temporaryFile("other");
  std::ofstream(Other) << "precious";
  ASSERT_EQ(symlink(Other.c_str(), Link.c_str()), 0);
  // The name that used to be taken for the unfinished file.
  ASSERT_EQ(symlink(Other.c_str(), (Link + ".tmp").c_str()), 0);
  EXPECT_EQ(run("XCC_TRACE=" + Link, "work").Status, 0);
  std::string Text;
  std::ifstream(Other) >> Text;
  EXPECT_EQ(Text, "precious");
  struct stat Status;
  ASSERT_EQ(lstat(Link.c_str(), &Status), 0);
  EXPECT_TRUE(S_ISREG(Status.st_mode));
  for (const std::string &File : {Link, Link + ".tmp", Other})
    unlink(File.c_str());
}

TEST(Trace, ProgramsWithMoreRightsTakeNoSettings) {
  if (geteuid() != 0)
    GTEST_SKIP() << "needs root, to make a program setuid";
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "LeakSanitizer cannot look into a setuid program";
#endif
  // Run by nobody, it is another user's program.
  char Folder[] = "/tmp/xcc-setuid-XXXXXX";
  ASSERT_NE(mkdtemp(Folder), nullptr);
  struct statvfs Mount;
  if (statvfs(Folder, &Mount) == 0 && (Mount.f_flag & ST_NOSUID)) {
    rmdir(Folder);
    GTEST_SKIP() << "needs a /tmp with setuid programs";
  }
  ASSERT_EQ(chmod(Folder, 0777), 0);
  std::string Program = std::string(Folder) + "/child";
  std::string File = std::string(Folder) + "/trace";
  std::filesystem::copy_file(XCC_TEST_CHILD, Program);
  ASSERT_EQ(chown(Program.c_str(), 1, 1), 0);
  ASSERT_EQ(chmod(Program.c_str(), 04755), 0);
  Ended E =
      run("XCC_TRACE=" + File +
              " XCC_LOG=all XCC_DEVICE=none "
              "XCC_CPU_THREADS=none XCC_CPU_STACK=none XCC_EXIT_WAIT=none "
              "XCC_DEVICE_HEAP=none XCC_DENY_SERVICES=none "
              "XCC_CUDA_STACK=none XCC_HSA_STACK=none",
          "work", Program);
  EXPECT_EQ(E.Status, 0) << E.Output;
  EXPECT_EQ(E.Output, "");
  EXPECT_NE(access(File.c_str(), F_OK), 0);
  std::filesystem::remove_all(Folder);
}
