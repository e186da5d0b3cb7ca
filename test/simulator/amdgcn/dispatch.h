// One launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_DISPATCH_H
#define XCC_TEST_SIMULATOR_AMDGCN_DISPATCH_H

#include "common/aql.h"
#include "program.h"
#include "wave.h"

#include <random>
#include <set>

namespace amdgcn {

/// From the environment; see docs/testing.md.
struct Settings {
  enum { Fair, Lockstep, Random } Schedule = Fair;
  uint64_t Seed = 0;
  double HangSeconds = 30; ///< without progress; 0: never give up
  bool Profile = false;
  bool Trace = false;
  bool Notes = false; ///< tell of what is doubtful
  static const Settings &get();
};

struct Dispatch {
  Dispatch(Program &P, const KernelDescriptor &K, std::string Name,
           const xcc::rt::aql::DispatchPacket &Packet, uint64_t Agent,
           const void *Queue, size_t QueueBytes,
           const Settings &Set = Settings::get());
  ~Dispatch();

  /// Runs all of it; throws a Stop, with Failed set to whom it was. Returns
  /// early when \p Abandon is set.
  void run(const std::atomic<bool> &Abandon);
  /// What a Stop means, with the place; for people.
  std::string report(const Stop &Why) const;
  std::string describe(const Wave &W) const;
  std::string whereAll() const;
  void checkRace(const Wave &W, unsigned Lane, uint64_t At, unsigned Size,
                 Access How);

  Program &Code;
  const KernelDescriptor &Kernel;
  std::string Name;
  /// A copy: the queue may have reused the packet's place.
  alignas(64) xcc::rt::aql::DispatchPacket Packet;
  const void *Queue;
  const Settings &Set;
  KeptMemory Kept;
  Reach Memory;
  unsigned Lanes;
  uint32_t PrivateSize; ///< bytes of each lane
  uint64_t Groups[3];   ///< of the grid
  uint64_t Changes = 0; ///< of memory that others see
  const Wave *Failed = nullptr;
  uint64_t Instructions = 0;
  std::string Notes; ///< what was told

private:
  std::set<const void *> Raced; ///< instructions of which that was said
  void refill();
  bool turn(Wave &W);
  void watch();

  std::vector<std::unique_ptr<Workgroup>> Resident;
  uint64_t NextGroup = 0, AllGroups, MaxResident;
  std::mt19937_64 Luck;
  // The watch for waves that cannot go on.
  uint64_t SeenChanges = 0, WatchAt = 0, Finished = 0, SeenFinished = 0;
  double Since = -1;
};

/// Prints what the wave just did.
void trace(const Wave &W);

double secondsNow();
const char *kindOf(Stop::Kind K);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_DISPATCH_H
