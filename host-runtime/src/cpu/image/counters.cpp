// Counts of kernels for -fprofile-instr-generate and --coverage
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "counters.h"
#include "process/log.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <unistd.h>
#include <utility>

// From compiler-rt, in programs linked with -fprofile-instr-generate.
extern "C" [[gnu::weak]] int
__llvm_write_custom_profile(const char *target, const void *data,
                            const void *dataEnd, const char *counters,
                            const char *countersEnd, const char *names,
                            const char *namesEnd, const uint64_t *version);
extern "C" [[gnu::weak]] int __llvm_profile_is_continuous_mode_enabled();

// From compiler-rt, in programs linked with --coverage.
extern "C" {
[[gnu::weak]] void llvm_gcda_start_file(const char *name, uint32_t version,
                                        uint32_t checksum);
[[gnu::weak]] void llvm_gcda_emit_function(uint32_t ident, uint32_t functionSum,
                                           uint32_t checksum);
[[gnu::weak]] void llvm_gcda_emit_arcs(uint32_t count, uint64_t *counters);
[[gnu::weak]] void llvm_gcda_summary_info();
[[gnu::weak]] void llvm_gcda_end_file();
}

namespace xcc::rt::cpu {
namespace {

struct Images {
  std::mutex mutex;
  std::map<const void *const *, unsigned> numbers; ///< of loaded images
  unsigned next = 0;
  std::set<void *const *> arcs;
  pid_t process = getpid();  ///< a forked child must not write these counts
  bool isRegistered = false; ///< writeAll is registered with atexit
  void registerAtExit();
};

/// Never destroyed, so that it is there at the end of the process.
Images &images() {
  static Images *const all = new Images;
  return *all;
}

void write(const void *const *bounds, unsigned number) {
  auto text = [&](int i) { return static_cast<const char *>(bounds[i]); };
  char name[32];
  snprintf(name, sizeof(name), "cpu%u", number);
  if (__llvm_write_custom_profile(name, bounds[0], bounds[1], text(2), text(3),
                                  text(4), text(5), nullptr) != 0)
    complain("cannot write the counts of the CPU device's kernels for "
             "-fprofile-instr-generate");
}

/// Adds the counts to the file's own. Must happen only once.
void writeArcs(void *const *table) {
  if (images().arcs.erase(table) && getpid() == images().process)
    reinterpret_cast<void (*)()>(table[0])();
}

void writeAll() {
  const std::lock_guard lock(images().mutex);
  while (!images().arcs.empty())
    writeArcs(*images().arcs.begin());
  for (const auto &[bounds, number] : images().numbers)
    write(bounds, number);
}

void Images::registerAtExit() {
  if (!std::exchange(isRegistered, true))
    atexit(writeAll);
}

} // namespace

void Counters::foundArcs(void *there) {
  if (!there)
    return;
  if (!llvm_gcda_start_file)
    return complain("kernels count for --coverage, but the program is not "
                    "linked with it: their counts are lost");
  auto *table = static_cast<void **>(there);
  table[1] = reinterpret_cast<void *>(llvm_gcda_start_file);
  table[2] = reinterpret_cast<void *>(llvm_gcda_emit_function);
  table[3] = reinterpret_cast<void *>(llvm_gcda_emit_arcs);
  table[4] = reinterpret_cast<void *>(llvm_gcda_summary_info);
  table[5] = reinterpret_cast<void *>(llvm_gcda_end_file);
  arcs = table;
  const std::lock_guard lock(images().mutex);
  images().registerAtExit();
  images().arcs.insert(arcs);
}

void Counters::found(const void *there) {
  if (!there)
    return;
  if (!__llvm_write_custom_profile)
    return complain("kernels count for -fprofile-instr-generate, but the "
                    "program is not linked with it: their counts are lost");
  if (__llvm_profile_is_continuous_mode_enabled &&
      __llvm_profile_is_continuous_mode_enabled())
    return complain("kernels count for -fprofile-instr-generate, but in "
                    "continuous mode (-fprofile-continuous, %%c) only the "
                    "host's code writes counts: the kernels' are lost");
  bounds = static_cast<const void *const *>(there);
  const std::lock_guard lock(images().mutex);
  images().registerAtExit();
  images().numbers.emplace(bounds, images().next++);
}

Counters::~Counters() {
  if (!bounds && !arcs)
    return;
  const std::lock_guard lock(images().mutex);
  if (arcs)
    writeArcs(arcs);
  if (!bounds)
    return;
  auto at = images().numbers.find(bounds);
  write(bounds, at->second);
  images().numbers.erase(at);
}

} // namespace xcc::rt::cpu
