// What kernels counted for -fprofile-instr-generate
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

// Of compiler-rt, in programs that are linked with -fprofile-instr-generate.
extern "C" [[gnu::weak]] int
__llvm_write_custom_profile(const char *target, const void *data,
                            const void *dataEnd, const char *counters,
                            const char *countersEnd, const char *names,
                            const char *namesEnd, const uint64_t *version);

namespace xcc::rt::cpu {
namespace {

struct Images {
  std::mutex mutex;
  std::map<const void *const *, unsigned> numbers; ///< of those that are loaded
  unsigned next = 0;
};

/// Is there to the very end of the process.
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
    complain("cannot write what kernels of the CPU device counted for "
             "-fprofile-instr-generate");
}

void writeAll() {
  const std::lock_guard lock(images().mutex);
  for (const auto &[bounds, number] : images().numbers)
    write(bounds, number);
}

} // namespace

void Counters::found(const void *there) {
  if (!there)
    return;
  if (!__llvm_write_custom_profile)
    return complain("kernels count for -fprofile-instr-generate, which the "
                    "program is not linked with: what they count is lost");
  bounds = static_cast<const void *const *>(there);
  const std::lock_guard lock(images().mutex);
  if (!images().next)
    atexit(writeAll);
  images().numbers.emplace(bounds, images().next++);
}

Counters::~Counters() {
  if (!bounds)
    return;
  const std::lock_guard lock(images().mutex);
  auto at = images().numbers.find(bounds);
  write(bounds, at->second);
  images().numbers.erase(at);
}

} // namespace xcc::rt::cpu
