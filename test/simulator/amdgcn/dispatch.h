// One launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_DISPATCH_H
#define XCC_TEST_SIMULATOR_AMDGCN_DISPATCH_H

#include "../device_races.h"
#include "common/aql.h"
#include "profile.h"
#include "program.h"
#include "test/simulator/common/findings.h"
#include "wave.h"

#include <random>
#include <set>

namespace amdgcn {

/// From the environment; see docs/testing.md.
struct Settings {
  enum { Fair, Lockstep, Random } schedule = Fair;
  uint64_t seed = 0;
  double hangSeconds = 30; ///< without progress; 0: never give up
  bool profile = false;
  bool trace = false;
  bool notes = false; ///< tell of what is doubtful
  bool races = false; ///< in shared and device memory
  bool init = false;  ///< uninitialised values
  static const Settings &get();
};

struct Dispatch {
  /// \p descriptor: its address on the device.
  Dispatch(Program &p, uint64_t descriptor, std::string name,
           const xcc::rt::aql::DispatchPacket &packet, uint64_t agent,
           const void *queue, size_t queueBytes,
           const Settings &set = Settings::get());
  ~Dispatch();

  /// Runs all of it; throws a Stop, with failed set to whom it was. Returns
  /// early when \p abandon is set.
  void run(const std::atomic<bool> &abandon);
  /// What is counted and reported of what an instruction did.
  simulator::Finding finding(const Instruction *i, const char *kind,
                             std::string message) const;
  /// What a Stop means, with the place; for people.
  std::string report(const Stop &why) const;
  std::string describe(const Wave &w) const;
  std::string whereAll() const;
  void checkRace(const Wave &w, unsigned lane, uint64_t at, unsigned size,
                 Access how);

  // XCC_SIM_CHECK=races (races.cpp).

  /// \p where: the simulator's address of it.
  void checkDeviceRace(const Wave &w, int lane, uint64_t at,
                       const uint8_t *where, unsigned size, Access how);
  void checkSharedRace(const Wave &w, unsigned lane, uint64_t at, unsigned size,
                       Access how);
  /// A wave has forgotten what its caches hold, and sees what others did.
  void invalidate(const Wave &w);
  void barrier(Workgroup &g);
  /// After an instruction: whether what looked like races of stores is some.
  bool doubtful() const { return !doubts.empty(); }
  void settle();
  /// Null if they are not looked for.
  std::unique_ptr<simulator::DeviceRaces> races;
  /// The kernel's code says what orders threads (formats/race_marks.h).
  bool marked = false;
  std::unique_ptr<Profile> profile = Profile::start(); ///< null unless wanted

  Program &code;
  const KernelDescriptor &kernel;
  const uint64_t kernelAt; ///< where the device sees that
  std::string name;
  /// A copy: the queue may have reused the packet's place.
  alignas(64) xcc::rt::aql::DispatchPacket packet;
  const void *queue;
  const Settings &set;
  KeptMemory kept;
  Reach memory;
  unsigned lanes;
  uint32_t privateSize; ///< bytes of each lane
  uint64_t groups[3];   ///< of the grid
  uint64_t changes = 0; ///< of memory that others see
  const Wave *failed = nullptr;
  uint64_t instructions = 0;
  std::string notes; ///< what was told

  // XCC_SIM_CHECK=init (definedness.cpp).
  std::set<const Instruction *> accused; ///< of which that was said
  std::map<const Instruction *, unsigned> storedUndefined; ///< how often
  /// "'global_load_b32 ...' in kernel + 0x10 (a.cpp:3)".
  std::string place(const Instruction &i) const;

private:
  std::set<const void *> raced; ///< instructions of which that was said
  /// What may be a race, as it is said.
  struct Doubt {
    std::string first, text;
    const Instruction *other = nullptr, *second = nullptr;
    const uint8_t *where = nullptr;
    unsigned size = 0;
    uint8_t before[16];
  };
  std::vector<Doubt> doubts;
  std::map<const Instruction *, bool> atomicLoads;
  bool hasMarks();
  bool mayBeAtomic(const Instruction &load);
  simulator::Races::Kind kindOfAccess(const Wave &w, Access how);
  static uint32_t turnOf(const Wave &w);
  void found(Doubt doubt, bool areStores, const uint8_t *where, unsigned size);
  void tellRace(const Doubt &doubt);
  void refill();
  bool turn(Wave &w);
  void watch();

  std::vector<std::unique_ptr<Workgroup>> resident;
  uint64_t nextGroup = 0, allGroups, maxResident;
  std::mt19937_64 luck;
  // The watch for waves that cannot go on.
  uint64_t seenChanges = 0, watchAt = 0, finished = 0, seenFinished = 0;
  double since = -1;
};

/// Prints what the wave just did.
void trace(const Wave &w);

double secondsNow();
const char *kindOf(Stop::Kind k);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_DISPATCH_H
