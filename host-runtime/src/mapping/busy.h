// Entries that a thread works on without the lock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies take time, so other threads continue meanwhile, except with the
// entries that are copied. A thread that finds a busy entry waits until none is
// busy. Then it searches again, because entries found before may be removed.

#ifndef XCC_SRC_MAPPING_BUSY_H
#define XCC_SRC_MAPPING_BUSY_H

#include "mapping/present.h"

namespace xcc::rt {

/// Marks entries busy, until destruction or end().
class Busy {
public:
  Busy(MappedMemory &memory, std::vector<Entry *> list);
  ~Busy() { end(); }
  Busy(const Busy &) = delete;
  void end();

private:
  MappedMemory &memory;
  std::vector<Entry *> entries;
};

/// Gives the lock away until destruction.
class Unlocked {
public:
  Unlocked() { mappingMutex.unlock(); }
  ~Unlocked() { mappingMutex.lock(); }
  Unlocked(const Unlocked &) = delete;
};

/// Releases the lock and waits until no entry of the device is busy.
void waitForBusy(const MappedMemory &memory);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_BUSY_H
