// Cooperative launches, whose blocks all run at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block has a thread of the machine, so blocks may wait for each other in
// the kernel (device-runtime/grid.cpp). No block begins before all can. If a
// block fails, or ends while the others wait for it, the others are
// interrupted.

#include "cpu/device.h"
#include "cpu/faults/interrupt.h"
#include "cpu/workers/sanitizer.h"
#include "errors/sentence.h"
#include "process/futex.h"
#include "process/main_end.h"
#include "processor.h"

#include <functional>
#include <new>
#include <pthread.h>
#include <unistd.h>
#include <vector>

namespace xcc::rt::cpu {

namespace {
enum Gate : uint32_t { Closed, Go, GiveUp };

/// The state of one launch.
struct CooperativeLaunch {
  explicit CooperativeLaunch(uint32_t blocks)
      : blocks(blocks), inside(blocks) {}
  const uint32_t blocks;
  std::atomic<uint32_t> gate{Closed};
  std::atomic<uint32_t> prepared{0}; ///< threads that are ready or failed
  std::atomic<bool> lacking{false};  ///< a thread could not get ready
  std::atomic<uint32_t> inside;      ///< blocks that have not ended
  std::atomic<bool> uneven{false};
};

/// The thread of a block.
struct Part {
  CooperativeLaunch *all;
  std::function<bool(Worker &)> enter;
  std::function<void(Worker &)> run;
  pthread_t thread;
};

void *partMain(void *self) {
  ownThreadBegins();
  auto &part = *static_cast<Part *>(self);
  CooperativeLaunch &all = *part.all;
  Worker *w = Worker::current();
  if (!w || !part.enter(*w))
    all.lacking = true;
  all.prepared.fetch_add(1);
  futexWake(all.prepared);
  while (all.gate == Closed)
    futexWait(all.gate, Closed);
  if (all.gate == Go)
    part.run(*w);
  ownThreadEnds();
  return nullptr;
}
} // namespace

void PacketProcessor::runTogether(Worker &own) {
  sanitizer::Ignored here;
  const auto blocks = static_cast<uint32_t>(current.blocks);
  CooperativeLaunch all(blocks);
  // The number of blocks that wait, which the kernel's code counts; null if the
  // kernel has no grid barrier.
  auto *grid = static_cast<uint32_t *>(current.function->grid);
  auto run = [&](Worker &w, uint32_t block) {
    runRange(w, block, block + 1);
    all.inside.fetch_sub(1);
    while (uint32_t others = all.inside) {
      const bool waits =
          grid && __atomic_load_n(grid, __ATOMIC_RELAXED) == others;
      if (waits && !current.failed && !all.uneven.exchange(true))
        noteUneven();
      if (current.failed)
        interrupt(*current.function, "another block of the launch has failed",
                  true);
      usleep(500);
    }
  };
  std::vector<Part> parts;
  uint32_t started = 0;
  try {
    parts.reserve(blocks);
    for (uint32_t block = 1; block < blocks; ++block)
      parts.push_back({&all,
                       [this](Worker &w) { return w.enter(current); },
                       [&run, block](Worker &w) { run(w, block); },
                       {}});
  } catch (const std::bad_alloc &) {
    all.lacking = true;
  }
  for (; !all.lacking && started != parts.size(); ++started)
    if (!workers.startPart(parts[started].thread, partMain, &parts[started]))
      all.lacking = true;
  if (!own.enter(current))
    all.lacking = true;
  for (uint32_t seen; (seen = all.prepared) != started;)
    futexWait(all.prepared, seen);
  const bool good = !all.lacking;
  all.gate = good ? Go : GiveUp;
  futexWake(all.gate);
  if (good)
    run(own, 0);
  else
    noteTooFew();
  for (uint32_t i = 0; i != started; ++i)
    pthread_join(parts[i].thread, nullptr);
}

void PacketProcessor::noteUneven() {
  const CpuKernel &k = *current.function;
  current.failed.store(true, std::memory_order_relaxed);
  failures.fetch_add(1, std::memory_order_relaxed);
  SentenceOf<1024> s;
  s.addLaunch(k.info->name, current.file, current.line);
  errors.add(makeError(XCC_ERROR_LAUNCH_FAILED,
                       {k.info->name, current.file, current.line, ordinal()},
                       "%s failed on device %d (host): blocks wait in "
                       "xcc::sync_grid for a block that has ended; all blocks "
                       "of a grid must call it equally often",
                       s.text(), ordinal()),
             current.launcher);
}

void PacketProcessor::noteTooFew() {
  const CpuKernel &k = *current.function;
  current.failed.store(true, std::memory_order_relaxed);
  failures.fetch_add(1, std::memory_order_relaxed);
  errors.add(
      makeError(XCC_ERROR_OUT_OF_MEMORY,
                {k.info->name, current.file, current.line, ordinal()},
                "launch of '%s': no thread or no memory for each of %llu "
                "blocks that run at once; launch fewer",
                k.info->name, static_cast<unsigned long long>(current.blocks)),
      current.launcher);
}

} // namespace xcc::rt::cpu
