// Copies, fills, and calls of host functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is a kernel of the runtime. So it runs in stream order and in parallel,
// and a bad address is reported like a kernel's.

#include "cpu/device.h"
#include "cpu/pool.h"
#include "process/trace.h"
#include "queue.h"
#include "sequence.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace xcc::rt::cpu {

/// Bytes that one block of a copy or a fill handles.
static constexpr size_t TransferBlock = 256 * 1024;
/// Bytes that one block of many small copies handles.
static constexpr size_t PartsBlock = 64 * 1024;

namespace {
struct CopyArgs {
  char *to;
  const char *from;
  size_t size;
};
/// Followed in memory by \c count CopyArgs.
struct PartsArgs {
  uint32_t count, inBlock;
  const CopyArgs *parts() const {
    return reinterpret_cast<const CopyArgs *>(this + 1);
  }
};
struct RowsArgs {
  char *to;
  const char *from; ///< null: a fill
  Rows rows;
  size_t inBlock; ///< rows
  size_t element; ///< bytes, of a fill
  char bytes[64];
};
static_assert(sizeof(RowsArgs) <= PacketRing::KernargBytes);
/// Followed in memory by the element.
struct FillArgs {
  char *to;
  size_t size;  ///< bytes
  size_t block; ///< bytes that one block fills: whole elements
  size_t element;
  const void *bytes() const { return this + 1; }
};
/// For elements that fit beside the packet.
struct SmallFillArgs : FillArgs {
  char bytes[64];
};
static_assert(sizeof(SmallFillArgs) <= PacketRing::KernargBytes);
} // namespace

static size_t partSize(size_t size, uint64_t first, uint64_t last) {
  return std::min<size_t>(size, last * TransferBlock) - first * TransferBlock;
}

static void copyBlocks(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  auto &a = *static_cast<const CopyArgs *>(g->kernarg);
  size_t offset = first * TransferBlock;
  // A grid of one block means that the ranges may overlap.
  if (g->grid_dim[0] == 1)
    memmove(a.to, a.from, a.size);
  else
    memcpy(a.to + offset, a.from + offset, partSize(a.size, first, last));
}

static void copyPartsOfBlocks(const xcc_cpu_group *g, uint64_t first,
                              uint64_t last) {
  auto &a = *static_cast<const PartsArgs *>(g->kernarg);
  const CopyArgs *end =
      a.parts() + std::min<uint64_t>(a.count, last * a.inBlock);
  for (const CopyArgs *p = a.parts() + first * a.inBlock; p < end; ++p)
    memcpy(p->to, p->from, p->size);
}

static void rowsOfBlocks(const xcc_cpu_group *g, uint64_t first,
                         uint64_t last) {
  auto &a = *static_cast<const RowsArgs *>(g->kernarg);
  const Rows &r = a.rows;
  const size_t end = std::min<size_t>(r.count(), last * a.inBlock);
  for (size_t row = first * a.inBlock; row < end; ++row)
    if (a.from)
      memcpy(a.to + r.offset(r.to, row), a.from + r.offset(r.from, row),
             r.width);
    else
      Element{a.bytes, a.element}.repeat(a.to + r.offset(r.to, row), r.width);
}

static void fillBlocks(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  auto &a = *static_cast<const FillArgs *>(g->kernarg);
  const size_t begin = first * a.block, end = std::min(a.size, last * a.block);
  Element{a.bytes(), a.element}.repeat(a.to + begin, end - begin);
}

static void freeBlock(const xcc_cpu_group *g, uint64_t, uint64_t) {
  pool().give(*static_cast<void *const *>(g->kernarg));
}

namespace {
struct CallArgs {
  void (*function)(void *);
  void *data;
};
} // namespace
static void callFunction(const xcc_cpu_group *g, uint64_t, uint64_t) {
  auto &a = *static_cast<const CallArgs *>(g->kernarg);
  a.function(a.data);
}

namespace {
/// A kernel that is part of the runtime.
struct BuiltIn {
  xcc_cpu_kernel object;
  CpuKernel function;
  BuiltIn(xcc_cpu_block_fn entry, uint32_t kernarg, const char *name)
      : object{XCC_ABI_VERSION,
               0,
               reinterpret_cast<void (*)()>(entry),
               0,
               0,
               kernarg,
               0,
               0} {
    function.object = &object;
    function.kernargSize = kernarg;
    function.maxThreads = 1;
    function.traceName = name;
  }
};
} // namespace

/// Enqueues a kernel of the runtime. Its arguments are copied from \p kernarg,
/// or are at \p largeKernarg, from malloc, which the queue frees.
xcc_status CpuQueue::transfer(CpuKernel &function, const void *kernarg,
                              size_t blocks, void *largeKernarg,
                              profile::Work *work) {
  if (!workers.start()) [[unlikely]] {
    free(largeKernarg);
    if (work)
      profile::cancel(work);
    return failToStart();
  }
  uint64_t index = reserve();
  void *arguments = largeKernarg ? largeKernarg : ring().kernargOf(index);
  if (!largeKernarg)
    memcpy(arguments, kernarg, function.kernargSize);
  ring().extra(index) = {
      &function,      nullptr, 0,     largeKernarg, trace::copiesBelongTo,
      threadNumber(), work,    false, nullptr};
  uint32_t grid[3] = {static_cast<uint32_t>(blocks), 1, 1};
  uint32_t block[3] = {1, 1, 1};
  aql::fillDispatch(ring().packet(index).dispatch, grid, block, 0, 0,
                    reinterpret_cast<uintptr_t>(function.object), arguments, 0);
  hand(index, aql::AQL_DISPATCH, 1);
  return XCC_SUCCESS;
}

/// The profile's record of a copy or fill; null without XCC_PROFILE.
profile::Work *CpuQueue::profiled(profile::Direction direction,
                                  uint64_t bytes) const {
  return profile::enabled() ? profile::copies(ordinal(), direction, bytes, 0)
                            : nullptr;
}

namespace {
/// The kernel of a copy with its arguments and number of blocks.
struct Copy {
  CpuKernel &function;
  CopyArgs arguments;
  size_t blocks;
};
/// The same for a fill; the element follows the arguments.
struct Fill {
  CpuKernel &function;
  FillArgs arguments;
  size_t blocks;
};
} // namespace

static Copy copyOf(const Place &to, const Place &from, size_t bytes) {
  static BuiltIn copy(copyBlocks, sizeof(CopyArgs), "copy");
  CopyArgs a{static_cast<char *>(to.at), static_cast<char *>(from.at), bytes};
  auto t = reinterpret_cast<uintptr_t>(to.at),
       f = reinterpret_cast<uintptr_t>(from.at);
  bool overlap = t < f + bytes && f < t + bytes;
  size_t blocks = overlap ? 1 : (bytes + TransferBlock - 1) / TransferBlock;
  return {copy.function, a, blocks};
}

static Fill fillOf(const Place &to, const Element &element, size_t bytes) {
  static BuiltIn fill(fillBlocks, sizeof(SmallFillArgs), "fill");
  const size_t inBlock = element.wholeWithin(TransferBlock);
  return {fill.function,
          {static_cast<char *>(to.at), bytes, inBlock, element.size},
          (bytes + inBlock - 1) / inBlock};
}

/// The arguments of a copy of rows, or of a fill of rows if there is an
/// element.
static RowsArgs rowsOf(const Place &to, const Place &from, const Rows &rows,
                       const Element &element) {
  RowsArgs a{static_cast<char *>(to.at),
             element.size ? nullptr : static_cast<char *>(from.at),
             rows,
             std::max(TransferBlock / rows.width, size_t(1)), // whole rows
             element.size,
             {}};
  if (element.size)
    memcpy(a.bytes, element.bytes, element.size);
  return a;
}
static size_t blocksOf(const RowsArgs &a) {
  return (a.rows.count() + a.inBlock - 1) / a.inBlock;
}
static CpuKernel &rowsKernel(const RowsArgs &a) {
  static BuiltIn copy(rowsOfBlocks, sizeof(RowsArgs), "copy");
  static BuiltIn fill(rowsOfBlocks, sizeof(RowsArgs), "fill");
  return (a.from ? copy : fill).function;
}

bool SequenceStep::setTransfer(const Step &s) {
  if (s.apart) {
    if (s.bytes.size() > sizeof(RowsArgs::bytes))
      return false;
    const RowsArgs a = rowsOf(s.to, s.from, s.rows, s.element());
    set(rowsKernel(a), blocksOf(a), sizeof(a));
    memcpy(kernarg.data(), &a, sizeof(a));
    return true;
  }
  if (s.kind == Step::Kind::Copy) {
    const Copy c = copyOf(s.to, s.from, s.size);
    set(c.function, c.blocks, sizeof(c.arguments));
    memcpy(kernarg.data(), &c.arguments, sizeof(c.arguments));
    return true;
  }
  const Fill f = fillOf(s.to, s.element(), s.size);
  set(f.function, f.blocks, sizeof(f.arguments) + s.bytes.size());
  memcpy(kernarg.data(), &f.arguments, sizeof(f.arguments));
  memcpy(kernarg.data() + sizeof(f.arguments), s.bytes.data(), s.bytes.size());
  return true;
}

xcc_status CpuQueue::copy(const Place &to, const Place &from, size_t bytes) {
  const Copy c = copyOf(to, from, bytes);
  return transfer(c.function, &c.arguments, c.blocks, nullptr,
                  profiled(directionOf(to, from), bytes));
}

xcc_status CpuQueue::copyParts(const std::vector<CopyPart> &parts) {
  static BuiltIn copy(copyPartsOfBlocks, 0, "copy");
  if (parts.empty())
    return XCC_SUCCESS;
  size_t total = 0;
  for (const CopyPart &p : parts)
    total += p.bytes;
  const size_t blocks = std::clamp<size_t>(total / PartsBlock, 1, parts.size());
  const size_t inBlock = (parts.size() + blocks - 1) / blocks;
  void *memory = malloc(sizeof(PartsArgs) + parts.size() * sizeof(CopyArgs));
  if (!memory)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for %zu copies",
                parts.size());
  auto *a = new (memory) PartsArgs{uint32_t(parts.size()), uint32_t(inBlock)};
  auto *out = reinterpret_cast<CopyArgs *>(a + 1);
  for (const CopyPart &p : parts)
    new (out++) CopyArgs{static_cast<char *>(p.to.at),
                         static_cast<char *>(p.from.at), p.bytes};
  return transfer(copy.function, nullptr,
                  (parts.size() + inBlock - 1) / inBlock, memory,
                  profiled(directionOf(parts[0].to, parts[0].from), total));
}

xcc_status CpuQueue::fill(const Place &to, const Element &element,
                          size_t bytes) {
  const auto [function, args, blocks] = fillOf(to, element, bytes);
  if (element.size <= sizeof(SmallFillArgs::bytes)) {
    SmallFillArgs small{args, {}};
    memcpy(small.bytes, element.bytes, element.size);
    return transfer(function, &small, blocks, nullptr,
                    profiled(profile::Direction::Fill, bytes));
  }
  void *memory = malloc(sizeof(FillArgs) + element.size);
  if (!memory)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a fill");
  memcpy(new (memory) FillArgs(args) + 1, element.bytes, element.size);
  return transfer(function, nullptr, blocks, memory,
                  profiled(profile::Direction::Fill, bytes));
}

xcc_status CpuQueue::copyRows(const Place &to, const Place &from,
                              const Rows &rows) {
  const RowsArgs a = rowsOf(to, from, rows, {nullptr, 0});
  return transfer(rowsKernel(a), &a, blocksOf(a), nullptr,
                  profiled(directionOf(to, from), rows.bytes()));
}

xcc_status CpuQueue::fillRows(const Place &to, const Element &element,
                              const Rows &rows) {
  if (element.size > sizeof(RowsArgs::bytes))
    return Queue::fillRows(to, element, rows);
  const RowsArgs a = rowsOf(to, to, rows, element);
  return transfer(rowsKernel(a), &a, blocksOf(a), nullptr,
                  profiled(profile::Direction::Fill, rows.bytes()));
}

xcc_status CpuQueue::call(void (*function)(void *), void *data) {
  static BuiltIn call(callFunction, sizeof(CallArgs), "call");
  const CallArgs a{function, data};
  return transfer(call.function, &a, 1);
}

xcc_status CpuQueue::release(void *pointer) {
  static BuiltIn free(freeBlock, sizeof(pointer), "free");
  return transfer(free.function, &pointer, 1);
}

} // namespace xcc::rt::cpu
