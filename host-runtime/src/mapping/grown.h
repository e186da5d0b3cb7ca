// Copying back memory that kernels allocated or freed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/internals/growing.md has a drawing. When the bytes of the objects that
// such kernels used are back, visitors look at these objects on the host, by
// their types. Addresses in the device's heap become host memory, and
// allocations that no object owns any more were freed.

#ifndef XCC_SRC_MAPPING_GROWN_H
#define XCC_SRC_MAPPING_GROWN_H

#include "mapping/blocks.h"
#include "mapping/from_device.h"
#include "mapping/heap_reader.h"
#include "mapping/ordered.h"

#include <deque>
#include <string>

namespace xcc::rt {

class Grown {
public:
  Grown(MappedMemory &memory, Queue &in, FromDevice &addresses);

  /// Visits the objects in these entries, and copies back all that they own.
  xcc_status bring(const std::vector<Entry *> &entries);
  /// Copies an entry that no returned object owns, because others may own it.
  void keepOriginal(Entry &e);
  /// Returns the blocks to the device's heap.
  xcc_status recycle();

  // Called by visitors during bring() (xcc_mapping_objects):
  bool range(const void *begin, uint64_t bytes, uint64_t allocated,
             uint32_t flags);
  void address(const void *location, uint32_t kind);
  void *home(void *at);
  void within(void *location, const void *object, uint64_t bytes);
  bool isAway(const void *object, uint64_t bytes);

private:
  /// An address in a host object that was unknown when it was found.
  struct Unresolved {
    char *at;
    uint32_t kind;
    uint32_t path;
  };

  bool known(Entry &e, uint64_t bytes, uint32_t flags);
  bool newBlock(uint64_t at, uint64_t bytes, uint64_t allocated,
                uint32_t flags);
  xcc_status fetch(Entry &e);
  void visit(const Entry &e);
  xcc_status foreign(const std::string &name);
  Entry *entryOf(uint64_t at, uint64_t &offset, bool past);
  bool resolve(uint64_t value, uint64_t &out, bool last = false);
  bool isSame(uint64_t value);
  uint64_t deviceOf(uint64_t host);
  void findHolder(uint64_t host);
  void resolveRest();
  void keep(xcc_status s) { status = status == XCC_SUCCESS ? s : status; }

  MappedMemory &memory;
  Queue &in;
  HeapReader heap;
  FromDevice &addresses;
  xcc_mapping *mapping = nullptr;
  const Entry *from = nullptr;   ///< the entry whose objects are visited
  std::deque<std::string> names; ///< of visited entries
  GrownBlocks blocks;
  /// Device addresses by host address, for blocks where they differ.
  Ordered<uint64_t> ofHost;
  std::vector<Unresolved> unresolved;
  /// The last result of deviceOf: the object's host and device address.
  struct {
    uint64_t begin = 0, bytes = 0, device = 0;
  } holder;
  xcc_status status = XCC_SUCCESS;
};

/// Allocations that kernels freed. The destructor frees the host's memory,
/// after the entries are gone.
class FreedMemory {
public:
  FreedMemory() = default;
  FreedMemory(const FreedMemory &) = delete;
  ~FreedMemory() {
    for (const Freed &f : list)
      freeOwned(f.memory, f.bytes, f.owned, f.allocator);
  }
  void reserve(size_t count) { list.reserve(count); }
  void add(const Entry &e) {
    list.push_back(
        {reinterpret_cast<void *>(e.begin), e.allocated, e.owned, e.allocator});
  }

private:
  struct Freed {
    void *memory;
    uint64_t bytes;
    uint32_t owned;
    const xcc_mapping_allocator_functions *allocator;
  };
  std::vector<Freed> list;
};

/// Call this after copyBack with \p grown. Copies back memory that kernels
/// allocated and left in objects of these entries, and finds what they freed.
/// \p entries are all entries that end now, each once. \p freed gets the host's
/// allocations to free once the entries are gone. Does nothing if no such
/// kernel used the entries.
xcc_status copyBackAllocations(MappedMemory &memory,
                               const std::vector<Entry *> &entries,
                               Queue *queue, FromDevice &addresses,
                               FreedMemory &freed);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_GROWN_H
