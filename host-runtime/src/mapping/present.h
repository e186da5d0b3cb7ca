// Host memory that has a copy on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is one table for each device with memory of its own. An entry is a
// range of host memory with its copy. Entries do not overlap. An entry exists
// because a scope holds it, or because work in flight uses it: launches leave
// their copies on the device until the host may access the memory again
// (settle.h).
//
// Use all of this under mappingMutex.

#ifndef XCC_SRC_MAPPING_PRESENT_H
#define XCC_SRC_MAPPING_PRESENT_H

#include "mapping/collection.h"
#include "mapping/constants.h"
#include "mapping/heap_reader.h"
#include "mapping/heap_returns.h"

#include <algorithm>
#include <memory>
#include <mutex>

struct xcc_scope;

namespace xcc::rt {

/// May kernels have changed addresses in an entry, or other data from which a
/// visitor learns which memory belongs to an object?
extern std::atomic<bool> objectsChange;

/// A range of bytes of an entry.
struct Span {
  uint64_t offset, bytes;
  uint64_t end() const { return offset + bytes; }
};
/// A sorted set of spans that neither overlap nor touch.
class Spans {
public:
  void add(uint64_t offset, uint64_t bytes);
  bool covers(uint64_t offset, uint64_t bytes) const;
  void remove(uint64_t offset, uint64_t bytes);
  /// The parts in [from, to), with offsets relative to \p from.
  Spans part(uint64_t from, uint64_t to) const;
  /// Calls \p f for each part that lies in \p s.
  template <class F> void within(const Span &s, F &&f) const {
    for (const Span &own : *this) {
      uint64_t from = std::max(own.offset, s.offset),
               to = std::min(own.end(), s.end());
      if (from < to)
        f(Span{from, to - from});
    }
  }
  bool overlap(const Span &s) const {
    bool any = false;
    within(s, [&](const Span &) { any = true; });
    return any;
  }
  uint64_t total() const;
  /// The end of the last span; 0 if there is none.
  uint64_t last() const { return empty() ? 0 : end()[-1].end(); }
  const Span *begin() const { return list.empty() ? &one : list.data(); }
  const Span *end() const {
    return list.empty() ? &one + (one.bytes != 0) : &list.back() + 1;
  }
  bool empty() const { return begin() == end(); }
  void clear() {
    one = {};
    list.clear();
  }

private:
  Span one{};             ///< the usual single span; without bytes: none
  std::vector<Span> list; ///< all spans, if there are several
};

/// The path of an address without a name.
inline constexpr uint32_t NoPath = ~0u;

/// A translated address within an entry.
struct HeldAddress {
  uint64_t offset; ///< in the entry
  uint64_t host;   ///< its value on the host
  uint64_t sent;   ///< its value on the device
  uint32_t kind;   ///< xcc_address_kind
  uint32_t path;
  bool shared = false; ///< another kind of value may come back here

  /// May there be no address?
  bool isRoom() const { return kind & XCC_ADDRESS_ROOM; }
  /// Does the host's object in the entry at \p begin still hold it?
  bool isHost(uintptr_t begin) const;
};

/// Device memory for one entry, or for several small ones together.
struct Block {
  char *memory = nullptr; ///< aligned
  char *whole = nullptr;  ///< the allocation
  uint64_t capacity = 0;  ///< of the allocation
  uint32_t place = 0;     ///< a large block's place in its first page
  uint64_t used = 0;
  uint64_t sent = 0; ///< the part that one transfer sends when it is new
  /// A copy of the block in host memory through which transfers go; null if not
  /// needed.
  std::unique_ptr<char[]> staging;
  uint32_t entries = 0;
  /// XCC_MAP_OWNED and XCC_MAP_ARRAY if the block is one allocation of operator
  /// new, which kernels may free; else 0.
  uint32_t single = 0;
  /// A failed kernel may have freed this allocation, so it is never freed here.
  bool abandoned = false;
  /// The allocator for XCC_MAP_FOREIGN; null if not known.
  const xcc_mapping_allocator_functions *allocator = nullptr;
  /// The mapping that has the names of its entries.
  std::shared_ptr<const xcc_mapping> origin;
};

/// The bytes of an entry that a scope holds. Objects that touch share an entry,
/// so different scopes may hold parts of it.
struct Holding {
  xcc_scope *by; ///< null: xcc_data_begin
  Span span;
  bool single;       ///< an address one past it belongs to another object
  std::string words; ///< the name; "": that of the entry
};

/// Elements of an entry for which a visitor names addresses.
struct Visited {
  uint64_t offset, bytes; ///< in the entry
  xcc_mapping_visitor *visitor;
};

/// A queue's work that uses an entry.
struct Use {
  Queue *queue;
  uint64_t last; ///< number of the queue's last mapped launch
};

struct Entry {
  uintptr_t begin = 0;    ///< on the host
  uint64_t allocated = 0; ///< bytes
  char *device = nullptr;
  Block *block = nullptr;
  Spans held;    ///< what may be copied
  Spans returns; ///< what is copied back, unless the program says otherwise
  Spans back;    ///< the part of it that kernels may have written
  /// Bytes that were not sent yet, because no kernel needed them. Always empty
  /// for entries with addresses and for entries in scopes.
  Spans unsent;
  /// Bytes that are newer on the host: another device's kernels wrote them, or
  /// addresses in them have other translations now. They are sent when a launch
  /// uses the entry. Only for entries in scopes.
  Spans stale;
  std::vector<HeldAddress> addresses; ///< sorted
  MappingPlace place;                 ///< where it was first mapped
  MappingPlace wrote;                 ///< of the kernel that last wrote it
  std::vector<Holding> holdings;      ///< of scopes
  bool kept = false;    ///< some of it was never sent (XCC_MAP_KEEP)
  bool objects = false; ///< elements may hold addresses
  bool single = false;  ///< an address one past it belongs to another object
  /// The type of an object that named it says that nothing is written. So the
  /// host may be unable to write it, as a string literal's memory.
  bool constant = false;
  /// Kernels may have written what their types call const. The memory may be
  /// constant on the host, so only bytes that differ are written.
  bool compared = false;
  bool dirty = false;      ///< a kernel wrote since the last copy back
  Queue *writer = nullptr; ///< the queue in flight that last wrote it
  Queue *behind = nullptr; ///< the queue with its copy back, if enqueued
  /// The queue in flight whose kernel writes all bytes that were never sent,
  /// and how many kernels had failed there before. If the kernel fails, nothing
  /// can be copied back.
  Queue *maker = nullptr;
  uint64_t failures = 0;
  bool lost = false; ///< that kernel failed
  /// For entries that kernels use which allocate or free memory (grown.h).
  std::vector<Visited> visited;
  uint64_t header[2]{}; ///< written before a copy that kernels may free
  uint32_t owned = 0;   ///< XCC_MAP_OWNED and XCC_MAP_ARRAY, if so named
  /// The allocator for XCC_MAP_FOREIGN; null if not known.
  const xcc_mapping_allocator_functions *allocator = nullptr;
  /// For XCC_MAP_UNMADE: the host has owners that are not mapped, so no kernel
  /// can have freed it.
  bool sharedOutside = false;
  bool grows = false;    ///< such a kernel used it
  bool alive = false;    ///< an object owns it after such kernels
  bool reused = false;   ///< its freed copy was allocated again
  bool later = false;    ///< its bytes are copied back if an object owns it
  bool gone = false;     ///< it is being removed from the table
  std::vector<Use> uses; ///< in flight
  bool isNew = true;     ///< made by a launch that is being prepared
  uint32_t busy = 0;     ///< threads that work on it without the lock (busy.h)
  uint32_t mark = 0;     ///< index in that launch's list of used entries
  /// The table's generation in which its addresses were last found correct.
  uint64_t verified = 0;
  /// The staging copy from which stale bytes are sent.
  std::unique_ptr<char[]> resent;

  /// The mapping that contains the name; null if the name is in words.
  const xcc_mapping *namedBy = nullptr;
  uint32_t path = 0; ///< in that mapping
  std::string words; ///< the name in quotes

  std::string name() const { return namedBy ? namedBy->nameOf(path) : words; }
  /// Reads stale addresses from the host again. Returns true if one has
  /// changed.
  bool readStale();
  bool isHeld() const { return !holdings.empty(); }
  /// May kernels that used it have freed the copy? If the device's heap is the
  /// host's, such a copy is an allocation of its own.
  bool mayBeFreed() const { return grows && owned && block && block->single; }
  /// How many scopes hold a part of it.
  size_t holders() const;
  /// Called if a kernel that used it failed in the middle of a heap operation.
  /// Its allocations may be freed or half made, so the host keeps its own
  /// state.
  void abandon() {
    lost = true;
    if (block)
      block->abandoned = true;
  }
  /// Resets the entry, but keeps the memory of its lists.
  void clear();
  /// Records that a launch in that queue got the bytes it needs, or writes them
  /// all. \p failures: how many kernels had failed there before.
  void has(Queue &by, bool needs, bool makes, uint64_t failures);
  uintptr_t end() const { return begin + allocated; }
  /// The address at an offset; null if there is none.
  const HeldAddress *addressAt(uint64_t offset) const;
  bool holds(uintptr_t a) const { return a - begin < allocated; }
  void use(Queue &by);
  /// Records that a launched kernel writes it.
  void willBeWritten(const MappingPlace &by) {
    dirty = true;
    wrote = by;
    behind = nullptr;
    if (!addresses.empty())
      objectsChange.store(true, std::memory_order_release);
  }
};

/// The entries at an address: two, if one ends and another begins there.
struct Around {
  Entry *in;   ///< contains the address; null if none does
  Entry *past; ///< ends at the address; null if none does
};

/// Entries by address.
class PresentTable {
public:
  /// The entry that contains the address; null if none does.
  Entry *find(uintptr_t at) const;
  Around around(uintptr_t at) const;
  /// The first entry that overlaps [begin, end).
  Entry *firstIn(uintptr_t begin, uintptr_t end) const;
  void insert(Entry *e);
  void erase(Entry *e);
  /// Removes the entries that are marked as gone.
  void eraseMarked();
  /// All entries, sorted by address.
  const std::vector<Entry *> &all() const { return entries; }

  /// Changes when entries, the addresses in them, or the scopes that hold them
  /// change.
  uint64_t generation = 0;

private:
  /// The index of the last entry that begins at or before \p at, plus one.
  size_t upper(uintptr_t at) const;
  size_t search(uintptr_t at) const;

  /// The last result of upper(): often right for the next address too.
  mutable size_t latest = 0;
  std::vector<uintptr_t> begins, ends; ///< separate, for the cache
  std::vector<Entry *> entries;
};

class KnownLaunches;

/// All mappings on a device.
struct MappedMemory {
  explicit MappedMemory(Device &on);

  /// Gets memory for a block: a kept one, or a new one.
  xcc_status obtain(Block &b, uint64_t bytes, uint64_t alignment);
  /// The same with operator new, for one entry that kernels may free.
  xcc_status obtainSingle(Block &b, uint64_t bytes, uint32_t owned,
                          const xcc_mapping_allocator_functions *allocator);
  void recycle(Block &b);
  void release(void *memory);
  /// Frees the kept blocks. Returns true if there were any.
  bool trim();
  /// A place in a block, for copies.
  Place place(const Block &b, void *at) const {
    return {.at = at,
            .owner = on.kind().host ? nullptr : &on,
            .allocation = b.whole};
  }
  /// Removes an entry, and frees its block if no other entry is in it.
  void remove(Entry *e);
  void remove(const std::vector<Entry *> &gone);
  Entry *newEntry();
  /// Frees an entry that is not in the table.
  void freeEntry(Entry *e);

  Device &on;
  PresentTable table;
  std::unique_ptr<KnownLaunches> known;
  Constants constants;
  std::vector<Entry *> inFlight; ///< entries with uses
  std::vector<CopyPart> parts;   ///< for Copies; keeps its memory
  /// The range of addresses of copies that kernels may free.
  uint64_t freeable[2] = {UINT64_MAX, 0};
  /// An object that may own the memory of other entries has been removed.
  bool ownersGone = false;
  HeapReturns returns;
  HeapCopy heapCopy;                          ///< for reading the heap
  uint64_t freeableSent[2] = {UINT64_MAX, 0}; ///< the range sent to the device
  /// How often entries are marked busy (busy.h).
  size_t busy = 0;
  /// A wait for the work of `waits` up to a mapped launch at or after `since`
  /// is also a wait for the work of `queue` up to its mapped launch `upTo`
  /// (dependencies.h).
  struct Dependency {
    Queue *waits;
    uint64_t since;
    MappedMemory *other; ///< of the device of `queue`
    Queue *queue;
    uint64_t upTo;
    /// Stands for several dependencies, so `queue` has to be waited for.
    bool merged = false;
  };
  std::vector<Dependency> dependencies;
  size_t mostDependencies = 64; ///< from here on, useless ones are removed

private:
  void drop(Entry *e);

  struct Kept {
    char *memory;
    uint64_t capacity;
    uint32_t place;
  };
  /// The most freed blocks that are kept.
  static constexpr size_t MostKept = 64;
  std::vector<Kept> kept; ///< oldest first
  uint64_t keptBytes = 0;
  uint64_t nextPlace = 0;
  uint64_t mostBytes = 0; ///< limit of keptBytes; 0: not read yet
  /// Entries for reuse.
  std::vector<std::unique_ptr<Entry>> unused;
};

/// Allocates as an object does (XCC_MAP_OWNED, XCC_MAP_ARRAY, or with the
/// object's allocator). Throws std::bad_alloc.
void *allocateOwned(uint64_t bytes, uint32_t owned,
                    const xcc_mapping_allocator_functions *allocator);
void freeOwned(void *memory, uint64_t bytes, uint32_t owned,
               const xcc_mapping_allocator_functions *allocator);

extern std::mutex mappingMutex;
/// Was anything ever mapped?
extern std::atomic<bool> anyMapped;

/// The device's mappings, made if necessary; null when memory ran out.
MappedMemory *mappedMemory(Device &on);
/// The mappings of all devices.
const std::vector<MappedMemory *> &allMapped();

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_PRESENT_H
