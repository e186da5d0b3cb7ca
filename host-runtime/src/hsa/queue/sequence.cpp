// Recorded sequences on AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sequence.h"
#include "hsa/image/image.h"
#include "hsa/image/kernarg.h"
#include "hsa/memory.h"
#include "process/log.h"

#include <algorithm>

namespace xcc::rt::hsa {

/// The most bytes that a fill copies from host memory. The rest is copied from
/// memory that is filled already.
static constexpr size_t PatternBytes = 64 << 10;

//===----------------------------------------------------------------------===//
// Choosing the steps
//===----------------------------------------------------------------------===//

static const HsaKernel &kernelOf(const Step &s) {
  return static_cast<const HsaKernel &>(*s.function);
}

/// Is the launch the same packet in every queue, without other resources?
static bool isPacket(const Step &s) {
  if (s.kind != Step::Kind::Launch || s.cooperative || s.function->callsHost)
    return false;
  const KernelMetadata &data = kernelOf(s).data;
  return !data.has(HiddenKind::QueuePtr) &&
         !data.has(HiddenKind::PrivateBase) &&
         !data.has(HiddenKind::SharedBase);
}

/// Finds the agent of memory that is in the table of allocations. Returns false
/// if the engines cannot access it.
static bool findAgent(const Place &p, const Gpu &on, Agent &out) {
  if (!p.allocation)
    return false;
  const Memory m = memoryAt(p);
  out = m.in == Memory::OnGpu ? on.facts.handle : on.world.host;
  return m.in == Memory::OnGpu ? m.owner == &on : m.in == Memory::Pinned;
}

static bool isCopy(const Step &s, const Gpu &on) {
  if (s.kind != Step::Kind::Copy || s.apart || !s.size)
    return false;
  auto *to = static_cast<const char *>(s.to.at),
       *from = static_cast<const char *>(s.from.at);
  Agent none;
  return (s.to.owner || s.from.owner) && findAgent(s.to, on, none) &&
         findAgent(s.from, on, none) &&
         (to + s.size <= from || from + s.size <= to);
}

static bool isFill(const Step &s, const Gpu &on) {
  Agent none;
  return s.kind == Step::Kind::Fill && !s.apart && s.size && s.to.owner &&
         findAgent(s.to, on, none);
}

//===----------------------------------------------------------------------===//
// Building the sequence
//===----------------------------------------------------------------------===//

/// The bytes of the sequence's memory for the arguments of a launch.
static size_t roomOf(const Step &s) {
  const HsaKernel &k = kernelOf(s);
  const size_t align = std::max<size_t>(k.data.kernargAlign, 64);
  return (std::max<size_t>(k.segment, 1) + align - 1) & -align;
}
static size_t alignOf(const Step &s) {
  return std::max<size_t>(kernelOf(s).data.kernargAlign, 64);
}

/// The bytes with which a fill begins.
static size_t patternOf(const Step &s) {
  return std::min(s.size, s.element().wholeWithin(PatternBytes));
}

HsaSequence::HsaSequence(Gpu &on, const Sequence &s)
    : on(on), launches(s.steps.size()) {
  size_t bytes = 0;
  for (const Step &step : s.steps)
    if (isPacket(step))
      bytes = ((bytes + alignOf(step) - 1) & -alignOf(step)) + roomOf(step);
    else if (isFill(step, on))
      bytes = ((bytes + 63) & -64) + patternOf(step);
  if (bytes && on.kernargs.take(bytes, memory) != XCC_SUCCESS) {
    XCC_LOG(Launch, "hsa: a graph of %zu steps is enqueued step by step",
            s.steps.size());
    parts.push_back({false, 0, s.steps.size()});
    return;
  }
  try {
    layOut(s);
  } catch (...) {
    on.kernargs.recycle(memory);
    throw;
  }
}

HsaSequence::~HsaSequence() {
  if (memory.at)
    on.kernargs.recycle(memory);
}

void HsaSequence::layOut(const Sequence &s) {
  char *free = memory.at;
  for (size_t i = 0; i != s.steps.size(); ++i) {
    const Step &step = s.steps[i];
    if (isPacket(step))
      addLaunch(step, i, free);
    else if (isCopy(step, on))
      addCopy(step);
    else if (isFill(step, on))
      addFill(step, free);
    else if (!parts.empty() && !parts.back().packets)
      ++parts.back().end;
    else
      parts.push_back({false, i, i + 1});
  }
}

HsaSequence::Part &HsaSequence::packets() {
  if (parts.empty() || !parts.back().packets)
    parts.push_back({true, entries.size(), entries.size()});
  return parts.back();
}

void HsaSequence::addLaunch(const Step &s, size_t number, char *&free) {
  Part &in = packets();
  const size_t align = alignOf(s);
  free = reinterpret_cast<char *>(
      (reinterpret_cast<uintptr_t>(free) + align - 1) & -align);
  launches[number] = {entries.size(), free, roomOf(s)};
  free += roomOf(s);
  entries.emplace_back();
  in.end = entries.size();
  setLaunch(s, launches[number]);
}

void HsaSequence::setLaunch(const Step &s, const Launch &in) {
  const HsaKernel &k = kernelOf(s);
  const uint16_t dimensions = aql::dimensions(s.grid, s.block);
  fillKernarg(
      in.kernarg, k.segment, s.bytes.data(), k.kernargSize, k.data.hidden,
      k.data.hiddenCount,
      {s.grid, s.block, s.sharedBytes, dimensions, nullptr, k.heap, nullptr});
  Entry &e = entries[in.entry];
  e.packet.firstWord = aql::header(aql::AQL_DISPATCH) | uint32_t(dimensions)
                                                            << 16;
  aql::fillDispatch(e.packet.dispatch, s.grid, s.block, k.launchPrivate,
                    k.sharedSize + s.sharedBytes, k.object, in.kernarg, 0);
  e.info = k.info;
  e.file = s.file;
  e.line = s.line;
}

void HsaSequence::addBarrier(Entry::Kind kind, size_t transfer) {
  Entry e{};
  e.packet.firstWord = aql::header(aql::AQL_BARRIER_AND);
  aql::fillBarrier(e.packet.barrier, 0, 0);
  e.kind = kind;
  e.transfer = transfer;
  entries.push_back(e);
  packets().end = entries.size();
}

void HsaSequence::add(const Transfer &t) {
  const size_t number = transfers.size();
  const Part &last = packets();
  // If it follows other transfers directly, it begins together with them.
  const size_t before =
      parts.size() > 1 ? parts[parts.size() - 2].transfers : 0;
  if (!before || last.end - last.begin != before) {
    addBarrier(Entry::Kind::Mark, number);
    parts.back().firstTransfer = number;
    parts.push_back({true, entries.size(), entries.size()});
  }
  ++parts[parts.size() - 2].transfers;
  transfers.push_back(t);
  addBarrier(Entry::Kind::Wait, number);
}

void HsaSequence::addCopy(const Step &s) {
  Transfer t{s.to.at, {}, s.from.at, {}, s.size};
  (void)findAgent(s.to, on, t.toAgent);
  (void)findAgent(s.from, on, t.fromAgent);
  add(t);
}

void HsaSequence::addFill(const Step &s, char *&free) {
  free = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(free) + 63) &
                                  -uintptr_t(64));
  const Agent agent = on.facts.handle;
  auto *to = static_cast<char *>(s.to.at);
  size_t done = patternOf(s);
  s.element().repeat(free, done);
  add({to, agent, free, on.world.host, done});
  free += done;
  while (done != s.size) {
    const size_t part = std::min(done, s.size - done);
    add({to + done, agent, to, agent, part});
    done += part;
  }
}

bool HsaSequence::change(const Sequence &s, size_t first, size_t count) {
  for (size_t i = first; i != first + count; ++i)
    if (!launches[i].kernarg || !isPacket(s.steps[i]) ||
        roomOf(s.steps[i]) > launches[i].room ||
        reinterpret_cast<uintptr_t>(launches[i].kernarg) % alignOf(s.steps[i]))
      return false;
  for (size_t i = first; i != first + count; ++i)
    setLaunch(s.steps[i], launches[i]);
  return true;
}

} // namespace xcc::rt::hsa
