// xcc-replay: runs a recorded launch again
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_RECORD=DIRECTORY writes what it reads (docs/replay.md).

#include "compare.h"
#include "formats/elf_file.h"
#include "formats/kernel_row.h"
#include "formats/offload_binary.h"
#include "records/launch_files.h"
#include "rerun.h"
#include "shrink.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/personality.h>
#include <unistd.h>

#ifndef XCC_VERSION
#define XCC_VERSION "0"
#endif

using namespace replay;
using namespace xcc::rt;

static const char *const Help =
    R"(usage: xcc-replay [options] FOLDER

Runs the launch that XCC_RECORD=FOLDER recorded, and compares the memory after it
with what was recorded.

  --device=DEVICE  where, as in XCC_DEVICE: host, sim:sm_90, sim:gfx1100
                   (the device that it was recorded on, unless XCC_DEVICE is set)
  --grid=X[,Y[,Z]] blocks of the grid
  --block=X[,Y[,Z]]
                   threads of a block
  --image=FILE     the code of another program, library or object file, or what
                   -foffload-image-only wrote: the same kernel, compiled anew
  --repeat=N       run it N times, each with the memory of before, and print times
  --shrink         remove from the folder the memory that the launch does not use
  --show           print what the launch was, and run nothing
  --help           print this
  --version        print the version

The exit status is 0 if the memory is the same, 1 if it is not or the launch
fails, and 2 if it cannot be run.
)";

namespace {
struct Options {
  std::string folder, device, image;
  std::string grid, block;
  unsigned repeat = 1;
  bool timed = false, shrink = false, show = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static unsigned parseNumber(std::string_view text, std::string_view option) {
  unsigned n = 0;
  auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || stop != text.data() + text.size() || !n)
    throw Failure(std::string(option) + ": '" + std::string(text) +
                  "' is no number from 1 on");
  return n;
}

/// "4" or "4,2" or "4,2,1".
static std::array<uint32_t, 3> parseShape(std::string_view text,
                                          std::string_view option) {
  std::array<uint32_t, 3> out{1, 1, 1};
  for (size_t i = 0;; ++i) {
    const size_t comma = text.find(',');
    if (i == 3)
      throw Failure(std::string(option) + ": there are three dimensions");
    out[i] = parseNumber(text.substr(0, comma), option);
    if (comma == text.npos)
      return out;
    text.remove_prefix(comma + 1);
  }
}

static Options parseOptions(int count, char **arguments) {
  Options o;
  for (int i = 1; i != count; ++i) {
    std::string_view argument = arguments[i], value;
    auto is = [&](std::string_view option) {
      if (!argument.starts_with(option))
        return false;
      value = argument.substr(option.size());
      return true;
    };
    if (is("--device="))
      o.device = value;
    else if (is("--grid="))
      o.grid = value;
    else if (is("--block="))
      o.block = value;
    else if (is("--image="))
      o.image = value;
    else if (is("--repeat="))
      o.timed = (o.repeat = parseNumber(value, "--repeat")) != 0;
    else if (argument == "--shrink")
      o.shrink = true;
    else if (argument == "--show")
      o.show = true;
    else if (argument.starts_with("-") || !o.folder.empty())
      throw Failure("unknown option '" + std::string(argument) +
                    "'; see xcc-replay --help");
    else
      o.folder = argument;
  }
  if (o.shrink && !(o.image + o.grid + o.block).empty())
    throw Failure("--shrink keeps the launch as it was: it excludes --image, "
                  "--grid and --block");
  if (o.folder.empty())
    throw Failure("no folder is named; see xcc-replay --help");
  return o;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// The images of a program, library or object file.
static std::string imagesOf(const std::string &path) {
  const std::string data = readFile(path);
  const Bytes file(data.data(), data.size());
  if (isOffloadBinary(file))
    return data;
  Bytes section;
  const char *why = nullptr;
  if (!findSection(file, ".llvm.offloading", section, why))
    throw Failure(path + ": the file " + why);
  if (!section.size())
    throw Failure(path + ": it has no device code");
  return {section.data(), section.size()};
}

/// The kernel's row in any image: of its symbol, or else of its name. Symbols of
/// functions that are a translation unit's own change with its text.
static std::optional<KernelRow> findRow(const std::string &images,
                                        const Launch &l) {
  std::optional<KernelRow> named;
  OffloadReader reader(Bytes(images.data(), images.size()));
  OffloadImage image;
  while (reader.next(image)) {
    KernelRow row;
    if (findKernelRow(image.kernels, l.symbol, row))
      return row;
    for (std::string_view table = image.kernels; nextKernelRow(table, row);)
      if (row.name == escapeField(l.kernel))
        named = row;
  }
  if (reader.error())
    throw Failure(std::string("its device code ") + reader.error());
  return named;
}

/// Takes the kernel's code out of another file.
static void replaceImages(Launch &l, const std::string &path) {
  l.images = imagesOf(path);
  const std::optional<KernelRow> row = findRow(l.images, l);
  if (!row)
    throw Failure(path + ": it has no kernel '" + l.kernel + "'");
  if (row->kernargSize != l.arguments.size())
    throw Failure(path + ": kernel '" + l.kernel + "' takes " +
                  std::to_string(row->kernargSize) +
                  " bytes of arguments there, and the recorded launch has " +
                  std::to_string(l.arguments.size()));
  l.symbol = row->symbol;
  l.fingerprint = row->fingerprint;
}

static std::string shapeText(const std::array<uint32_t, 3> &three) {
  return std::to_string(three[0]) + " x " + std::to_string(three[1]) + " x " +
         std::to_string(three[2]);
}

static void show(const Launch &l) {
  printf("kernel %s (%s:%u)\n", l.kernel.c_str(), l.kernelFile.c_str(),
         l.kernelLine);
  printf("launched at %s:%u, a grid of %s blocks of %s threads, %llu bytes of "
         "dynamic shared memory%s\n",
         l.file.c_str(), l.line, shapeText(l.grid).c_str(),
         shapeText(l.block).c_str(), static_cast<unsigned long long>(l.shared),
         l.cooperative ? ", cooperative" : "");
  printf("recorded on %s (%s); it %s\n", l.device.c_str(), l.arch.c_str(),
         l.outcome == records::Ended    ? "ended"
         : l.outcome == records::Failed ? "failed"
                                        : "did not end before the process did");
  printf("%zu arguments' bytes, %zu ranges of memory, %llu bytes\n",
         l.arguments.size(), l.memory.size(),
         static_cast<unsigned long long>(l.bytes()));
  OffloadReader reader(Bytes(l.images.data(), l.images.size()));
  OffloadImage image;
  std::string archs;
  while (reader.next(image))
    archs += (archs.empty() ? "" : ", ") + std::string(image.arch);
  printf("code for %s\n", archs.c_str());
  if (l.heap)
    printf("note: the kernel may allocate memory; what earlier kernels "
           "allocated is not in the record\n");
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

/// Starts this program again without random addresses and with the system's old
/// layout: programs have their memory elsewhere then. Where the system does not
/// allow it, it goes on as it is.
static void arrangeAddresses(char **arguments) {
  constexpr unsigned long wanted = ADDR_NO_RANDOMIZE | ADDR_COMPAT_LAYOUT;
  const int now = personality(0xffffffff);
  if (now == -1 || (unsigned(now) & wanted) == wanted ||
      personality(unsigned(now) | wanted) == -1 ||
      (unsigned(personality(0xffffffff)) & wanted) != wanted)
    return;
  execv("/proc/self/exe", arguments);
}

/// Simulators are beside xcc-replay's own libraries, unless a variable says more.
static void findSimulators() {
  std::error_code failed;
  auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
  auto folder = self.parent_path().parent_path() / "lib";
  if (!failed && std::filesystem::exists(folder / "libxcc-sim-cuda.so.0"))
    setenv("XCC_SIMULATORS", folder.c_str(), 0);
}

static void chooseDevice(const Options &o, const Launch &l) {
  unsetenv("XCC_RECORD");
  findSimulators();
  const char *set = getenv("XCC_DEVICE");
  if (!o.device.empty())
    setenv("XCC_DEVICE", o.device.c_str(), 1);
  else if (!set || !*set)
    setenv("XCC_DEVICE", l.device.c_str(), 1);
}

static void printTimes(std::vector<double> times) {
  std::ranges::sort(times);
  printf("%zu runs, milliseconds with the wait: least %.3f, median %.3f, most "
         "%.3f\n",
         times.size(), times.front(), times[times.size() / 2], times.back());
}

/// Runs it, and says how it ended.
static int replayOnce(const Launch &l, const Options &o) {
  const Outcome out = rerun(l, o.repeat);
  printf("kernel %s on %s, recorded on %s: a grid of %s blocks of %s threads\n",
         l.kernel.c_str(), out.device.c_str(), l.device.c_str(),
         shapeText(l.grid).c_str(), shapeText(l.block).c_str());
  if (!out.failure.empty()) {
    printf("the launch failed: %s\n", out.failure.c_str());
    return 1;
  }
  if (o.timed)
    printTimes(out.milliseconds);
  if (!l.hasAfter()) {
    printf("it ended; there is nothing to compare with, as the recorded launch "
           "did not end\n");
    return 0;
  }
  if (compare(l, out.memory))
    return 1;
  printf("%llu bytes of memory are as recorded\n",
         static_cast<unsigned long long>(l.bytes()));
  return 0;
}

static int run(const Options &o) {
  Launch l = readFolder(o.folder);
  if (!o.image.empty())
    replaceImages(l, o.image);
  if (!o.grid.empty())
    l.grid = parseShape(o.grid, "--grid");
  if (!o.block.empty())
    l.block = parseShape(o.block, "--block");
  if (o.show) {
    show(l);
    return 0;
  }
  chooseDevice(o, l);
  if (!o.shrink)
    return replayOnce(l, o);
  const uint64_t bytes = l.bytes();
  shrink(l);
  writeFolder(o.folder, l);
  printf("%llu of %llu bytes of memory are left\n",
         static_cast<unsigned long long>(l.bytes()),
         static_cast<unsigned long long>(bytes));
  return 0;
}

int main(int count, char **arguments) {
  for (int i = 1; i != count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      fputs(Help, stdout);
      return 0;
    }
    if (argument == "--version") {
      puts("xcc-replay " XCC_VERSION);
      return 0;
    }
  }
  try {
    const Options options = parseOptions(count, arguments);
    arrangeAddresses(arguments);
    const int status = run(options);
    if (fflush(stdout) == 0)
      return status;
    fprintf(stderr, "xcc-replay: cannot write: %s\n", strerror(errno));
  } catch (const std::exception &e) {
    fprintf(stderr, "xcc-replay: %s\n", e.what());
  }
  return 2;
}
