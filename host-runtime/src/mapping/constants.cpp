// Constants of the program's files, on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/constants.h"
#include "mapping/moves.h"

#include <algorithm>
#include <cstring>
#include <link.h>

namespace xcc::rt {

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

namespace {
struct Segments {
  std::vector<ConstantSegment> all; ///< ascending
  uint64_t added = 0, removed = 0;  ///< counts of files when `all` was made
  bool isFirst = true;
};
} // namespace

static Segments &segments() {
  // Never freed: threads may launch until the process ends.
  static auto &s = *new Segments;
  return s;
}

static void addSegments(Segments &s, const dl_phdr_info &file) {
  for (int i = 0; i != file.dlpi_phnum; ++i) {
    const auto &p = file.dlpi_phdr[i];
    if (p.p_type != PT_LOAD || !(p.p_flags & PF_R) || p.p_flags & PF_W)
      continue;
    const uintptr_t begin = file.dlpi_addr + p.p_vaddr;
    s.all.push_back({begin, begin + p.p_memsz, s.isFirst, !file.dlpi_addr});
  }
  s.isFirst = false;
}

/// Lists the segments, because a program or library was loaded or unloaded
/// since, or this is the first time.
static void findSegments(Segments &s) {
  s.all.clear();
  s.isFirst = true;
  dl_iterate_phdr(
      [](dl_phdr_info *file, size_t, void *context) {
        addSegments(*static_cast<Segments *>(context), *file);
        return 0;
      },
      &s);
  std::sort(s.all.begin(), s.all.end(),
            [](const ConstantSegment &a, const ConstantSegment &b) {
              return a.begin < b.begin;
            });
}

const ConstantSegment *findConstants(uintptr_t at) {
  Segments &s = segments();
  Segments now;
  dl_iterate_phdr(
      [](dl_phdr_info *file, size_t, void *context) {
        auto &n = *static_cast<Segments *>(context);
        n.added = file->dlpi_adds;
        n.removed = file->dlpi_subs;
        return 1;
      },
      &now);
  if (now.added != s.added || now.removed != s.removed || s.all.empty()) {
    findSegments(s);
    s.added = now.added;
    s.removed = now.removed;
  }
  auto after = std::upper_bound(
      s.all.begin(), s.all.end(), at,
      [](uintptr_t a, const ConstantSegment &c) { return a < c.begin; });
  return after != s.all.begin() && at < after[-1].end ? &after[-1] : nullptr;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static uint64_t hashOf(const ConstantSegment &segment) {
  const auto *at = reinterpret_cast<const char *>(segment.begin);
  uint64_t left = segment.end - segment.begin, hash = left;
  while (left) {
    uint64_t word = 0;
    const uint64_t n = std::min<uint64_t>(left, sizeof(word));
    memcpy(&word, at, n);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
    at += n;
    left -= n;
  }
  return hash;
}

/// Finds the segment's copy. Meanwhile another file may have been loaded at its
/// addresses, or the same file elsewhere, so compare a hash of the bytes.
Constants::Copy *Constants::find(const ConstantSegment &segment) {
  const uint64_t bytes = segment.end - segment.begin, now = segments().removed;
  for (Copy &c : copies)
    if (c.begin == segment.begin && c.bytes == bytes &&
        (segment.stays || c.loaded == now))
      return &c;
  if (copies.empty() || segment.stays)
    return nullptr;
  const uint64_t hash = hashOf(segment);
  Copy *same = nullptr;
  for (Copy &c : copies) {
    if (c.bytes != bytes || c.hash != hash)
      continue;
    const ConstantSegment *its = findConstants(c.begin);
    if (c.begin == segment.begin || !its || c.loaded != now)
      same = &c;
  }
  if (same) {
    same->begin = segment.begin;
    same->loaded = now;
  }
  return same;
}

/// Copies in a queue of its own, so that it does not wait for other work.
static xcc_status send(Device &on, const Place &to, uintptr_t from,
                       uint64_t bytes) {
  Queue *queue = nullptr;
  XCC_TRY(on.createQueue(&queue));
  xcc_status status =
      queue->copy(to, {.at = reinterpret_cast<void *>(from)}, bytes);
  queue->drain();
  on.destroyQueue(queue);
  return status;
}

xcc_status Constants::translate(MappedMemory &memory,
                                const ConstantSegment &segment, uintptr_t at,
                                const MappingPlace &by, uint64_t &out) {
  // find() may make the reference `segment` invalid.
  const ConstantSegment s = segment;
  Copy *c = find(s);
  if (!c) {
    constexpr uint64_t page = 4096;
    copies.reserve(copies.size() + 1);
    Block block;
    XCC_TRY(memory.obtain(block, s.end - s.begin + page, page));
    char *there = block.memory + s.begin % page;
    xcc_status status =
        send(memory.on, memory.place(block, there), s.begin, s.end - s.begin);
    if (status != XCC_SUCCESS) {
      memory.recycle(block);
      return status;
    }
    MoveLines::add(memory.on, "constants of the program", s.end - s.begin,
                   "to the device: new, stay there, " + subjectOf(by));
    copies.push_back({s.begin, s.end - s.begin,
                      reinterpret_cast<uintptr_t>(there),
                      s.stays ? 0 : hashOf(s), segments().removed});
    c = &copies.back();
  }
  out = c->device + (at - s.begin);
  return XCC_SUCCESS;
}

bool Constants::onHost(uint64_t device, uint64_t &host) const {
  for (const Copy &c : copies)
    if (device - c.device < c.bytes) {
      host = c.begin + (device - c.device);
      return true;
    }
  return false;
}

} // namespace xcc::rt
