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

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace amdgcn {

double secondsNow() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

const Settings &Settings::get() {
  static const Settings &Set = *[] {
    auto *S = new Settings;
    if (const char *Text = getenv("XCC_SIM_SCHEDULE")) {
      std::string Name = Text;
      if (Name == "lockstep")
        S->Schedule = Lockstep;
      else if (Name.starts_with("random")) {
        S->Schedule = Random;
        if (Name.size() > 7)
          S->Seed = strtoull(Name.c_str() + 7, nullptr, 0);
      } else if (Name != "fair") {
        fprintf(stderr,
                "simulator: XCC_SIM_SCHEDULE=%s: fair, lockstep or "
                "random:SEED\n",
                Text);
        exit(2);
      }
    }
    if (const char *Text = getenv("XCC_SIM_SECONDS"))
      S->HangSeconds = strtod(Text, nullptr);
    S->Trace = getenv("XCC_SIM_TRACE") != nullptr;
    S->Profile = getenv("XCC_SIM_PROFILE") != nullptr;
    if (const char *Notes = getenv("XCC_SIM_NOTES"))
      S->Notes = *Notes && *Notes != '0';
    return S;
  }();
  return Set;
}

Dispatch::Dispatch(Program &P, const KernelDescriptor &K, std::string Name,
                   const xcc::rt::aql::DispatchPacket &ThePacket,
                   uint64_t Agent, const void *Queue, size_t QueueBytes,
                   const Settings &Set)
    : Code(P), Kernel(K), Name(std::move(Name)), Packet(ThePacket),
      Queue(Queue), Set(Set), Memory(Agent),
      Lanes(K.Properties >> 10 & 1 ? 32 : 64),
      PrivateSize(ThePacket.privateSegmentSize), Luck(Set.Seed) {
  Memory.addOwn(&Packet, sizeof(Packet), false);
  Memory.addOwn(Queue, QueueBytes, false);
  AllGroups = 1;
  uint64_t Threads = 1;
  for (int I = 0; I != 3; ++I) {
    Groups[I] = (Packet.gridSize[I] + Packet.workgroupSize[I] - 1) /
                Packet.workgroupSize[I];
    AllGroups *= Groups[I];
    Threads *= Packet.workgroupSize[I];
  }
  // As many as fit into some memory, within what a GPU would hold.
  uint64_t Each =
      Packet.groupSegmentSize + Threads * (PrivateSize + 4 * 64) + 4096;
  MaxResident = std::clamp<uint64_t>((uint64_t(256) << 20) / Each, 4, 32);
}

Dispatch::~Dispatch() = default;

void Dispatch::refill() {
  std::erase_if(Resident, [this](auto &G) {
    if (G->Alive)
      return false;
    ++Finished;
    for (auto &W : G->Waves)
      Instructions += W->Retired;
    return true;
  });
  while (Resident.size() < MaxResident && NextGroup < AllGroups) {
    uint32_t Id[3] = {uint32_t(NextGroup % Groups[0]),
                      uint32_t(NextGroup / Groups[0] % Groups[1]),
                      uint32_t(NextGroup / Groups[0] / Groups[1])};
    Resident.push_back(std::make_unique<Workgroup>(*this, Id, NextGroup));
    ++NextGroup;
  }
}

/// False when the wave has nothing to do.
bool Dispatch::turn(Wave &W) {
  if (W.Is != Wave::Running)
    return false;
  Failed = &W;
  switch (Set.Schedule) {
  case Settings::Fair:
    W.run(4000);
    break;
  case Settings::Lockstep:
    W.run(1);
    break;
  case Settings::Random:
    W.run(1 + Luck() % 64);
    break;
  }
  return true;
}

void Dispatch::run(const std::atomic<bool> &Abandon) {
  refill();
  uint64_t Rounds = 0;
  while (!Resident.empty()) {
    if (Abandon.load(std::memory_order_relaxed))
      return;
    Memory.refresh();
    bool Ended = false, Busy = false;
    uint64_t Before = Changes;
    // In lockstep the check for ends costs as much as the steps.
    for (unsigned Repeat = Set.Schedule == Settings::Lockstep ? 16 : 1; Repeat;
         --Repeat) {
      if (Set.Schedule == Settings::Random) {
        for (size_t I = 0, N = Resident.size(); I != N; ++I) {
          Workgroup &G = *Resident[Luck() % N];
          turn(*G.Waves[Luck() % G.Waves.size()]);
        }
        // Luck may miss those that could run for long, not for ever.
        Busy = true;
      } else {
        for (auto &G : Resident)
          for (auto &W : G->Waves)
            Busy |= turn(*W) && !W->Slept;
      }
    }
    for (auto &G : Resident)
      Ended |= !G->Alive;
    if (Ended)
      refill();
    if (++Rounds % 64 == 0 || !Busy)
      watch();
    // All of them wait for something: the host needs the processor more.
    if (!Busy && Before == Changes)
      std::this_thread::yield();
  }
}

//===----------------------------------------------------------------------===//
// Giving up
//===----------------------------------------------------------------------===//

void Dispatch::watch() {
  if (Changes != SeenChanges || Finished != SeenFinished) {
    SeenChanges = Changes;
    SeenFinished = Finished;
    Since = -1;
    WatchAt = 0;
    return;
  }
  if (!Set.HangSeconds)
    return;
  if (Since < 0) {
    Since = secondsNow();
    for (auto &G : Resident)
      for (auto &W : G->Waves) {
        W->Cycles = false;
        W->LoopHash = 0;
        W->LoopCount = 0;
        W->LoopPower = 1;
      }
    return;
  }
  // Looking at whole states costs something; a short wait is no reason.
  double Waited = secondsNow() - Since;
  if (Waited < 0.05 || ++WatchAt % 8)
    return;
  bool All = true;
  for (auto &G : Resident)
    for (auto &W : G->Waves) {
      if (W->Is != Wave::Running || W->Cycles)
        continue;
      uint64_t Hash = W->hash();
      if (W->LoopCount && Hash == W->LoopHash)
        W->Cycles = true;
      else if (++W->LoopCount >= W->LoopPower) {
        W->LoopHash = Hash;
        W->LoopPower *= 2;
      }
      All &= W->Cycles;
    }
  if (!All)
    return;
  if (Waited > Set.HangSeconds) {
    Failed = nullptr;
    throw Stop{Stop::Hang, "no wave can go on", 0, 1u << 31, -1};
  }
  std::this_thread::sleep_for(std::chrono::microseconds(200));
}

} // namespace amdgcn
