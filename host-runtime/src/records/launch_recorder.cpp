// Recording a launch: XCC_RECORD=DIRECTORY[:KERNEL[:NUMBER]]
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch_recorder.h"
#include "device_bytes.h"
#include "devices/allocations.h"
#include "formats/files.h"
#include "images/units.h"
#include "launch_files.h"
#include "process/log.h"
#include "process/trace.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <fnmatch.h>
#include <map>
#include <new>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace xcc::rt::records {

namespace {

/// The parts of XCC_RECORD.
struct Setting {
  std::string folder, kernel;
  uint64_t number = 1; ///< which of the matching launches, from 1
  bool wrong = false;
};

/// Memory on a device that mappings use.
struct Noted {
  const Device *on;
  size_t bytes;
};

struct State {
  std::mutex mutex;
  Setting setting;
  uint64_t matched = 0;
  bool done = false;
  std::map<uintptr_t, Noted> noted; ///< by start
};

/// A range of memory to write.
struct Range {
  uintptr_t begin;
  size_t bytes;
  bool ofHost;
};

} // namespace

/// Parses DIRECTORY, then KERNEL after a colon. NUMBER follows the last colon
/// if digits are there, because names of kernels may contain colons.
static Setting parse(std::string_view text) {
  Setting s;
  const size_t colon = text.find(':');
  s.folder = text.substr(0, colon);
  s.wrong = s.folder.empty();
  if (colon == text.npos)
    return s;
  std::string_view kernel = text.substr(colon + 1);
  const size_t last = kernel.rfind(':');
  const std::string_view digits =
      kernel.substr(last == kernel.npos ? 0 : last + 1);
  if (!digits.empty() &&
      digits.find_first_not_of("0123456789") == digits.npos &&
      last != kernel.npos) {
    auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), s.number);
    s.wrong |= error != std::errc() || !s.number;
    kernel = kernel.substr(0, last);
  }
  s.kernel = kernel;
  return s;
}

/// Never freed: threads may launch until the process ends.
static State &state() {
  static State &s = *new State;
  return s;
}

bool asked() {
  static const bool is = [] {
    const char *text = secure_getenv("XCC_RECORD");
    return text && *text;
  }();
  return is;
}

xcc_status start() {
  if (!asked())
    return XCC_SUCCESS;
  const char *text = secure_getenv("XCC_RECORD");
  State &s = state();
  s.setting = parse(text ? text : "");
  if (s.setting.wrong)
    return fail(XCC_ERROR_INVALID_VALUE,
                "XCC_RECORD=%s: expected DIRECTORY, DIRECTORY:KERNEL or "
                "DIRECTORY:KERNEL:NUMBER, the number from 1 on",
                text);
  const char *separate = secure_getenv("XCC_CPU_SEPARATE");
  if (separate && std::string_view(separate) == "0")
    return fail(XCC_ERROR_INVALID_VALUE,
                "XCC_RECORD cannot record what kernels reach while "
                "XCC_CPU_SEPARATE=0 lets them reach all of the process; unset "
                "XCC_CPU_SEPARATE");
  launchesRecorded.store(true, std::memory_order_release);
  return XCC_SUCCESS;
}

void note(const Device &on, const void *memory, size_t bytes) {
  if (!asked()) [[likely]]
    return;
  State &s = state();
  std::lock_guard lock(s.mutex);
  s.noted[reinterpret_cast<uintptr_t>(memory)] = {&on, bytes};
}

void forget(const void *memory) {
  if (!asked()) [[likely]]
    return;
  State &s = state();
  std::lock_guard lock(s.mutex);
  s.noted.erase(reinterpret_cast<uintptr_t>(memory));
}

void finish() {
  if (!launchesRecorded.exchange(false))
    return;
  const State &s = state();
  complain("XCC_RECORD: nothing was recorded: %llu launches of the process are "
           "of %s%s%s, and number %llu was requested",
           static_cast<unsigned long long>(s.matched),
           s.setting.kernel.empty() ? "any kernel" : "a kernel '",
           s.setting.kernel.c_str(), s.setting.kernel.empty() ? "" : "'",
           static_cast<unsigned long long>(s.setting.number));
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

namespace {

/// A file in the folder, with the hash of what was written.
class Output {
public:
  Output(const std::string &folder, const char *name)
      : path(folder + "/" + name),
        file(aboveStandard(open(
            path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
            0600))) {}
  ~Output() {
    if (file >= 0)
      close(file);
  }
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  xcc_status write(Bytes data) {
    NoSizeSignal here;
    if (file >= 0 && writeAll(file, data)) {
      hash = hashOf(data, hash);
      bytes += data.size();
      return XCC_SUCCESS;
    }
    return fail(XCC_ERROR_SYSTEM, "XCC_RECORD: cannot write %s: %s",
                path.c_str(), strerror(errno));
  }
  /// The description of the file in launch.json.
  std::string json() const {
    trace::Members m;
    char text[17];
    snprintf(text, sizeof(text), "%016llx",
             static_cast<unsigned long long>(hash));
    m.number("bytes", bytes);
    m.text("hash", text);
    return "{" + m.json() + "}";
  }

private:
  std::string path;
  int file;
  uint64_t bytes = 0, hash = hashOf(Bytes());
};

/// The folder of one launch.
class Folder {
public:
  Folder(const std::string &path, Device &on, Queue &queue,
         const LaunchRequest &r)
      : path(path), on(on), queue(queue), r(r) {}

  xcc_status before();
  xcc_status after(bool failed);

private:
  xcc_status make();
  void findRanges();
  xcc_status checkRoom();
  xcc_status writeMemory(const char *name);
  xcc_status writeOne(const char *name, Bytes data);
  xcc_status writeDescription(const char *outcome);

  const std::string &path;
  Device &on;
  Queue &queue;
  const LaunchRequest &r;
  std::vector<Range> ranges; ///< sorted by address
  std::string files;         ///< members of "files"
};

} // namespace

xcc_status Folder::make() {
  if (mkdir(path.c_str(), 0700) == 0)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_SYSTEM, "XCC_RECORD: cannot make the folder %s: %s%s",
              path.c_str(), strerror(errno),
              errno == EEXIST ? "; name a folder that does not exist" : "");
}

/// Finds the memory that the device's kernels can access and the runtime
/// allocated.
void Folder::findRanges() {
  visitAllocations([&](uintptr_t begin, const Allocation &a) {
    if (isVisible(a, on) && a.kind != MemoryKind::Variable)
      ranges.push_back(
          {begin, a.size, isLocked(a.kind) || a.kind == MemoryKind::Managed});
  });
  State &s = state();
  std::lock_guard lock(s.mutex);
  for (const auto &[begin, memory] : s.noted)
    if (memory.on == &on)
      ranges.push_back({begin, memory.bytes, false});
  std::ranges::sort(ranges, {}, &Range::begin);
}

/// Fails before anything is written if the disk has too little room.
xcc_status Folder::checkRoom() {
  uint64_t bytes = sectionOf(*r.function->info->binary).size();
  for (const Range &range : ranges)
    bytes += 2 * range.bytes;
  struct statvfs disk;
  if (statvfs(path.c_str(), &disk) != 0 ||
      bytes / disk.f_frsize < disk.f_bavail)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_SYSTEM,
              "XCC_RECORD: the record takes %llu bytes, and %s has room for "
              "%llu",
              static_cast<unsigned long long>(bytes), path.c_str(),
              static_cast<unsigned long long>(disk.f_bavail) * disk.f_frsize);
}

xcc_status Folder::writeOne(const char *name, Bytes data) {
  Output out(path, name);
  XCC_TRY(out.write(data));
  files += (files.empty() ? "\"" : ",\n  \"") + std::string(name) +
           "\": " + out.json();
  return XCC_SUCCESS;
}

/// Writes all ranges, one after another.
xcc_status Folder::writeMemory(const char *name) {
  constexpr size_t Piece = size_t(4) << 20;
  std::vector<char> buffer;
  Output out(path, name);
  XCC_TRY(out.write({}));
  for (const Range &range : ranges)
    for (size_t done = 0; done != range.bytes;) {
      const size_t size = std::min(Piece, range.bytes - done);
      auto *at = reinterpret_cast<char *>(range.begin + done);
      if (range.ofHost) {
        XCC_TRY(out.write({at, size}));
      } else {
        buffer.resize(std::max(buffer.size(), size));
        XCC_TRY(readMemory(on, queue, at, size, buffer.data()));
        XCC_TRY(out.write({buffer.data(), size}));
      }
      done += size;
    }
  files += std::string(",\n  \"") + name + "\": " + out.json();
  return XCC_SUCCESS;
}

static std::string numbers(const uint32_t *three) {
  return "[" + std::to_string(three[0]) + ", " + std::to_string(three[1]) +
         ", " + std::to_string(three[2]) + "]";
}

static std::string hexadecimal(uint64_t number) {
  char text[24];
  snprintf(text, sizeof(text), "0x%llx",
           static_cast<unsigned long long>(number));
  return text;
}

static std::string kernelJson(const xcc_kernel_info &info) {
  trace::Members m;
  m.text("name", info.name);
  m.text("symbol", info.symbol);
  m.text("file", info.file ? info.file : "");
  m.number("line", info.line);
  m.number("kernarg_size", info.kernarg_size);
  m.number("kernarg_alignment", info.kernarg_alignment);
  m.text("fingerprint", hexadecimal(info.fingerprint));
  return m.json();
}

static std::string launchJson(const LaunchRequest &r) {
  trace::Members m;
  m.number("shared", r.sharedBytes);
  m.number("cooperative", r.cooperative);
  m.number("loop", r.loop);
  m.number("heap", r.function->usesHeap);
  m.text("file", r.file ? r.file : "");
  m.number("line", r.line);
  return "\"grid\": " + numbers(r.grid) + ", \"block\": " + numbers(r.block) +
         ", " + m.json();
}

static std::string deviceJson(Device &on) {
  xcc_device_properties p{};
  on.properties(p);
  trace::Members m;
  m.text("id", on.id());
  m.text("kind", on.kind().id);
  m.text("arch", p.arch ? p.arch : "");
  m.text("name", p.name ? p.name : "");
  return m.json();
}

xcc_status Folder::writeDescription(const char *outcome) {
  std::string memory;
  for (const Range &range : ranges) {
    trace::Members m;
    m.text("address", hexadecimal(range.begin));
    m.number("bytes", range.bytes);
    m.text("kind", range.ofHost ? OfHost : OfDevice);
    memory += (memory.empty() ? "\n  {" : ",\n  {") + m.json() + "}";
  }
  const std::string text =
      "{\"format\": " + std::to_string(Format) + ",\n\"outcome\": \"" +
      outcome + "\",\n\"kernel\": {" + kernelJson(*r.function->info) +
      "},\n\"launch\": {" + launchJson(r) + "},\n\"device\": {" +
      deviceJson(on) + "},\n\"files\": {\n  " + files + "},\n\"memory\": [" +
      memory + "]}\n";
  Output out(path, Description);
  return out.write({text.data(), text.size()});
}

xcc_status Folder::before() {
  const xcc_kernel_info &info = *r.function->info;
  if (!info.binary)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "XCC_RECORD: kernel '%s' has no images to record", info.name);
  XCC_TRY(make());
  on.drain();
  findRanges();
  XCC_TRY(checkRoom());
  const Bytes images = sectionOf(*info.binary);
  XCC_TRY(writeOne(Images, images));
  XCC_TRY(writeOne(Arguments, {r.kernarg, r.function->kernargSize}));
  XCC_TRY(writeMemory(Before));
  return writeDescription(Unknown);
}

xcc_status Folder::after(bool failed) {
  if (failed || writeMemory(After) != XCC_SUCCESS) {
    unlink((path + "/" + After).c_str());
    return writeDescription(Failed);
  }
  return writeDescription(Ended);
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

/// A pattern with a star must match the whole name of a kernel; another one any
/// part.
static bool matches(const std::string &pattern, const char *name) {
  if (pattern.find('*') != pattern.npos)
    return fnmatch(pattern.c_str(), name, FNM_NOESCAPE) == 0;
  return std::string_view(name).find(pattern) != std::string_view::npos;
}

/// Counts the launch. Returns true if it is the one to record.
static bool isSelected(const LaunchRequest &r) {
  State &s = state();
  std::lock_guard lock(s.mutex);
  if (s.done || !matches(s.setting.kernel, r.function->info->name) ||
      ++s.matched != s.setting.number)
    return false;
  s.done = true;
  launchesRecorded.store(false, std::memory_order_relaxed);
  return true;
}

static xcc_status launchOrRecord(Device &on, Queue &queue,
                                 const LaunchRequest &request) {
  if (!isSelected(request))
    return on.enqueue(queue, request);
  Folder folder(state().setting.folder, on, queue, request);
  XCC_TRY(folder.before());
  const uint64_t failures = queue.failures();
  XCC_TRY(on.enqueue(queue, request));
  queue.drain();
  XCC_TRY(folder.after(queue.failures() != failures));
  XCC_LOG(Launch, "recorded '%s' in %s", request.function->info->name,
          state().setting.folder.c_str());
  return XCC_SUCCESS;
}

} // namespace xcc::rt::records

xcc_status xcc::rt::launchRecorded(Device &on, Queue &queue,
                                   const LaunchRequest &request) try {
  return records::launchOrRecord(on, queue, request);
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY,
              "XCC_RECORD: out of memory while a launch of '%s' was recorded",
              request.function->info->name);
}
