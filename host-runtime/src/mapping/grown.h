// What kernels allocated and freed, at the copy back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/internals/growing.md draws it. Objects that such kernels used are visited
// again on the host, by their types, when their bytes are back: addresses of the
// device's heap become memory of the host, and what no object owns any more was
// freed.

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

  /// Visits the objects in these entries, and resolves all that they own.
  xcc_status bring(const std::vector<Entry *> &entries);
  /// Keeps the original of an entry that no returned object owns, but others may.
  void keepOriginal(Entry &e);
  /// Gives the device's heap its blocks back.
  xcc_status giveBack();

  // For the visitors of bring (xcc_mapping_objects):
  bool range(const void *begin, uint64_t bytes, uint64_t allocated,
             uint32_t flags);
  void address(const void *location, uint32_t kind);
  void *home(void *at);
  void within(void *location, const void *object, uint64_t bytes);
  bool isAway(const void *object, uint64_t bytes);

private:
  /// An address in an object of the host that was nothing's when it was met.
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
  const Entry *from = nullptr;   ///< whose objects are visited
  std::deque<std::string> names; ///< of such entries
  GrownBlocks blocks;
  /// The device's address by the host's, where they differ.
  Ordered<uint64_t> ofHost;
  std::vector<Unresolved> unresolved;
  /// The last object that deviceOf found: its address on the host and on the device.
  struct {
    uint64_t begin = 0, bytes = 0, device = 0;
  } holder;
  xcc_status status = XCC_SUCCESS;
};

/// Allocations that kernels freed: the host's to free when this goes, after the
/// entries.
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

/// After copyBack with \p grown: brings home what kernels allocated and left in
/// objects of these entries, which are all that end now, each once, and finds
/// what they freed of the host's. \p freed are allocations that are the host's to
/// free, once the entries are gone. Nothing to do where no such kernel used them.
xcc_status bringGrown(MappedMemory &memory, const std::vector<Entry *> &entries,
                      Queue *queue, FromDevice &addresses, FreedMemory &freed);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_GROWN_H
