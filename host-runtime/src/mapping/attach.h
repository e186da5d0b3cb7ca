// Making copies of named ranges on the device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One attempt to have all ranges of a mapping on its device. It finds the
// entries that exist, makes the others, and translates every address for the
// device. Nothing is enqueued before copyIn(), and until commit() the
// destructor takes everything back.

#ifndef XCC_SRC_MAPPING_ATTACH_H
#define XCC_SRC_MAPPING_ATTACH_H

#include "mapping/elsewhere.h"

namespace xcc::rt {

class Copies;

class Attachment {
public:
  Attachment(xcc_mapping &m, MappedMemory &memory)
      : m(m), memory(memory), table(memory.table), own(Lists::take()) {}
  ~Attachment();
  Attachment(const Attachment &) = delete;

  /// Finds or makes an entry for each range, and translates addresses. \p
  /// kernarg is a copy of the arguments, with addresses to translate; null for
  /// a scope. Waits for work in flight that is in the way. \p again (may be
  /// null) is set if that changed objects that were visited before; then
  /// nothing was made. May throw std::bad_alloc.
  xcc_status make(char *kernarg, bool *again = nullptr);
  /// Makes the queue wait for work of other queues that uses the same entries.
  xcc_status order() { return waitForOthers(m.on, m.queue, used); }
  xcc_status copyIn();
  /// Keeps the entries; the queue's next mapped launch uses them.
  void commit();
  /// Keeps the entries, held by a scope together with what its objects point
  /// to; or, if null, by xcc_data_begin without that.
  void hold(xcc_scope *by);
  /// Copies the ranges, which scopes hold, to the device again. \p again:
  /// something was in the way and is settled now; nothing was copied.
  xcc_status refresh(bool &again);

  /// The entries of the named ranges, in the order in which make() sorts these.
  const std::vector<Entry *> &entries() const { return entryOf; }
  const std::vector<Entry *> &newEntries() const { return fresh; }
  /// All entries that the mapping uses.
  std::vector<Entry *> allEntries() const;

private:
  enum Outcome { Done, Again, Failed };
  /// How an entry is made.
  struct NewEntry {
    size_t first, last; ///< ranges
    Spans in;
    uint64_t alignment; ///< the largest of the ranges
    uint64_t skew;      ///< offset of the start from that, as on the host
  };

  /// How a kernel uses the memory at the end of a path.
  struct Step {
    KernelAccess::State state;
    bool isConst; ///< the types on the path are const
    bool isPlain; ///< a pointer, which may lead beyond the ranges named there
    uint64_t at;  ///< the address
    bool operator==(const Step &) const = default;
    uint64_t hash() const {
      return (at ^ uint64_t(state) << 48 ^ uint64_t(isConst) << 47 ^
              uint64_t(isPlain) << 46) *
             0x9e3779b97f4a7c15;
    }
  };
  /// Working lists. Empty between attachments; the last one's memory is kept.
  struct Lists {
    std::vector<Entry *> entryOf;
    std::vector<Entry *> fresh;
    std::vector<NewEntry> making; ///< parallel to fresh
    std::vector<Used> used;
    std::vector<Written> spans;
    std::vector<Block *> blocks;   ///< of fresh
    std::vector<size_t> unmatched; ///< ranges without an entry
    Numbers<Step> steps;
    std::vector<uint8_t> done; ///< parallel to used: Does, for kernels
    void clear();
    /// Call these under mappingMutex.
    static std::unique_ptr<Lists> take();
    static void recycle(std::unique_ptr<Lists> lists);

  private:
    static std::unique_ptr<Lists> &spare();
  };

  bool writes(const NamedRange &r) const;
  xcc_status checkHeld();
  void followAccess();
  bool overwrites(KernelAccess::State state, uint64_t at, const Entry &e) const;
  bool follow();
  xcc_status findPresent(Entry *&conflicting);
  xcc_status findEntries(bool *again);
  bool isSent(const Entry &e) const;
  bool mustSettle(const Entry &e) const;
  bool isReady(Entry &e);
  bool suffices(const Entry &e, const NamedRange &r) const;
  void makeEntries(const std::vector<size_t> &unmatched);
  bool mayGrow() const { return !m.kernel || m.kernel->usesHeap; }
  bool isFreeable(const NamedRange &r, const Entry &e) const;
  void noteVisitors();
  void countOwners();
  xcc_status sendHeaders();
  void holdAddressesOf(const std::vector<Entry *> &of);
  bool isNamed(const Entry &e) const;
  void findBlocking();
  bool leads(const HeldAddress &h) const;
  bool findOutdated();
  bool readStale();
  Outcome translateStale();
  xcc_status sendStale(Copies &copies);
  xcc_status refreshAddresses(bool &again);
  std::string nameOfAddress(const NamedAddress &a) const;
  xcc_status allocate();
  Outcome translateAll(char *kernarg);
  Outcome translate(uint64_t value, const NamedAddress &a, uint64_t &out);
  bool translateConstant(uint64_t value, const NamedAddress &a, uint64_t &out);
  Outcome unmapped(uint64_t value, const NamedAddress &a);
  uint64_t usedAround(uint64_t offset, uint64_t value,
                      const NamedAddress &a) const;
  xcc_status checkAround(uint64_t value, uint64_t bytes,
                         const NamedAddress &a) const;
  xcc_status tooSmall(const Entry &e, const NamedRange &r);
  Entry *entryAround(uintptr_t at) const;
  void use(Entry *e, bool writes, bool anywhere = false, bool may = true);
  void useAllReached();
  void findWritten();
  void keep();
  void drop();

  xcc_mapping &m;
  MappedMemory &memory;
  PresentTable &table;
  std::unique_ptr<Lists> own;
  Lists &lists = *own;
  std::vector<Entry *> &entryOf = lists.entryOf, &fresh = lists.fresh;
  std::vector<NewEntry> &making = lists.making;
  std::vector<Used> &used = lists.used;
  std::vector<Written> &spans = lists.spans;
  std::vector<Block *> &blocks = lists.blocks;
  const char *arguments = nullptr; ///< with translated addresses
  bool enqueued = false;
  uint64_t failures = 0;     ///< of the queue's kernels, before the launch
  uint64_t heapFailures = 0; ///< the same for Queue::heapFailures
  bool metBusy = false;      ///< another thread works on an entry
  Entry *blocking = nullptr; ///< must be settled first
  /// An entry of another device that must be settled first.
  EntryOn elsewhere;
  bool rereads = false; ///< addresses that it followed have changed
  xcc_status failure = XCC_SUCCESS;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_ATTACH_H
