// malloc and its family
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the device's heap, and when that is exhausted from the host, whose
// memory is slower. Which of them a block is from shows by its address. Blocks
// live until they are freed or the image is unloaded, beyond the kernel.

#include "malloc.h"
#include "call.h"
#include "heap.h"

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

[[noreturn]] void corrupt(const char *what) { __xcc_trap(0, what, nullptr, 0); }
} // namespace

extern "C" [[gnu::noinline]] void *__xcc_allocate(size_t size,
                                                  size_t alignment) {
  if (void *block = heap().allocate(size, alignment, hint()))
    return block;
  Reply r = call(ServiceAllocate, Message(size, alignment));
  if (r.result > 0)
    return reinterpret_cast<void *>(r.result);
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
    if (!call(ServiceFree, Message(reinterpret_cast<uint64_t>(block))).error)
      return;
    break;
  case Heap::Freed::Bad:
    break;
  }
  corrupt("free of what is not an allocated block");
}

extern "C" [[gnu::noinline]] size_t __xcc_usable_size(void *block) {
  if (!block)
    return 0;
  if (uint64_t size = heap().usable(block))
    return size;
  Reply r = call(ServiceUsable, Message(reinterpret_cast<uint64_t>(block)));
  if (r.error)
    corrupt("realloc of what is not an allocated block");
  return size_t(r.result);
}
