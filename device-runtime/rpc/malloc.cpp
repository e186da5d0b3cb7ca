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
  uint32_t Hint = Lanes::hint();
#if XCC_RPC_GPU
  Hint = Hint * 64 + Lanes::id();
#endif
  return Hint;
}

[[noreturn]] void corrupt(const char *What) { __xcc_trap(0, What, nullptr, 0); }
} // namespace

extern "C" [[gnu::noinline]] void *__xcc_allocate(size_t Size,
                                                  size_t Alignment) {
  if (void *Block = heap().allocate(Size, Alignment, hint()))
    return Block;
  Reply R = call(ServiceAllocate, Message(Size, Alignment));
  if (R.Result > 0)
    return reinterpret_cast<void *>(R.Result);
  setErrno(ErrNoMemory);
  return nullptr;
}

extern "C" [[gnu::noinline]] void __xcc_free(void *Block) {
  if (!Block)
    return;
  switch (heap().free(Block)) {
  case Heap::Freed::Done:
    return;
  case Heap::Freed::NotOurs:
    if (!call(ServiceFree, Message(reinterpret_cast<uint64_t>(Block))).Error)
      return;
    break;
  case Heap::Freed::Bad:
    break;
  }
  corrupt("free of what is not an allocated block");
}

extern "C" [[gnu::noinline]] size_t __xcc_usable_size(void *Block) {
  if (!Block)
    return 0;
  if (uint64_t Size = heap().usable(Block))
    return Size;
  Reply R = call(ServiceUsable, Message(reinterpret_cast<uint64_t>(Block)));
  if (R.Error)
    corrupt("realloc of what is not an allocated block");
  return size_t(R.Result);
}
