// malloc and its family
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is from the device's heap, and when that is exhausted from the host,
// whose memory is slower. The address of a block shows its origin. A block
// lives until it is freed or the image is unloaded, so it outlives the kernel.
// Device code can also free copies of the host's allocations that a launch has
// mapped.

#include "malloc.h"
#include "call.h"
#include "heap.h"
#include "rpc/services/image.h"
#include "rpc/services/mapped.h"

using namespace xcc::device;

namespace {
Heap heap() { return Heap(__xcc_rpc.heap_base, __xcc_rpc.heap_size); }

uint32_t hint() {
  uint32_t hint = Lanes::hint();
#if XCC_RPC_GPU
  hint = hint * 64 + Lanes::id();
#endif
  return hint;
}

/// The header of a mapped copy of a host allocation; null for other blocks.
uint64_t *mappedHeader(void *block) {
  const uint64_t at = reinterpret_cast<uint64_t>(block);
  if (!__xcc_rpc.heap_base || at % XCC_MAPPED_HEADER)
    return nullptr;
  const auto *bounds = reinterpret_cast<const uint64_t *>(__xcc_rpc.heap_base +
                                                          XCC_MAPPED_BOUNDS);
  if (at < bounds[0] || at >= bounds[1])
    return nullptr;
  auto *header = reinterpret_cast<uint64_t *>(at - XCC_MAPPED_HEADER);
  const uint64_t state = *header ^ at;
  return state == XCC_MAPPED_LIVE || state == XCC_MAPPED_FREED ? header
                                                               : nullptr;
}

/// Marks a mapped copy as freed. Returns false if it was freed before.
bool freeMapped(uint64_t *header, uint64_t at) {
  uint64_t live = at ^ XCC_MAPPED_LIVE;
#if XCC_RPC_GPU
  return __scoped_atomic_compare_exchange_n(
      header, &live, at ^ XCC_MAPPED_FREED, false, __ATOMIC_ACQ_REL,
      __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#else
  return __atomic_compare_exchange_n(header, &live, at ^ XCC_MAPPED_FREED,
                                     false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
#endif
}

[[noreturn]] void corrupt(const char *what) { __xcc_trap(0, what, nullptr, 0); }

/// Ends the launch; the host adds to the message which object it was.
[[noreturn]] void freedTwice(void *block) {
  const char *what = "free of mapped memory that was freed already";
#if XCC_RPC_GPU
  const xcc_trap_freed freed = {what, reinterpret_cast<uint64_t>(block)};
  __xcc_trap(XCC_TRAP_FREED, reinterpret_cast<const char *>(&freed), nullptr,
             0);
#else
  (void)block;
  corrupt(what);
#endif
}
} // namespace

extern "C" [[gnu::noinline]] void *__xcc_allocate(size_t size,
                                                  size_t alignment) {
  // Free a few posted blocks per allocation, so that they do not accumulate.
  heap().reclaim(2);
  if (void *block = heap().allocate(size, alignment, hint()))
    return block;
  if (heap().reclaim(~uint32_t(0)))
    if (void *block = heap().allocate(size, alignment, hint()))
      return block;
  Reply r = call(ServiceAllocate, Message(size, alignment));
  if (r.result > 0) {
    auto *block = reinterpret_cast<uint64_t *>(r.result);
    // The block may have been a mapped copy before; clear the old header.
    if (__xcc_rpc.heap_base)
      *(block - XCC_MAPPED_HEADER / sizeof *block) = 0;
    return block;
  }
  setErrno(ErrNoMemory);
  return nullptr;
}

extern "C" [[gnu::noinline]] void __xcc_free(void *block) {
  if (!block)
    return;
  switch (heap().free(block)) {
  case Heap::Freed::Done:
    return;
  case Heap::Freed::NotOurs:
    if (uint64_t *header = mappedHeader(block)) {
      if (freeMapped(header, reinterpret_cast<uint64_t>(block)))
        return;
      freedTwice(block);
    }
    if (!call(ServiceFree, Message(reinterpret_cast<uint64_t>(block))).error)
      return;
    break;
  case Heap::Freed::Bad:
    break;
  }
  corrupt("free of what is not an allocated block");
}

/// Called with a std::shared_ptr's control block before its functions are
/// called, because the last owner goes.
extern "C" [[gnu::noinline]] void __xcc_last_owner_goes(void *block) {
  if (block && mappedHeader(block))
    corrupt("a kernel removed the last owner (std::shared_ptr) of an object "
            "that the host made: keep an owner that the kernel does not clear");
}

extern "C" [[gnu::noinline]] size_t __xcc_usable_size(void *block) {
  if (!block)
    return 0;
  if (uint64_t size = heap().usable(block))
    return size;
  if (const uint64_t *header = mappedHeader(block))
    return size_t(header[1]);
  Reply r = call(ServiceUsable, Message(reinterpret_cast<uint64_t>(block)));
  if (r.error)
    corrupt("realloc of what is not an allocated block");
  return size_t(r.result);
}
