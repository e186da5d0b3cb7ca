// Launches that are like an earlier one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop launches the same kernel with the same objects again and again, and
// finds them present each time. What its launch came to is kept, with all that
// it followed from: the addresses among the arguments and in the objects, and
// the bytes of objects that the visit asked (a vector's three pointers). While
// these are the same, and so is what is present, the launch is made without a
// visit. Numbers among the arguments may change.
//
// Everything here is used under mappingMutex.

#ifndef XCC_SRC_MAPPING_KNOWN_H
#define XCC_SRC_MAPPING_KNOWN_H

#include "mapping/uses.h"

namespace xcc::rt {

/// What one launch followed from, and what it came to.
class KnownLaunch {
public:
  /// Is it still right for these arguments?
  bool matches(const MappedMemory &memory, const Kernel &of, bool described,
               const char *kernarg) const;
  /// Keeps a launch whose entries were all present; \p translated are its
  /// arguments as the device gets them. May throw std::bad_alloc, and matches
  /// nothing then.
  void keep(const MappedMemory &memory, const xcc_mapping &m,
            const char *translated, const std::vector<Used> &used,
            const std::vector<Written> &written);
  /// Is it worth it?
  static bool canKeep(const xcc_mapping &m);

  void translate(char *kernarg) const;
  /// Makes the queue wait for whose work is in the way.
  xcc_status order(Device &on, Queue &queue) const {
    return waitForOthers(on, queue, used);
  }
  /// The entries that it uses.
  const std::vector<Used> &entries() const { return used; }
  /// The queue's next mapped launch, which was just made, is this.
  void use(MappedMemory &memory, Queue &queue, const MappingPlace &by) const;

private:
  /// Bytes that it followed from.
  struct Piece {
    uintptr_t at; ///< among the arguments: an offset
    uint32_t bytes;
    bool isArgument;
  };
  /// An address among the arguments.
  struct Patch {
    uint32_t offset;
    uint64_t value;
  };
  /// The path from address to address was the one that the kernel would go
  /// while no kernel in flight changed addresses, or while one did.
  struct Objects {
    const Entry *entry;
    bool dirty;
  };
  void add(uintptr_t at, uint32_t bytes, const xcc_mapping &m);

  const Kernel *kernel = nullptr; ///< null: matches nothing
  bool described = false;
  uint64_t generation = 0, freed = 0;
  std::vector<Piece> pieces; ///< each found by those before it
  std::vector<char> saved;   ///< what was there, one after the other
  std::vector<Patch> patches;
  std::vector<Objects> objects;
  std::vector<Used> used;
  std::vector<Written> written;
};

/// Those of a device.
class KnownLaunches {
public:
  /// Null: there is none.
  const KnownLaunch *find(const MappedMemory &memory, const Kernel &kernel,
                          bool described, const char *kernarg) const;
  /// One that another may be kept in; null when memory ran out.
  KnownLaunch *next(const Kernel &kernel);
  void forget() { all.reset(); }

private:
  /// Launches of a kernel are in one row.
  static constexpr size_t Rows = 32, InRow = 4;
  static size_t rowOf(const Kernel &kernel);

  std::unique_ptr<KnownLaunch[]> all; ///< null until there is one
  unsigned turn = 0;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_KNOWN_H
