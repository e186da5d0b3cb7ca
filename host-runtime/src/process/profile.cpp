// The table of XCC_PROFILE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "profile.h"
#include "formats/files.h"
#include "log.h"
#include "output_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace xcc::rt::profile {

constinit std::atomic<bool> counting{false};

namespace {
using Count = std::atomic<uint64_t>;
} // namespace

/// A row of the table. Any thread adds to it; it is read at the end, so relaxed
/// order is enough.
struct Row {
  int device = 0;
  bool isKernel = false;
  std::string name;
  Count launches{0}, timed{0}, total{0}, least{UINT64_MAX}, most{0};
  Count leastBlocks{UINT64_MAX}, mostBlocks{0};
  Count leastThreads{UINT64_MAX}, mostThreads{0};
  Count bytes{0}; ///< bytes copied; for kernels: bytes mapped
  Count toDevice{0}, toHost{0}, hostCalls{0};
  Count running{0}, since{0}; ///< running launches, start of the latest
};

namespace {
struct DeviceName {
  std::string id, name;
  std::vector<Row *> calling; ///< kernels in flight that may call the host
  uint64_t sharedCalls = 0;   ///< calls while several such kernels ran
};

/// Never freed, because threads may still count while the process ends.
struct Store {
  std::mutex mutex;
  std::string file; ///< empty: standard error
  std::map<std::pair<int, std::string>, std::unique_ptr<Row>> rows;
  std::map<int, DeviceName> devices;
  uint64_t origin = 0;
  bool written = false;
  pid_t process = 0;
  void (*collect)() = nullptr;
  std::terminate_handler terminate = nullptr; ///< the handler before ours
};

/// Further kernels share a row, so that a program that generates kernels does
/// not fill its memory.
constexpr size_t MaxRows = 10'000;
constexpr const char *Others = "(other kernels)";
} // namespace

static Store *theStore;

static void add(Count &to, uint64_t what) {
  to.fetch_add(what, std::memory_order_relaxed);
}
static uint64_t get(const Count &of) {
  return of.load(std::memory_order_relaxed);
}
static void lower(Count &to, uint64_t value) {
  uint64_t was = get(to);
  while (value < was &&
         !to.compare_exchange_weak(was, value, std::memory_order_relaxed))
    ;
}
static void raise(Count &to, uint64_t value) {
  uint64_t was = get(to);
  while (value > was &&
         !to.compare_exchange_weak(was, value, std::memory_order_relaxed))
    ;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// The row of that name; null when memory ran out.
static Row *rowOf(int device, const char *name, bool isKernel) try {
  std::lock_guard lock(theStore->mutex);
  auto &rows = theStore->rows;
  auto at = rows.find({device, name});
  if (at == rows.end() && rows.size() >= MaxRows)
    at = rows.find({device, name = Others});
  if (at != rows.end())
    return at->second.get();
  auto fresh = std::make_unique<Row>();
  fresh->device = device;
  fresh->isKernel = isKernel;
  fresh->name = name;
  Row *out = fresh.get();
  rows.emplace(std::pair{device, std::string(name)}, std::move(fresh));
  return out;
} catch (const std::bad_alloc &) {
  return nullptr;
}

/// Keeps the list of kernels in flight that may call the host.
static void noteCalling(const Work &w, bool begins) try {
  if (!w.calls || !w.row)
    return;
  std::lock_guard lock(theStore->mutex);
  auto &calling = theStore->devices[w.device].calling;
  if (begins)
    calling.push_back(w.row);
  else if (auto at = std::find(calling.begin(), calling.end(), w.row);
           at != calling.end())
    calling.erase(at);
} catch (const std::bad_alloc &) {
}

Work *launched(int device, const Launch &l, int track) {
  Work *w = new (std::nothrow) Work;
  if (!w)
    return nullptr;
  w->name = l.traceName;
  w->device = device;
  w->track = track;
  w->flow = trace::enabled() ? trace::newFlow() : 0;
  if (!enabled())
    return w;
  Row *row = l.row.load(std::memory_order_acquire);
  if (!row) {
    row = rowOf(device, l.name, true);
    l.row.store(row, std::memory_order_release);
  }
  if (!row)
    return w;
  w->row = row;
  w->calls = l.callsHost;
  uint64_t blocks = 1, threads = 1;
  for (int i = 0; i != 3; ++i) {
    blocks *= l.grid[i];
    threads *= l.block[i];
  }
  add(row->launches, 1);
  lower(row->leastBlocks, blocks);
  raise(row->mostBlocks, blocks);
  lower(row->leastThreads, threads);
  raise(row->mostThreads, threads);
  return w;
}

static const char *const DirectionNames[] = {
    "host to device",  "device to host",  "within the device",
    "between devices", "within the host", "fills"};

Work *copies(int device, Direction direction, uint64_t bytes, int track) {
  Work *w = new (std::nothrow) Work;
  if (!w)
    return nullptr;
  w->name = direction == Direction::Fill ? "fill" : "copy";
  w->category = "copy";
  w->device = device;
  w->track = track;
  w->flow = trace::enabled() ? trace::copiesBelongTo : 0;
  w->row = enabled() ? rowOf(device, DirectionNames[int(direction)], false)
                     : nullptr;
  if (w->row) {
    add(w->row->launches, 1);
    add(w->row->bytes, bytes);
  }
  return w;
}

void began(Work *w) {
  w->begin = trace::now();
  if (!w->row)
    return;
  w->runs = true;
  w->row->since.store(w->begin, std::memory_order_relaxed);
  add(w->row->running, 1);
  noteCalling(*w, true);
}

static void noLongerRuns(const Work &w) {
  if (!w.runs)
    return;
  w.row->running.fetch_sub(1, std::memory_order_relaxed);
  noteCalling(w, false);
}

void cancel(Work *w) {
  noLongerRuns(*w);
  if (w->row)
    w->row->launches.fetch_sub(1, std::memory_order_relaxed);
  delete w;
}

/// Adds the times of work that has ended completely to its row.
static void sumUp(const Work &w) {
  noLongerRuns(w);
  if (w.track && trace::enabled() && w.end)
    trace::addTo(w.track,
                 {w.name, w.category, w.begin, w.end, w.flow, 0, 0, false});
  Row *row = w.row;
  if (!row || !w.end)
    return;
  uint64_t time = w.end > w.begin ? w.end - w.begin : 0;
  add(row->timed, 1);
  add(row->total, time);
  lower(row->least, time);
  raise(row->most, time);
}

/// Guards the times of works that have several parts.
static constinit std::mutex partsMutex;

void ended(Work *w, uint64_t begin, uint64_t end) {
  if (begin) {
    std::lock_guard lock(partsMutex);
    w->begin = w->end ? std::min(w->begin, begin) : begin;
    w->end = std::max(w->end, end);
  }
  if (w->parts.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  sumUp(*w);
  delete w;
}

void mapped(int device, const char *kernel, uint64_t bytes) {
  if (Row *row = rowOf(device, kernel, true))
    add(row->bytes, bytes);
}

void moved(int device, const char *kernel, bool toDevice, uint64_t bytes) {
  if (Row *row = rowOf(device, kernel, true))
    add(toDevice ? row->toDevice : row->toHost, bytes);
}

void calledHost(int device) {
  if (!enabled())
    return;
  std::lock_guard lock(theStore->mutex);
  auto at = theStore->devices.find(device);
  if (at == theStore->devices.end())
    return;
  auto &calling = at->second.calling;
  if (!calling.empty() &&
      std::all_of(calling.begin(), calling.end(),
                  [&](const Row *r) { return r == calling[0]; }))
    add(calling[0]->hostCalls, 1);
  else
    ++at->second.sharedCalls;
}

void nameDevice(int ordinal, const char *id, const char *name) {
  if (!enabled())
    return;
  std::lock_guard lock(theStore->mutex);
  DeviceName &d = theStore->devices[ordinal];
  d.id = id;
  d.name = name ? name : "";
}

int newTrack(const char *device) {
  static constinit std::atomic<int> last{0};
  // Above all thread numbers of Linux.
  int track = (1 << 28) + last.fetch_add(1, std::memory_order_relaxed);
  trace::nameTrack(track, device);
  return track;
}

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

/// Writes the table before a terminate, so that an error can be examined.
static void finishAndTerminate() {
  auto before = theStore->terminate;
  if (theStore->process == getpid()) {
    if (theStore->collect)
      theStore->collect();
    finish();
  }
  if (before)
    before();
  abort();
}

void start(void (*collect)()) {
  const char *text = secure_getenv("XCC_PROFILE");
  if (!text || !*text || !strcmp(text, "0"))
    return;
  if (strcmp(text, "1") != 0 && !strpbrk(text, "./")) {
    complain("XCC_PROFILE=%s: expected 1, for a table on standard error, or "
             "the name of a file such as %s.json",
             text, text);
    return;
  }
  theStore = new Store;
  theStore->file = strcmp(text, "1") == 0 ? "" : text;
  // %p gives each process of a program a file of its own.
  if (size_t at = theStore->file.find("%p"); at != std::string::npos)
    theStore->file.replace(at, 2, std::to_string(getpid()));
  theStore->process = getpid();
  theStore->collect = collect;
  theStore->terminate = std::set_terminate(finishAndTerminate);
  theStore->origin = trace::now();
  counting.store(true, std::memory_order_release);
}

namespace {
/// The values of a row at the end.
struct Line {
  const Row *of;
  uint64_t launches, timed, total, least, most, running;
};
/// The lines of a device.
struct Lines {
  int ordinal = 0;
  DeviceName device;
  std::vector<Line> kernels, copies;
  uint64_t kernelTime = 0;
};
} // namespace

static Line lineOf(const Row &r, uint64_t now) {
  Line l{&r,           get(r.launches), get(r.timed),  get(r.total),
         get(r.least), get(r.most),     get(r.running)};
  // The program ends inside this kernel (exit in a kernel): count its time so
  // far.
  if (l.running == 1 && l.timed < l.launches) {
    uint64_t since = get(r.since), time = now > since ? now - since : 0;
    ++l.timed;
    l.total += time;
    l.least = std::min(l.least, time);
    l.most = std::max(l.most, time);
  }
  return l;
}

/// Collects the lines. Call it under the store's lock.
static std::vector<Lines> gather() {
  std::map<int, Lines> devices;
  uint64_t now = trace::now();
  for (const auto &[key, row] : theStore->rows) {
    Line l = lineOf(*row, now);
    if (!l.launches && !get(row->toHost) && !get(row->toDevice))
      continue;
    Lines &d = devices[row->device];
    if (row->isKernel)
      d.kernelTime += l.total;
    (row->isKernel ? d.kernels : d.copies).push_back(l);
  }
  std::vector<Lines> out;
  for (auto &[ordinal, d] : devices) {
    d.ordinal = ordinal;
    d.device = theStore->devices[ordinal];
    for (auto *list : {&d.kernels, &d.copies})
      std::sort(list->begin(), list->end(), [](const Line &a, const Line &b) {
        return a.total != b.total ? a.total > b.total : a.of->name < b.of->name;
      });
    out.push_back(std::move(d));
  }
  return out;
}

//===----------------------------------------------------------------------===//
// As a table
//===----------------------------------------------------------------------===//

static std::string format(const char *how, double value) {
  char text[64];
  snprintf(text, sizeof(text), how, value);
  return text;
}

static std::string timeText(double nanoseconds) {
  if (nanoseconds >= 1e9)
    return format("%.3f s", nanoseconds / 1e9);
  if (nanoseconds >= 1e6)
    return format("%.3f ms", nanoseconds / 1e6);
  if (nanoseconds >= 1e3)
    return format("%.3f us", nanoseconds / 1e3);
  return format("%.0f ns", nanoseconds);
}

static std::string bytesText(uint64_t bytes) {
  if (bytes >= uint64_t(10) << 30)
    return format("%.1f GiB", double(bytes) / double(1 << 30));
  if (bytes >= 10 << 20)
    return format("%.1f MiB", double(bytes) / double(1 << 20));
  if (bytes >= 10 << 10)
    return format("%.1f KiB", double(bytes) / 1024);
  return std::to_string(bytes) + " B";
}

static std::string rangeText(uint64_t least, uint64_t most) {
  if (least > most)
    return "-";
  return least == most ? std::to_string(least)
                       : std::to_string(least) + "-" + std::to_string(most);
}

static std::string meanText(const Line &l) {
  return l.timed ? timeText(double(l.total) / double(l.timed)) : "-";
}

namespace {
/// A table whose columns are as wide as needed; all but the last are
/// right-aligned.
class Table {
public:
  void row(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  std::string text() const {
    std::vector<size_t> width;
    for (const auto &r : rows) {
      width.resize(std::max(width.size(), r.size()));
      for (size_t i = 0; i != r.size(); ++i)
        width[i] = std::max(width[i], r[i].size());
    }
    std::string out;
    for (const auto &r : rows)
      for (size_t i = 0; i != r.size(); ++i) {
        bool last = i + 1 == r.size();
        out.append(2 + (last ? 0 : width[i] - r[i].size()), ' ');
        out += r[i] + (last ? "\n" : "");
      }
    return out;
  }

private:
  std::vector<std::vector<std::string>> rows;
};
} // namespace

static std::string tableOf(const Lines &d) {
  std::string out = "xcc profile: device " + std::to_string(d.ordinal) + " (" +
                    d.device.id + ", " + d.device.name + "): kernels " +
                    timeText(double(d.kernelTime)) + "\n";
  Table kernels;
  kernels.row({"share", "launches", "total", "mean", "min", "max", "blocks",
               "threads", "mapped", "to device", "to host", "host calls",
               "kernel"});
  uint64_t untimed = 0;
  for (const Line &l : d.kernels) {
    const Row &r = *l.of;
    untimed += l.launches - std::min(l.launches, l.timed);
    kernels.row(
        {format("%.1f%%", d.kernelTime
                              ? 100 * double(l.total) / double(d.kernelTime)
                              : 0),
         std::to_string(l.launches), timeText(double(l.total)), meanText(l),
         l.timed ? timeText(double(l.least)) : "-",
         l.timed ? timeText(double(l.most)) : "-",
         rangeText(get(r.leastBlocks), get(r.mostBlocks)),
         rangeText(get(r.leastThreads), get(r.mostThreads)),
         bytesText(get(r.bytes)), bytesText(get(r.toDevice)),
         bytesText(get(r.toHost)), std::to_string(get(r.hostCalls)), r.name});
  }
  if (!d.kernels.empty())
    out += kernels.text();
  if (untimed)
    out += "  " + std::to_string(untimed) +
           " launches have no time: they had not ended, or failed\n";
  if (d.device.sharedCalls)
    out += "  " + std::to_string(d.device.sharedCalls) +
           " host calls came while kernels of several names were in flight\n";
  Table copies;
  copies.row({"count", "bytes", "total", "mean", "bandwidth", "copies"});
  for (const Line &l : d.copies)
    copies.row({std::to_string(l.launches), bytesText(get(l.of->bytes)),
                timeText(double(l.total)), meanText(l),
                l.total ? format("%.2f GB/s",
                                 double(get(l.of->bytes)) / double(l.total))
                        : "-",
                l.of->name});
  if (!d.copies.empty())
    out += copies.text();
  return out;
}

//===----------------------------------------------------------------------===//
// As JSON
//===----------------------------------------------------------------------===//

static std::string timesOf(const Line &l) {
  trace::Members m;
  m.number("timed", l.timed);
  m.number("total_ns", l.total);
  m.number("min_ns", l.timed ? l.least : 0);
  m.number("max_ns", l.most);
  return "," + m.json();
}

static std::string jsonOf(const Lines &d) {
  trace::Members head;
  head.number("ordinal", uint64_t(d.ordinal));
  head.text("id", d.device.id);
  head.text("name", d.device.name);
  head.number("kernel_ns", d.kernelTime);
  head.number("shared_host_calls", d.device.sharedCalls);
  std::string out = "{" + head.json() + ",\n\"kernels\":[";
  const char *between = "\n";
  for (const Line &l : d.kernels) {
    const Row &r = *l.of;
    trace::Members m, more;
    m.text("name", r.name);
    m.number("launches", l.launches);
    bool any = l.launches != 0;
    more.number("min_blocks", any ? get(r.leastBlocks) : 0);
    more.number("max_blocks", get(r.mostBlocks));
    more.number("min_threads", any ? get(r.leastThreads) : 0);
    more.number("max_threads", get(r.mostThreads));
    more.number("mapped_bytes", get(r.bytes));
    more.number("bytes_to_device", get(r.toDevice));
    more.number("bytes_to_host", get(r.toHost));
    more.number("host_calls", get(r.hostCalls));
    out += between + ("{" + m.json() + timesOf(l) + "," + more.json() + "}");
    between = ",\n";
  }
  out += "],\n\"copies\":[";
  between = "\n";
  for (const Line &l : d.copies) {
    trace::Members m;
    m.text("kind", l.of->name);
    m.number("count", l.launches);
    m.number("bytes", get(l.of->bytes));
    out += between + ("{" + m.json() + timesOf(l) + "}");
    between = ",\n";
  }
  return out + "]}";
}

static void writeFile(const std::vector<Lines> &devices, uint64_t time) {
  NoSizeSignal here;
  OutputFile file(theStore->file);
  FILE *out = file.open();
  bool good = out;
  if (good) {
    fprintf(out, "{\"version\":1,\"pid\":%d,\"elapsed_ns\":%llu,\"devices\":[",
            int(getpid()), static_cast<unsigned long long>(time));
    const char *between = "\n";
    for (const Lines &d : devices) {
      fprintf(out, "%s%s", between, jsonOf(d).c_str());
      between = ",\n";
    }
    fprintf(out, "]}\n");
    good = file.close();
  }
  if (!good)
    complain("XCC_PROFILE: cannot write %s: %s", theStore->file.c_str(),
             strerror(errno));
}

void finish() {
  if (!enabled())
    return;
  counting.store(false, std::memory_order_relaxed);
  try {
    std::lock_guard lock(theStore->mutex);
    if (std::exchange(theStore->written, true))
      return;
    // Restore the handler, because this code may be unloaded before the process
    // ends.
    if (std::get_terminate() == finishAndTerminate)
      std::set_terminate(theStore->terminate);
    uint64_t time = trace::now() - theStore->origin;
    std::vector<Lines> devices = gather();
    if (!theStore->file.empty())
      return writeFile(devices, time);
    std::string text = "xcc profile: " + timeText(double(time)) +
                       " from the first use of a device to the end\n";
    for (const Lines &d : devices)
      text += tableOf(d);
    // Write all at once, so that lines of several processes do not mix.
    for (size_t at = 0; at < text.size();) {
      ssize_t n = write(STDERR_FILENO, text.data() + at, text.size() - at);
      if (n <= 0 && errno != EINTR)
        break;
      at += n > 0 ? size_t(n) : 0;
    }
  } catch (const std::bad_alloc &) {
    complain("XCC_PROFILE: out of memory");
  }
}

} // namespace xcc::rt::profile
