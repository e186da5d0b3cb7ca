// Memory functions of <stdlib.h>, <string.h>
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fno-builtin: what calloc does must not become a call of calloc.

#include "call.h"
#include "malloc.h"

using namespace xcc::device;

namespace {
constexpr size_t Default = 16;

void *aligned(size_t Alignment, size_t Size) {
  if (!Alignment || Alignment & (Alignment - 1)) {
    setErrno(ErrInvalid);
    return nullptr;
  }
  return __xcc_allocate(Size, Alignment);
}

char *copy(const char *Text, size_t Size) {
  char *To = static_cast<char *>(__xcc_allocate(Size + 1, Default));
  if (To) {
    memcpy(To, Text, Size);
    To[Size] = 0;
  }
  return To;
}
} // namespace

XCC_SERVICE void *malloc(size_t Size) { return __xcc_allocate(Size, Default); }
XCC_SERVICE void free(void *Block) { __xcc_free(Block); }
XCC_SERVICE void *calloc(size_t Count, size_t Size) {
  size_t Bytes;
  if (__builtin_mul_overflow(Count, Size, &Bytes)) {
    setErrno(ErrNoMemory);
    return nullptr;
  }
  void *Block = __xcc_allocate(Bytes, Default);
  if (Block)
    memset(Block, 0, Bytes);
  return Block;
}
XCC_SERVICE void *realloc(void *Block, size_t Size) {
  if (!Block)
    return __xcc_allocate(Size, Default);
  size_t Usable = __xcc_usable_size(Block);
  if (Size <= Usable && Size > Usable / 2)
    return Block;
  void *To = __xcc_allocate(Size, Default);
  if (!To)
    return Size <= Usable ? Block : nullptr;
  memcpy(To, Block, Size < Usable ? Size : Usable);
  __xcc_free(Block);
  return To;
}
XCC_SERVICE void *reallocarray(void *Block, size_t Count, size_t Size) {
  size_t Bytes;
  if (__builtin_mul_overflow(Count, Size, &Bytes)) {
    setErrno(ErrNoMemory);
    return nullptr;
  }
  return realloc(Block, Bytes);
}
XCC_SERVICE void *aligned_alloc(size_t Alignment, size_t Size) {
  return aligned(Alignment, Size);
}
XCC_SERVICE void *memalign(size_t Alignment, size_t Size) {
  return aligned(Alignment, Size);
}
XCC_SERVICE int posix_memalign(void **To, size_t Alignment, size_t Size) {
  if (Alignment < sizeof(void *) || Alignment & (Alignment - 1))
    return ErrInvalid;
  void *Block = __xcc_allocate(Size, Alignment);
  if (!Block)
    return ErrNoMemory;
  *To = Block;
  return 0;
}
XCC_SERVICE void free_sized(void *Block, size_t) { __xcc_free(Block); }
XCC_SERVICE void free_aligned_sized(void *Block, size_t, size_t) {
  __xcc_free(Block);
}
XCC_SERVICE size_t malloc_usable_size(void *Block) {
  return __xcc_usable_size(Block);
}
XCC_SERVICE char *strdup(const char *Text) { return copy(Text, strlen(Text)); }
XCC_SERVICE char *strndup(const char *Text, size_t Limit) {
  size_t Size = 0;
  while (Size != Limit && Text[Size])
    ++Size;
  return copy(Text, Size);
}
