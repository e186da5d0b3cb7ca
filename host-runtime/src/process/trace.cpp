// The timeline XCC_TRACE asks for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "trace.h"
#include "files.h"
#include "log.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace xcc::rt::trace {

std::atomic<bool> Enabled{false};

namespace {
struct Recorded {
  Slice S;
  int Thread;
};
struct Named {
  int Thread;
  std::string Name;
};
/// Everything recorded. One lock: a trace is for looking at, and slices are
/// far apart compared with an uncontended lock.
struct Store {
  std::mutex Mutex;
  std::string File;
  std::vector<Recorded> Slices;
  std::vector<Named> Threads;
  std::set<std::string, std::less<>> Names;
  bool Written = false;
};
/// Slices kept; more are counted and dropped, so that a long run cannot eat
/// the memory of the program it observes.
constexpr size_t MaxSlices = 4'000'000;
} // namespace

static Store *TheStore;
static std::atomic<uint64_t> NextFlow{1};
static uint64_t Origin;

uint64_t now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return uint64_t(T.tv_sec) * 1'000'000'000u + uint64_t(T.tv_nsec);
}

uint64_t newFlow() { return NextFlow.fetch_add(1, std::memory_order_relaxed); }

const char *name(const char *Text) {
  std::lock_guard Lock(TheStore->Mutex);
  return TheStore->Names.emplace(Text).first->c_str();
}

static int threadId() {
  static thread_local int Id = static_cast<int>(syscall(SYS_gettid));
  return Id;
}

void add(const Slice &S) {
  int Thread = threadId();
  std::lock_guard Lock(TheStore->Mutex);
  if (TheStore->Written || TheStore->Slices.size() >= MaxSlices)
    return;
  TheStore->Slices.push_back({S, Thread});
}

void nameThread(const char *Text) {
  if (!enabled())
    return;
  int Thread = threadId();
  std::lock_guard Lock(TheStore->Mutex);
  TheStore->Threads.push_back({Thread, Text});
}

void start() {
  const char *File = secure_getenv("XCC_TRACE");
  if (!File || !*File)
    return;
  TheStore = new Store;
  TheStore->File = File;
  Origin = now();
  Enabled.store(true, std::memory_order_release);
}

/// A JSON string; bytes that are no printable ASCII become escapes, so the
/// result is valid whatever the name holds.
static void writeString(FILE *Out, const char *Text) {
  fputc('"', Out);
  for (const char *P = Text; *P; ++P) {
    unsigned char C = static_cast<unsigned char>(*P);
    if (C == '"' || C == '\\')
      fprintf(Out, "\\%c", C);
    else if (C < 0x20 || C >= 0x7f)
      fprintf(Out, "\\u%04x", C);
    else
      fputc(C, Out);
  }
  fputc('"', Out);
}

static double micros(uint64_t Time) { return double(Time - Origin) / 1e3; }

static void writeSlice(FILE *Out, const Recorded &R) {
  const Slice &S = R.S;
  int Process = getpid();
  fprintf(Out, ",\n{\"ph\":\"X\",\"name\":");
  writeString(Out, S.Name);
  fprintf(Out, ",\"cat\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f",
          S.Category, Process, R.Thread, micros(S.Begin),
          double(S.End - S.Begin) / 1e3);
  if (S.Last > S.First)
    fprintf(Out, ",\"args\":{\"first\":%llu,\"last\":%llu}",
            static_cast<unsigned long long>(S.First),
            static_cast<unsigned long long>(S.Last));
  fputc('}', Out);
  if (S.Flow)
    fprintf(Out,
            ",\n{\"ph\":\"%s\",\"name\":\"launch\",\"cat\":\"flow\",\"id\":"
            "%llu,\"pid\":%d,\"tid\":%d,\"ts\":%.3f}",
            S.Starts ? "s" : "f\",\"bp\":\"e",
            static_cast<unsigned long long>(S.Flow), Process, R.Thread,
            micros(S.Begin));
}

namespace {
/// A device or FIFO is written in place. A regular file is written beside its
/// place, under a name that nobody can foresee, and renamed: it is whole or
/// what it was, and a link in its place is replaced, not followed.
class OutputFile {
public:
  explicit OutputFile(const std::string &Path) : Path(Path) {}

  /// Null, with errno set, when it cannot be written.
  FILE *open() {
    struct stat Status;
    int File;
    if (stat(Path.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode)) {
      File =
          aboveStandard(::open(Path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    } else {
      Temporary = Path;
      File = makeTemporary(Temporary);
      if (File < 0)
        Temporary.clear();
      else
        fchmod(File, 0666 & ~currentMask());
    }
    if (File < 0)
      return nullptr;
    Out = fdopen(File, "w");
    if (!Out)
      ::close(File);
    return Out;
  }

  /// False, with errno set and nothing left behind, when not all was written.
  bool close() {
    errno = 0;
    bool Good = fflush(Out) == 0 && !ferror(Out);
    int Reason = errno;
    if (fclose(Out) != 0 && Good) {
      Good = false;
      Reason = errno;
    }
    if (Temporary.empty()) {
      errno = Reason;
      return Good;
    }
    if (Good && rename(Temporary.c_str(), Path.c_str()) == 0)
      return true;
    Reason = Good ? errno : Reason;
    unlink(Temporary.c_str());
    errno = Reason ? Reason : EIO;
    return false;
  }

private:
  const std::string &Path;
  std::string Temporary; ///< empty when written in place
  FILE *Out = nullptr;

  /// umask() can only be read by setting it, which other threads would see.
  static mode_t currentMask() {
    unsigned Mask = 022;
    if (FILE *In = fopen("/proc/self/status", "re")) {
      char Line[256];
      while (fgets(Line, sizeof(Line), In))
        if (sscanf(Line, "Umask: %o", &Mask) == 1)
          break;
      fclose(In);
    }
    return mode_t(Mask);
  }
};
} // namespace

void finish() {
  if (!enabled())
    return;
  Enabled.store(false, std::memory_order_relaxed);
  std::lock_guard Lock(TheStore->Mutex);
  if (TheStore->Written)
    return;
  TheStore->Written = true;
  NoSizeSignal Here;
  OutputFile File(TheStore->File);
  FILE *Out = File.open();
  if (!Out) {
    complain("XCC_TRACE: cannot write %s: %s", TheStore->File.c_str(),
             strerror(errno));
    return;
  }
  fprintf(Out,
          "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
          "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":"
          "{\"name\":\"xcc\"}}",
          getpid());
  for (const Named &N : TheStore->Threads) {
    fprintf(Out,
            ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,"
            "\"args\":{\"name\":",
            getpid(), N.Thread);
    writeString(Out, N.Name.c_str());
    fprintf(Out, "}}");
  }
  for (const Recorded &R : TheStore->Slices)
    writeSlice(Out, R);
  fprintf(Out, "\n]}\n");
  if (!File.close()) {
    complain("XCC_TRACE: cannot write %s: %s", TheStore->File.c_str(),
             strerror(errno));
    return;
  }
  if (TheStore->Slices.size() >= MaxSlices)
    complain("XCC_TRACE: the trace holds the first %zu slices only", MaxSlices);
}

} // namespace xcc::rt::trace
