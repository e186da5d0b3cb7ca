// Running a kernel as a function of the calling thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "here.h"
#include "process/profile.h"

#include <algorithm>
#include <sys/mman.h>

namespace xcc::rt::cpu {

static xcc_cpu_group group;
static xcc_cpu_thread thread;

namespace {
/// The record of a thread that a kernel started. The thread is in no block.
/// Nothing reads its position, but calls need room to write it.
class Started {
public:
  Started() {
    void *words = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (words != MAP_FAILED)
      record.position = first = static_cast<uint64_t *>(words);
  }
  ~Started() {
    if (first)
      munmap(first, Size);
  }
  Started(const Started &) = delete;
  Started &operator=(const Started &) = delete;

  xcc_cpu_thread record{};

private:
  static constexpr size_t Size = 16 << 20;
  uint64_t *first = nullptr;
};
} // namespace

xcc_cpu_thread *threadHere() {
  if (thread.group)
    return &thread;
  static thread_local Started started;
  return &started.record;
}

bool runInCallingThread(int device, const CpuKernel &kernel,
                        const void *kernarg) {
  const xcc_cpu_kernel &code = *kernel.object;
  if (code.flags & XCC_CPU_KERNEL_FIBERS)
    return false;
  group = {};
  thread = {};
  if (code.group_segment_size || code.private_segment_size) {
    // Memory for shared, exchange and scratch, each from a new page.
    constexpr size_t exchange =
        size_t(XCC_CPU_MAX_BLOCK) * XCC_CPU_EXCHANGE_BYTES;
    void *memory = mmap(
        nullptr,
        XCC_CPU_MAX_SHARED + exchange +
            std::max<size_t>(code.private_segment_size, XCC_CPU_LEAST_SCRATCH),
        PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
        0);
    if (memory == MAP_FAILED)
      return false;
    group.shared = memory;
    group.exchange = static_cast<char *>(memory) + XCC_CPU_MAX_SHARED;
    group.scratch = static_cast<char *>(group.exchange) + exchange;
  }
  group.kernarg = kernarg;
  group.thread = &thread;
  for (int i = 0; i != 3; ++i)
    group.grid_dim[i] = group.block_dim[i] = 1;
  group.dynamic_offset = kernel.sharedSize;
  thread.group = &group;
  profile::Work *work = nullptr;
  if (profile::enabled()) [[unlikely]] {
    constexpr uint32_t one[] = {1, 1, 1};
    LaunchRequest r{&kernel, one, one, 0, kernarg, nullptr, 0};
    profile::Launch l = r.profiled();
    l.callsHost = true;
    work = profile::launched(device, l, 0);
    if (work)
      profile::began(work);
  }
  reinterpret_cast<xcc_cpu_block_fn>(code.entry)(&group, 0, 1);
  if (work)
    profile::ended(work, work->begin, trace::now());
  return true;
}

} // namespace xcc::rt::cpu
