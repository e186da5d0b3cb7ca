// The timeline of XCC_TRACE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "trace.h"
#include "formats/files.h"
#include "log.h"
#include "output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace xcc::rt::trace {

std::atomic<bool> recording{false};
thread_local constinit uint64_t copiesBelongTo = 0;

namespace {
struct Recorded {
  Slice s;
  int thread;
};
struct Named {
  int thread;
  std::string name;
};
/// All that was recorded. One lock is enough: slices are far apart compared
/// with the time for an uncontended lock.
struct Store {
  std::mutex mutex;
  std::string file;
  std::vector<Recorded> slices;
  std::vector<Named> threads;
  std::set<std::string, std::less<>> names;
  bool written = false;
  pid_t process = 0;
  std::terminate_handler terminate = nullptr; ///< the handler before ours
};
/// The most slices that are kept, so that a long run does not fill the memory
/// of the program.
constexpr size_t MaxSlices = 4'000'000;
} // namespace

static Store *theStore;
static std::atomic<uint64_t> nextFlow{1};
static uint64_t origin;

uint64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 1'000'000'000u + uint64_t(t.tv_nsec);
}

uint64_t newFlow() { return nextFlow.fetch_add(1, std::memory_order_relaxed); }

const char *name(const char *text) {
  std::lock_guard lock(theStore->mutex);
  return theStore->names.emplace(text).first->c_str();
}

static int threadId() {
  static thread_local int id = static_cast<int>(syscall(SYS_gettid));
  return id;
}

void add(const Slice &s) {
  int thread = threadId();
  std::lock_guard lock(theStore->mutex);
  if (theStore->written || theStore->slices.size() >= MaxSlices)
    return;
  theStore->slices.push_back({s, thread});
}

void addTo(int track, const Slice &s) {
  std::lock_guard lock(theStore->mutex);
  if (theStore->written || theStore->slices.size() >= MaxSlices)
    return;
  theStore->slices.push_back({s, track});
}

void nameTrack(int track, const char *text) {
  if (!enabled())
    return;
  std::lock_guard lock(theStore->mutex);
  theStore->threads.push_back({track, text});
}

void nameThread(const char *text) {
  if (!enabled())
    return;
  int thread = threadId();
  std::lock_guard lock(theStore->mutex);
  theStore->threads.push_back({thread, text});
}

/// An uncaught exception ends the process without exit handlers, so write here
/// what led to it.
static void finishAndTerminate() {
  if (theStore->process == getpid())
    finish();
  if (theStore->terminate)
    theStore->terminate();
  abort();
}

void start() {
  const char *file = secure_getenv("XCC_TRACE");
  if (!file || !*file)
    return;
  theStore = new Store;
  theStore->file = file;
  theStore->process = getpid();
  theStore->terminate = std::set_terminate(finishAndTerminate);
  origin = now();
  recording.store(true, std::memory_order_release);
}

/// A JSON string. Bytes other than printable ASCII become escapes, so the
/// result is valid for any name.
static std::string quoted(const char *text) {
  std::string out = "\"";
  for (const char *p = text; *p; ++p) {
    unsigned char c = static_cast<unsigned char>(*p);
    char escape[8] = {'\\', *p, 0};
    if (c < 0x20 || c >= 0x7f)
      snprintf(escape, sizeof(escape), "\\u%04x", c);
    out += c == '"' || c == '\\' || c < 0x20 || c >= 0x7f ? escape : escape + 1;
  }
  return out + '"';
}

static void writeString(FILE *out, const char *text) {
  fputs(quoted(text).c_str(), out);
}

void Members::text(const char *name, const std::string &value) {
  out += (out.empty() ? "" : ",") + quoted(name) + ":" + quoted(value.c_str());
}

void Members::number(const char *name, uint64_t value) {
  out += (out.empty() ? "" : ",") + quoted(name) + ":" + std::to_string(value);
}

static double micros(uint64_t time) { return double(time - origin) / 1e3; }

static void writeSlice(FILE *out, const Recorded &r) {
  const Slice &s = r.s;
  int process = getpid();
  fprintf(out, ",\n{\"ph\":\"X\",\"name\":");
  writeString(out, s.name);
  fprintf(out, ",\"cat\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f",
          s.category, process, r.thread, micros(s.begin),
          double(s.end - s.begin) / 1e3);
  if (s.last > s.first)
    fprintf(out, ",\"args\":{\"first\":%llu,\"last\":%llu}",
            static_cast<unsigned long long>(s.first),
            static_cast<unsigned long long>(s.last));
  if (s.members)
    fprintf(out, ",\"args\":{%s}", s.members);
  fputc('}', out);
  if (s.flow)
    fprintf(out,
            ",\n{\"ph\":\"%s\",\"name\":\"launch\",\"cat\":\"flow\",\"id\":"
            "%llu,\"pid\":%d,\"tid\":%d,\"ts\":%.3f}",
            s.starts ? "s" : "f\",\"bp\":\"e",
            static_cast<unsigned long long>(s.flow), process, r.thread,
            micros(s.begin));
}

void finish() {
  if (!enabled())
    return;
  recording.store(false, std::memory_order_relaxed);
  std::lock_guard lock(theStore->mutex);
  if (theStore->written)
    return;
  theStore->written = true;
  // Restore the handler, because this code may be unloaded before the process
  // ends.
  if (std::get_terminate() == finishAndTerminate)
    std::set_terminate(theStore->terminate);
  NoSizeSignal here;
  OutputFile file(theStore->file);
  FILE *out = file.open();
  if (!out) {
    complain("XCC_TRACE: cannot write %s: %s", theStore->file.c_str(),
             strerror(errno));
    return;
  }
  fprintf(out,
          "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
          "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":"
          "{\"name\":\"xcc\"}}",
          getpid());
  for (const Named &n : theStore->threads) {
    fprintf(out,
            ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,"
            "\"args\":{\"name\":",
            getpid(), n.thread);
    writeString(out, n.name.c_str());
    fprintf(out, "}}");
  }
  for (const Recorded &r : theStore->slices)
    writeSlice(out, r);
  fprintf(out, "\n]}\n");
  if (!file.close()) {
    complain("XCC_TRACE: cannot write %s: %s", theStore->file.c_str(),
             strerror(errno));
    return;
  }
  if (theStore->slices.size() >= MaxSlices)
    complain("XCC_TRACE: the trace holds the first %zu slices only", MaxSlices);
}

} // namespace xcc::rt::trace
