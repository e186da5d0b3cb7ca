// Memory of what is known of a module's bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordLines.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MemAlloc.h"
#include <sys/mman.h>

using namespace llvm;

namespace xcc {

constexpr size_t LargePage = size_t(2) << 20;

RecordLines::RecordLines(size_t count) : count(count) {
  size_t bytes = count * sizeof(RecordLine);
  if (bytes >= LargePage) {
    mapped = bytes + LargePage;
    memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      report_bad_alloc_error("no memory to pack or unpack device code");
    lines = reinterpret_cast<RecordLine *>(alignAddr(memory, Align(LargePage)));
    // A wish.
    (void)madvise(lines, alignTo(bytes, Align(4096)), MADV_HUGEPAGE);
  } else {
    memory = safe_calloc(count, sizeof(RecordLine));
    lines = static_cast<RecordLine *>(memory);
  }
}

RecordLines::~RecordLines() {
  if (mapped)
    munmap(memory, mapped);
  else
    free(memory);
}

} // namespace xcc
