// What of the host's memory has a copy on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table for each device with memory of its own. An entry is a range of host
// memory and its copy. Entries do not overlap. One is there because a scope
// holds it, or because work in flight uses it: launches leave what they mapped
// where it is until the host may look at it again (settle.h).
//
// Everything here is used under mappingMutex.

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

/// May kernels have changed addresses in an entry, or what else tells a visitor
/// which memory belongs to an object?
extern std::atomic<bool> objectsChange;

/// Bytes of an entry.
struct Span {
  uint64_t offset, bytes;
  uint64_t end() const { return offset + bytes; }
};
/// Spans in order that neither overlap nor touch.
class Spans {
public:
  void add(uint64_t offset, uint64_t bytes);
  bool covers(uint64_t offset, uint64_t bytes) const;
  void remove(uint64_t offset, uint64_t bytes);
  /// What of these lies in [from, to), with offsets from there.
  Spans part(uint64_t from, uint64_t to) const;
  /// What of \p s is in these.
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
  /// Where the last one ends; 0 when there is none.
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
  Span one{};             ///< the only one, as mostly; no bytes: there is none
  std::vector<Span> list; ///< all, where there are several
};

/// The path of an address without a name.
inline constexpr uint32_t NoPath = ~0u;

/// An address within an entry that was translated.
struct HeldAddress {
  uint64_t offset; ///< in the entry
  uint64_t host;   ///< what the host has there
  uint64_t sent;   ///< what the device was given
  uint32_t kind;   ///< xcc_address_kind
  uint32_t path;
  bool shared = false; ///< something else may be there when it comes back

  /// May there be none?
  bool isRoom() const { return kind & XCC_ADDRESS_ROOM; }
  /// Does the host's object, an entry's that begins there, still hold it?
  bool isHost(uintptr_t begin) const;
};

/// Memory of the device for one entry, or for several small ones together.
struct Block {
  char *memory = nullptr; ///< aligned
  char *whole = nullptr;  ///< as it was allocated
  uint64_t capacity = 0;  ///< of that
  uint32_t place = 0;     ///< where in its first page it begins, if it is large
  uint64_t used = 0;
  uint64_t sent = 0; ///< of that, at once when it is new
  /// As much of the host's memory, through which the copies go; null where they
  /// need not.
  std::unique_ptr<char[]> staging;
  uint32_t entries = 0;
  /// One allocation of operator new, which kernels may free: XCC_MAP_OWNED and
  /// XCC_MAP_ARRAY, else 0.
  uint32_t single = 0;
  /// A kernel that failed may have freed such an allocation: nobody else does.
  bool abandoned = false;
  /// Its allocator, if it is XCC_MAP_FOREIGN; null: not known.
  const xcc_mapping_allocator_functions *allocator = nullptr;
  /// Knows what its entries are called.
  std::shared_ptr<const xcc_mapping> origin;
};

/// Bytes of an entry that a scope holds. What an entry is made of may be held
/// by different scopes: objects that touch share one.
struct Holding {
  xcc_scope *by; ///< null: by xcc_data_begin
  Span span;
  bool single;       ///< an address one past it is another's
  std::string words; ///< what it is called; "": as the entry
};

/// Elements of an entry whose addresses a visitor names.
struct Visited {
  uint64_t offset, bytes; ///< in the entry
  xcc_mapping_visitor *visitor;
};

/// The work of a queue that uses an entry.
struct Use {
  Queue *queue;
  uint64_t last; ///< the queue's mapped launch
};

struct Entry {
  uintptr_t begin = 0;    ///< on the host
  uint64_t allocated = 0; ///< bytes
  char *device = nullptr;
  Block *block = nullptr;
  Spans held;    ///< what is copied, at most
  Spans returns; ///< what is copied back, unless the program says otherwise
  Spans back;    ///< of that, what kernels may have written
  /// What the device has not been sent yet, as no kernel has needed it. Of
  /// entries that hold addresses and of those in scopes: nothing.
  Spans unsent;
  /// What the host's memory has a newer version of: another device's kernels
  /// wrote it, or addresses in it have other translations now. Sent when a
  /// launch uses the entry. Of entries in scopes alone.
  Spans stale;
  std::vector<HeldAddress> addresses; ///< ascending
  MappingPlace place;                 ///< where it was first mapped
  MappingPlace wrote;                 ///< whose kernel wrote it last
  std::vector<Holding> holdings;      ///< of scopes
  bool kept = false;    ///< some of it came from nowhere (XCC_MAP_KEEP)
  bool objects = false; ///< elements may hold addresses
  bool single = false;  ///< an address one past it is another's
  /// The type of an object that named some of it says that nothing is written:
  /// it may be memory that the host cannot write, as a string literal's.
  bool constant = false;
  /// Kernels may have written what their types call const: it may be memory that
  /// is constant on the host, of which only what differs is written.
  bool compared = false;
  bool dirty = false;      ///< a kernel wrote since the last copy back
  Queue *writer = nullptr; ///< whose work wrote last, in flight
  Queue *behind = nullptr; ///< where its copy back is enqueued, if it is
  /// Whose kernel wrote all of what was never sent, in flight, and how often
  /// kernels had failed there before. One that fails leaves nothing that could
  /// come back.
  Queue *maker = nullptr;
  uint64_t failures = 0;
  bool lost = false; ///< such a kernel failed
  /// Entries that are used by kernels which allocate or free memory (grown.h).
  std::vector<Visited> visited;
  uint64_t header[2]{}; ///< what lies in front of the copy that they may free
  uint32_t owned = 0;   ///< XCC_MAP_OWNED and XCC_MAP_ARRAY, where it is that
  /// Beside owned, of XCC_MAP_FOREIGN; null: not known.
  const xcc_mapping_allocator_functions *allocator = nullptr;
  /// With XCC_MAP_UNMADE: the host has owners that are not mapped, so no kernel can
  /// have freed it.
  bool sharedOutside = false;
  bool grows = false;    ///< such a kernel used it
  bool alive = false;    ///< something owns it after such kernels
  bool reused = false;   ///< its freed copy was allocated again
  bool later = false;    ///< its bytes come back when something does
  bool gone = false;     ///< it leaves the table
  std::vector<Use> uses; ///< in flight
  bool isNew = true;     ///< made by a launch that is being prepared
  uint32_t busy = 0;     ///< threads that work on it without the lock (busy.h)
  uint32_t mark = 0;     ///< that launch's number for it
  /// The table's generation in which the addresses were found to be right.
  uint64_t verified = 0;
  /// From which stale bytes are sent.
  std::unique_ptr<char[]> resent;

  /// Who named it; null: it has its name in words.
  const xcc_mapping *namedBy = nullptr;
  uint32_t path = 0; ///< by that
  std::string words; ///< in quotes

  std::string name() const { return namedBy ? namedBy->nameOf(path) : words; }
  /// Stale addresses are what the host has; true when one is another now.
  bool readStale();
  bool isHeld() const { return !holdings.empty(); }
  /// May kernels free the copy, and have they used it? Where the device's heap
  /// is the host's, the copy is then an allocation of its own.
  bool mayBeGone() const { return grows && owned && block && block->single; }
  /// How many scopes hold some of it.
  size_t holders() const;
  /// A kernel used it that failed in the middle of using the host's heap. What it
  /// owns may be freed, or half made: the host keeps what it had.
  void abandon() {
    lost = true;
    if (block)
      block->abandoned = true;
  }
  /// Resets it, but keeps the memory of its lists.
  void clear();
  /// A launch in that queue, where kernels had failed so often before, has got
  /// what it needs, or makes it.
  void has(Queue &by, bool needs, bool makes, uint64_t failures);
  uintptr_t end() const { return begin + allocated; }
  /// Null when there is none.
  const HeldAddress *addressAt(uint64_t offset) const;
  bool holds(uintptr_t a) const { return a - begin < allocated; }
  void use(Queue &by);
  /// A kernel that was launched writes it.
  void willBeWritten(const MappingPlace &by) {
    dirty = true;
    wrote = by;
    behind = nullptr;
    if (!addresses.empty())
      objectsChange.store(true, std::memory_order_release);
  }
};

/// The entries at an address: two, if one ends there and another begins.
struct Around {
  Entry *in;   ///< null when there is none
  Entry *past; ///< which has an end that it is; null when there is none
};

/// Entries by address.
class PresentTable {
public:
  /// The one that an address is in; null when there is none.
  Entry *find(uintptr_t at) const;
  Around around(uintptr_t at) const;
  /// The first that overlaps [begin, end), in order of addresses.
  Entry *firstIn(uintptr_t begin, uintptr_t end) const;
  void insert(Entry *e);
  void erase(Entry *e);
  /// Those that are marked as gone.
  void eraseGone();
  /// In order of addresses.
  const std::vector<Entry *> &all() const { return entries; }

  /// Changes with the entries, the addresses that they hold, and the scopes
  /// that hold them.
  uint64_t generation = 0;

private:
  /// Index of the last entry that begins at or before \p at, plus one.
  size_t upper(uintptr_t at) const;
  size_t search(uintptr_t at) const;

  /// What upper() found last: often right for the next address too.
  mutable size_t latest = 0;
  std::vector<uintptr_t> begins, ends; ///< apart, for the cache
  std::vector<Entry *> entries;
};

class KnownLaunches;

/// All that is mapped on a device.
struct MappedMemory {
  explicit MappedMemory(Device &on);

  /// Memory for a block: one that was used before, or a new one.
  xcc_status obtain(Block &b, uint64_t bytes, uint64_t alignment);
  /// The same by operator new, for one entry that kernels may free.
  xcc_status obtainSingle(Block &b, uint64_t bytes, uint32_t owned,
                          const xcc_mapping_allocator_functions *allocator);
  void giveBack(Block &b);
  void release(void *memory);
  /// Frees what is kept for later; true when there was some.
  bool trim();
  /// For copies to and from a block.
  Place place(const Block &b, void *at) const {
    return {.at = at,
            .owner = on.kind().host ? nullptr : &on,
            .allocation = b.whole};
  }
  /// Takes an entry out, and frees its block when that was the last.
  void remove(Entry *e);
  void remove(const std::vector<Entry *> &gone);
  Entry *newEntry();
  /// Frees an entry that is in no table.
  void freeEntry(Entry *e);

  Device &on;
  PresentTable table;
  std::unique_ptr<KnownLaunches> known;
  Constants constants;
  std::vector<Entry *> inFlight; ///< entries with uses
  std::vector<CopyPart> parts;   ///< of Copies: keeps its memory
  /// Between which addresses copies lie that kernels may free.
  uint64_t freeable[2] = {UINT64_MAX, 0};
  HeapReturns returns;
  HeapCopy heapCopy;                          ///< for what kernels allocated
  uint64_t freeableSent[2] = {UINT64_MAX, 0}; ///< what device code knows
  /// How often entries are marked so (busy.h).
  size_t busy = 0;
  /// What has waited for the work of `waits` up to a mapped launch from `since`
  /// on has waited for that of `queue` up to its mapped launch `upTo`
  /// (dependencies.h).
  struct Dependency {
    Queue *waits;
    uint64_t since;
    MappedMemory *other; ///< of `queue`'s device
    Queue *queue;
    uint64_t upTo;
    /// Stands for several: `queue` has to be waited for.
    bool merged = false;
  };
  std::vector<Dependency> dependencies;
  size_t mostDependencies = 64; ///< before there is a look at their use

private:
  void drop(Entry *e);

  struct Kept {
    char *memory;
    uint64_t capacity;
    uint32_t place;
  };
  /// How many freed blocks are kept for later.
  static constexpr size_t MostKept = 64;
  std::vector<Kept> kept; ///< oldest first
  uint64_t keptBytes = 0;
  uint64_t nextPlace = 0;
  uint64_t mostBytes = 0; ///< to be kept; 0: not read yet
  /// For later entries.
  std::vector<std::unique_ptr<Entry>> unused;
};

/// An allocation of an object's own (XCC_MAP_OWNED, XCC_MAP_ARRAY, or by the
/// object's allocator): throws std::bad_alloc.
void *allocateOwned(uint64_t bytes, uint32_t owned,
                    const xcc_mapping_allocator_functions *allocator);
void freeOwned(void *memory, uint64_t bytes, uint32_t owned,
               const xcc_mapping_allocator_functions *allocator);

extern std::mutex mappingMutex;
/// Was ever anything mapped?
extern std::atomic<bool> anyMapped;

/// The device's, made when it is not there; null when memory ran out.
MappedMemory *mappedMemory(Device &on);
/// Those of all devices.
const std::vector<MappedMemory *> &allMapped();

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_PRESENT_H
