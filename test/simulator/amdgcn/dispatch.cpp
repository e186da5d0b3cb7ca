// How the waves of a launch take turns
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several workgroups are resident at a time, as on a GPU, and all of their
// waves get turns, so that one may wait for another, or for the host.
//
// A launch in which nothing can happen any more is given up: no memory that
// others see has changed for a while, no wave has passed a barrier or ended,
// and every wave that could run has come back to a state (registers, scratch,
// place) in which it was before. Only the host could then free it, and it has
// some seconds to do so.

#include "dispatch.h"
#include "test/mock/device_memory.h"
#include "test/simulator/common/checks.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace amdgcn {

double secondsNow() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

const Settings &Settings::get() {
  static const Settings &set = *[] {
    auto *s = new Settings;
    if (const char *text = getenv("XCC_SIM_SCHEDULE")) {
      std::string name = text;
      if (name == "lockstep")
        s->schedule = Lockstep;
      else if (name.starts_with("random")) {
        s->schedule = Random;
        if (name.size() > 7)
          s->seed = strtoull(name.c_str() + 7, nullptr, 0);
      } else if (name != "fair") {
        fprintf(stderr,
                "simulator: XCC_SIM_SCHEDULE=%s: fair, lockstep or "
                "random:SEED was expected\n",
                text);
        // exit() would wait for the kernel that this thread should run.
        _exit(2);
      }
    }
    if (const char *text = getenv("XCC_SIM_SECONDS"))
      s->hangSeconds = strtod(text, nullptr);
    s->trace = getenv("XCC_SIM_TRACE") != nullptr;
    s->profile = getenv("XCC_SIM_PROFILE") != nullptr;
    if (const char *notes = getenv("XCC_SIM_NOTES"))
      s->notes = *notes && *notes != '0';
    s->races = simulator::checksRaces();
    s->init = simulator::checksInit();
    return s;
  }();
  return set;
}

Dispatch::Dispatch(Program &p, uint64_t descriptor, std::string name,
                   const xcc::rt::aql::DispatchPacket &thePacket,
                   uint64_t agent, const void *queue, size_t queueBytes,
                   const Settings &set)
    : code(p), kernel(*mock::reachable<KernelDescriptor>(descriptor)),
      kernelAt(descriptor), name(std::move(name)), packet(thePacket),
      queue(queue), set(set), memory(agent),
      lanes(kernel.properties >> 10 & 1 ? 32 : 64),
      privateSize(thePacket.privateSegmentSize), luck(set.seed) {
  if (set.races) {
    marked = hasMarks();
    races = std::make_unique<simulator::DeviceRaces>(!marked);
  }
  memory.addOwn(&packet, sizeof(packet), false);
  memory.addOwn(queue, queueBytes, false);
  allGroups = 1;
  uint64_t threads = 1;
  for (int i = 0; i != 3; ++i) {
    groups[i] = (packet.gridSize[i] + packet.workgroupSize[i] - 1) /
                packet.workgroupSize[i];
    allGroups *= groups[i];
    threads *= packet.workgroupSize[i];
  }
  // As many as fit into some memory, within what a GPU would hold.
  uint64_t each =
      packet.groupSegmentSize + threads * (privateSize + 4 * 64) + 4096;
  maxResident = std::clamp<uint64_t>((uint64_t(256) << 20) / each, 4, 32);
}

Dispatch::~Dispatch() = default;

void Dispatch::refill() {
  std::erase_if(resident, [this](auto &g) {
    if (g->alive)
      return false;
    ++finished;
    for (auto &w : g->waves)
      instructions += w->retired;
    return true;
  });
  while (resident.size() < maxResident && nextGroup < allGroups) {
    uint32_t id[3] = {uint32_t(nextGroup % groups[0]),
                      uint32_t(nextGroup / groups[0] % groups[1]),
                      uint32_t(nextGroup / groups[0] / groups[1])};
    resident.push_back(std::make_unique<Workgroup>(*this, id, nextGroup));
    ++nextGroup;
  }
}

/// False when the wave has nothing to do.
bool Dispatch::turn(Wave &w) {
  if (w.is != Wave::Running)
    return false;
  failed = &w;
  switch (set.schedule) {
  case Settings::Fair:
    w.run(4000);
    break;
  case Settings::Lockstep:
    w.run(1);
    break;
  case Settings::Random:
    w.run(1 + luck() % 64);
    break;
  }
  return true;
}

void Dispatch::run(const std::atomic<bool> &abandon) {
  refill();
  uint64_t rounds = 0;
  while (!resident.empty()) {
    if (abandon.load(std::memory_order_relaxed))
      return;
    memory.refresh();
    bool ended = false, busy = false;
    uint64_t before = changes;
    // In lockstep the check for ends costs as much as the steps.
    for (unsigned repeat = set.schedule == Settings::Lockstep ? 16 : 1; repeat;
         --repeat) {
      if (set.schedule == Settings::Random) {
        for (size_t i = 0, n = resident.size(); i != n; ++i) {
          Workgroup &g = *resident[luck() % n];
          turn(*g.waves[luck() % g.waves.size()]);
        }
        // Luck may miss those that could run for long, not for ever.
        busy = true;
      } else {
        for (auto &g : resident)
          for (auto &w : g->waves)
            busy |= turn(*w) && !w->slept;
      }
    }
    for (auto &g : resident)
      ended |= !g->alive;
    if (ended)
      refill();
    if (++rounds % 64 == 0 || !busy)
      watch();
    // All of them wait for something: the host needs the processor more.
    if (!busy && before == changes)
      std::this_thread::yield();
  }
}

//===----------------------------------------------------------------------===//
// Giving up
//===----------------------------------------------------------------------===//

void Dispatch::watch() {
  if (changes != seenChanges || finished != seenFinished) {
    seenChanges = changes;
    seenFinished = finished;
    since = -1;
    watchAt = 0;
    return;
  }
  if (!set.hangSeconds)
    return;
  if (since < 0) {
    since = secondsNow();
    for (auto &g : resident)
      for (auto &w : g->waves) {
        w->cycles = false;
        w->loopHash = 0;
        w->loopCount = 0;
        w->loopPower = 1;
      }
    return;
  }
  // Looking at whole states costs something; a short wait is no reason.
  double waited = secondsNow() - since;
  if (waited < 0.05 || ++watchAt % 8)
    return;
  bool all = true;
  for (auto &g : resident)
    for (auto &w : g->waves) {
      if (w->is != Wave::Running || w->cycles)
        continue;
      uint64_t hash = w->hash();
      if (w->loopCount && hash == w->loopHash)
        w->cycles = true;
      else if (++w->loopCount >= w->loopPower) {
        w->loopHash = hash;
        w->loopPower *= 2;
      }
      all &= w->cycles;
    }
  if (!all)
    return;
  if (waited > set.hangSeconds) {
    failed = nullptr;
    throw Stop{Stop::Hang, "no wave can go on", 0, 1u << 31, -1};
  }
  std::this_thread::sleep_for(std::chrono::microseconds(200));
}

} // namespace amdgcn
