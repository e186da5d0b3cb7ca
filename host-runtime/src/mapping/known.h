// Launches that repeat an earlier one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop launches the same kernel with the same objects repeatedly, and finds
// them on the device each time. The result of mapping is kept, with all that it
// depends on: the addresses among the arguments and in the objects, and the
// bytes of objects that the visit read (a vector's three pointers). While these
// and the table are unchanged, a launch needs no visit. Numbers among the
// arguments may change.
//
// Use all of this under mappingMutex.

#ifndef XCC_SRC_MAPPING_KNOWN_H
#define XCC_SRC_MAPPING_KNOWN_H

#include "mapping/uses.h"

namespace xcc::rt {

/// One kept launch: what it depends on, and its result.
class KnownLaunch {
public:
  /// Is the result still valid for these arguments?
  bool matches(const MappedMemory &memory, const Kernel &of, bool described,
               const char *kernarg) const;
  /// Keeps a launch whose entries all existed. \p translated are its arguments
  /// for the device. May throw std::bad_alloc; it then matches nothing.
  void keep(const MappedMemory &memory, const xcc_mapping &m,
            const char *translated, const std::vector<Used> &used,
            const std::vector<Written> &written);
  /// Is the launch worth keeping?
  static bool canKeep(const xcc_mapping &m);

  void translate(char *kernarg) const;
  /// Makes the queue wait for other queues' work on the same entries.
  xcc_status order(Device &on, Queue &queue) const {
    return waitForOthers(on, queue, used);
  }
  /// The entries that it uses.
  const std::vector<Used> &entries() const { return used; }
  /// Records that the queue's next mapped launch, which was just made, is this
  /// one.
  void use(MappedMemory &memory, Queue &queue, const MappingPlace &by) const;

private:
  /// Bytes on which the result depends.
  struct Piece {
    uintptr_t at; ///< the address; for an argument, the offset
    uint32_t bytes;
    bool isArgument;
  };
  /// A translated address among the arguments.
  struct Patch {
    uint32_t offset;
    uint64_t value;
  };
  /// Whether a kernel in flight may have changed the addresses of an entry,
  /// when the launch was kept.
  struct Objects {
    const Entry *entry;
    bool dirty;
  };
  void add(uintptr_t at, uint32_t bytes, const xcc_mapping &m);

  const Kernel *kernel = nullptr; ///< null: never matches
  bool described = false;
  uint64_t generation = 0, freed = 0;
  std::vector<Piece> pieces; ///< those before it lead to each
  std::vector<char> saved;   ///< the bytes of all pieces
  std::vector<Patch> patches;
  std::vector<Objects> objects;
  std::vector<Used> used;
  std::vector<Written> written;
};

/// The kept launches of a device.
class KnownLaunches {
public:
  /// Finds a matching launch; null if there is none.
  const KnownLaunch *find(const MappedMemory &memory, const Kernel &kernel,
                          bool described, const char *kernarg) const;
  /// A place to keep a launch in; null when memory ran out.
  KnownLaunch *next(const Kernel &kernel);
  void forget() { all.reset(); }

private:
  /// Launches of one kernel are in one row.
  static constexpr size_t Rows = 32, InRow = 4;
  static size_t rowOf(const Kernel &kernel);

  std::unique_ptr<KnownLaunch[]> all; ///< null until the first is kept
  unsigned turn = 0;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_KNOWN_H
