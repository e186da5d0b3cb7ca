// Memory functions of <stdlib.h> and <string.h>
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled with -fno-builtin: the body of calloc must not become a call of
// calloc.

#include "call.h"
#include "malloc.h"

using namespace xcc::device;

namespace {
constexpr size_t Default = 16;

void *aligned(size_t alignment, size_t size) {
  if (!alignment || alignment & (alignment - 1)) {
    setErrno(ErrInvalid);
    return nullptr;
  }
  return __xcc_allocate(size, alignment);
}

char *copy(const char *text, size_t size) {
  char *to = static_cast<char *>(__xcc_allocate(size + 1, Default));
  if (to) {
    memcpy(to, text, size);
    to[size] = 0;
  }
  return to;
}
} // namespace

XCC_SERVICE void *malloc(size_t size) { return __xcc_allocate(size, Default); }
XCC_SERVICE void free(void *block) { __xcc_free(block); }
XCC_SERVICE void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    setErrno(ErrNoMemory);
    return nullptr;
  }
  void *block = __xcc_allocate(bytes, Default);
  if (block)
    memset(block, 0, bytes);
  return block;
}
XCC_SERVICE void *realloc(void *block, size_t size) {
  if (!block)
    return __xcc_allocate(size, Default);
  size_t usable = __xcc_usable_size(block);
  if (size <= usable && size > usable / 2)
    return block;
  void *to = __xcc_allocate(size, Default);
  if (!to)
    return size <= usable ? block : nullptr;
  memcpy(to, block, size < usable ? size : usable);
  __xcc_free(block);
  return to;
}
XCC_SERVICE void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    setErrno(ErrNoMemory);
    return nullptr;
  }
  return realloc(block, bytes);
}
XCC_SERVICE void *aligned_alloc(size_t alignment, size_t size) {
  return aligned(alignment, size);
}
XCC_SERVICE void *memalign(size_t alignment, size_t size) {
  return aligned(alignment, size);
}
XCC_SERVICE int posix_memalign(void **to, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || alignment & (alignment - 1))
    return ErrInvalid;
  void *block = __xcc_allocate(size, alignment);
  if (!block)
    return ErrNoMemory;
  *to = block;
  return 0;
}
XCC_SERVICE void free_sized(void *block, size_t) { __xcc_free(block); }
XCC_SERVICE void free_aligned_sized(void *block, size_t, size_t) {
  __xcc_free(block);
}
XCC_SERVICE size_t malloc_usable_size(void *block) {
  return __xcc_usable_size(block);
}
XCC_SERVICE char *strdup(const char *text) { return copy(text, strlen(text)); }
XCC_SERVICE char *strndup(const char *text, size_t limit) {
  size_t size = 0;
  while (size != limit && text[size])
    ++size;
  return copy(text, size);
}
