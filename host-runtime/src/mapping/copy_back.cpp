// Copying kernels' results back to the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/copy_back.h"
#include "mapping/busy.h"
#include "mapping/copies.h"
#include "mapping/from_device.h"
#include "mapping/moves.h"
#include "mapping/returned.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace xcc::rt {

/// The error when a kernel changed memory that a scope holds in a way that is
/// only resolved at the scope's end. The host's object stays as it was.
static xcc_status failInScope(const MappedMemory &memory, const Entry &e,
                              const xcc_kernel_info *by, const char *did,
                              const char *what) {
  return fail(XCC_ERROR_LAUNCH_FAILED,
              {by ? by->name : nullptr, e.place.file, e.place.line,
               memory.on.ordinal()},
              "a kernel on device %d (%s) %s %s, which an xcc::map holds "
              "(%s:%u): %s when that ends, and not before",
              memory.on.ordinal(), memory.on.id(), did, e.name().c_str(),
              e.place.file ? e.place.file : "", e.place.line, what);
}

/// Writes bytes to the host. If the entry is compared, writes only what
/// differs.
static void write(const Entry &e, uint64_t offset, const char *copy,
                  uint64_t bytes) {
  auto *to = reinterpret_cast<char *>(e.begin) + offset;
  if (!e.compared) {
    memcpy(to, copy, bytes);
    return;
  }
  constexpr uint64_t piece = 64;
  for (uint64_t at = 0; at < bytes; at += piece) {
    const uint64_t n = std::min(piece, bytes - at);
    if (memcmp(to + at, copy + at, n) != 0)
      memcpy(to + at, copy + at, n);
  }
}

xcc_status scatter(MappedMemory &memory, FromDevice &addresses, Entry &e,
                   const char *copy, bool grown) {
  auto *host = reinterpret_cast<char *>(e.begin);
  xcc_status status = XCC_SUCCESS;
  const bool reuses = grown && memory.on.usesHostHeap();
  if (!e.addresses.empty()) {
    noteReturned(e);
    if (grown)
      addresses.save(e);
  }
  for (const Span &s : e.back) {
    uint64_t at = s.offset;
    auto a = std::lower_bound(
        e.addresses.begin(), e.addresses.end(), at,
        [](const HeldAddress &h, uint64_t o) { return h.offset < o; });
    for (; a != e.addresses.end() && a->offset < s.end(); ++a) {
      write(e, at, copy + at, a->offset - at);
      at = a->offset + sizeof(uint64_t);
      uint64_t now, back;
      memcpy(&now, copy + a->offset, sizeof(now));
      // A freed copy's address is not reused on a GPU, so equal means
      // unchanged.
      if (now == a->sent && !reuses)
        continue;
      // A kernel allocated it; a visitor resolves the address later.
      if (grown && addresses.isOfHeap(now)) {
        memcpy(host + a->offset, &now, sizeof(now));
        continue;
      }
      // The kernel may have freed the memory and got the same address again.
      Entry *to = grown ? addresses.entryOf(now) : nullptr;
      if (to && to->mayBeFreed()) {
        memcpy(host + a->offset, &now, sizeof(now));
        continue;
      }
      if (now == a->sent)
        continue;
      const size_t i = size_t(a - e.addresses.begin());
      // The third address of a vector is its capacity, not an element.
      const bool isElement = i < 2 || a[-2].path != a->path ||
                             a[-1].path != a->path ||
                             a[-2].offset + 2 * sizeof(now) != a->offset;
      // Other memory from the host's heap has the same address on both sides.
      const bool found = reuses && !to
                             ? (memory.constants.onHost(now, back = now), true)
                         : grown ? addresses.find(now, back, isElement, to)
                                 : addresses.find(now, back, isElement);
      if (found || a->isRoom() || a->shared) {
        memcpy(host + a->offset, &back, sizeof(back));
        a->host = back;
        a->sent = now;
        ++memory.table.generation;
        continue;
      }
      if (const Entry *full = std::exchange(addresses.grown, nullptr)) {
        status = failInScope(memory, *full, full->place.info,
                             "added elements to", "they come back");
        continue;
      }
      if (grown) {
        // A visitor resolves the address later.
        memcpy(host + a->offset, &now, sizeof(now));
        continue;
      }
      if (e.grows && e.isHeld()) {
        status = failInScope(memory, e, e.wrote.info, "allocated memory for",
                             "it comes back");
        continue;
      }
      std::string name = e.block->origin && !e.isHeld()
                             ? e.block->origin->nameOf(a->path)
                             : e.name();
      status =
          fail(XCC_ERROR_LAUNCH_FAILED,
               {e.place.info ? e.place.info->name : nullptr, e.place.file,
                e.place.line, memory.on.ordinal()},
               "a kernel on device %d (%s) stored an address in %s (mapped at "
               "%s:%u) that refers to nothing on the host (%#llx); the host "
               "keeps its own address",
               memory.on.ordinal(), memory.on.id(), name.c_str(),
               e.place.file ? e.place.file : "", e.place.line,
               static_cast<unsigned long long>(now));
    }
    if (at < s.end())
      write(e, at, copy + at, s.end() - at);
  }
  return status;
}

/// Copies elements that a kernel added to a container that had room for them.
xcc_status fetchAdded(const MappedMemory &memory, Queue &in, const Added &a) {
  Entry &e = *a.to;
  uint64_t first = e.held.last();
  if (a.end <= first)
    return XCC_SUCCESS;
  Move shown(memory.on, Move::ToHost, e, a.end - first, "added by ", e.wrote);
  XCC_TRY(in.copy({.at = reinterpret_cast<char *>(e.begin) + first},
                  memory.place(*e.block, e.device + first), a.end - first));
  in.drain();
  e.held.add(first, a.end - first);
  e.back.add(first, a.end - first);
  return XCC_SUCCESS;
}

/// The most copies to enqueue under the lock: a queue has room for them.
static constexpr size_t MostAhead = 256;

void copyBackBehind(MappedMemory &memory, Queue &queue) {
  if (!memory.on.copiesBackAsync())
    return;
  std::vector<Entry *> entries;
  uint64_t bytes = 0;
  size_t copies = 0;
  for (Entry *e : memory.inFlight) {
    // Unsent memory comes back only when it is known that no kernel failed.
    if (!e->dirty || e->isHeld() || e->behind || e->busy ||
        e->writer != &queue || e->uses.size() != 1 || e->block->staging ||
        e->compared || e->maker || e->lost || e->mayBeFreed())
      continue;
    if (!Copies::gathers(memory.on, *e)) {
      copies += size_t(e->back.end() - e->back.begin());
      if (copies > MostAhead)
        break;
    }
    entries.push_back(e);
    bytes += e->back.total();
  }
  if (entries.empty())
    return;
  const MoveLines lines;
  Move all(memory.on, Move::ToHost, bytes, entries.size());
  // A failure here is ignored: copyBack() tries again and reports it.
  Copies enqueue(memory, queue);
  for (Entry *e : entries) {
    Move shown(memory.on, Move::ToHost, *e, e->back.total(), "written by ",
               e->wrote);
    if (enqueue.add(*e, e->back, Copies::ToHost) == XCC_SUCCESS)
      e->behind = &queue;
  }
  if (enqueue.end() == XCC_SUCCESS)
    return;
  for (Entry *e : entries)
    if (Copies::gathers(memory.on, *e))
      e->behind = nullptr;
}

xcc_status copyBack(MappedMemory &memory, const std::vector<Entry *> &wanted,
                    Queue *queue, const MappingPlace *update,
                    FromDevice *grown) {
  // If the kernel that should write all of an entry failed, only the host has
  // its contents.
  std::vector<Entry *> entries = wanted;
  std::erase_if(entries, [](const Entry *e) { return e->lost; });
  // Memory that kernels may have freed is copied later, if an object still owns
  // it.
  if (grown)
    std::erase_if(entries, [](Entry *e) {
      return e->mayBeFreed() && (e->later = e->dirty, true);
    });
  if (entries.empty())
    return XCC_SUCCESS;
  // Copies of these entries are on their way already: mostly all of this queue.
  std::vector<Queue *> behind;
  size_t ahead = 0;
  for (const Entry *e : entries)
    if (e->behind) {
      ++ahead;
      if (std::find(behind.begin(), behind.end(), e->behind) == behind.end())
        behind.push_back(e->behind);
    }
  Queue *in = queue;
  if (!in)
    XCC_TRY(memory.on.defaultQueue(&in));
  // A block with a staging copy is copied in one transfer.
  std::vector<Block *> staged;
  std::vector<std::pair<Entry *, std::unique_ptr<char[]>>> apart;
  xcc_status status = XCC_SUCCESS;
  auto keep = [&](xcc_status s) {
    if (status == XCC_SUCCESS)
      status = s;
  };
  uint64_t bytes = 0;
  for (Entry *e : entries)
    if (!e->behind)
      bytes += e->back.total();
  const MoveLines lines;
  std::optional<Move> all;
  if (ahead != entries.size())
    all.emplace(memory.on, Move::ToHost, bytes, entries.size() - ahead);
  Copies enqueue(memory, *in);
  for (Entry *e : entries) {
    e->dirty = false;
    if (std::exchange(e->behind, nullptr))
      continue;
    Move shown(memory.on, Move::ToHost, *e, e->back.total(),
               update ? "update, " : "written by ",
               update ? *update : e->wrote);
    if (e->compared && !e->block->staging) {
      apart.push_back({e, std::make_unique<char[]>(e->allocated)});
      for (const Span &s : e->back)
        keep(in->copy({.at = apart.back().second.get() + s.offset},
                      memory.place(*e->block, e->device + s.offset), s.bytes));
    } else if (!e->block->staging) {
      keep(enqueue.add(*e, e->back, Copies::ToHost));
    } else if (std::find(staged.begin(), staged.end(), e->block) ==
               staged.end()) {
      staged.push_back(e->block);
      keep(in->copy({.at = e->block->staging.get()},
                    memory.place(*e->block, e->block->memory), e->block->used));
    }
  }
  keep(enqueue.end());
  {
    Unlocked meanwhile;
    in->drain();
    for (Queue *other : behind)
      if (other != in)
        other->drain();
  }
  if (status != XCC_SUCCESS)
    return status;
  for (const auto &[e, copy] : apart)
    for (const Span &s : e->back)
      write(*e, s.offset, copy.get() + s.offset, s.bytes);
  std::optional<FromDevice> own;
  FromDevice &addresses = grown ? *grown : own.emplace(memory, false);
  for (Entry *e : entries)
    if (e->block->staging && grown && e->grows && e->owned &&
        e->addresses.empty())
      e->later = true; // a kernel may have freed it
    else if (e->block->staging)
      keep(scatter(memory, addresses, *e,
                   e->block->staging.get() + (e->device - e->block->memory),
                   grown && e->grows));
  for (const Added &a : addresses.added)
    keep(fetchAdded(memory, *in, a));
  return status;
}

} // namespace xcc::rt
