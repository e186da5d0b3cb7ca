// How a GPU ends a launch, and says why
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first thread to trap describes why in memory that the host reads
// afterwards. That takes no server and no port: kernels whose only service is
// this one run as if they had none. The instruction that follows stops the
// whole grid, so the others wait until the description is complete, if only
// for a while.

#include "rpc/lanes.h"
#include "rpc/services/image.h"

extern "C" {
extern xcc_trap_record *volatile __xcc_trap_report;
unsigned __xcc_thread_idx_x();
unsigned __xcc_thread_idx_y();
unsigned __xcc_thread_idx_z();
unsigned __xcc_block_idx_x();
unsigned __xcc_block_idx_y();
unsigned __xcc_block_idx_z();
}

namespace {
using namespace xcc::rpc;

void copy(char *to, const char *from, unsigned size) {
  unsigned i = 0;
  for (; i + 1 < size && from[i]; ++i)
    to[i] = from[i];
  to[i] = 0;
}

void describe(xcc_trap_record &r, unsigned kind, const char *text,
              const char *file, unsigned line) {
  r.kind = kind;
  r.line = line;
  r.block[0] = __xcc_block_idx_x();
  r.block[1] = __xcc_block_idx_y();
  r.block[2] = __xcc_block_idx_z();
  r.thread[0] = __xcc_thread_idx_x();
  r.thread[1] = __xcc_thread_idx_y();
  r.thread[2] = __xcc_thread_idx_z();
  r.has_text = text != nullptr;
  r.has_file = file != nullptr;
  if (text)
    copy(r.text, text, sizeof r.text);
  if (file)
    copy(r.file, file, sizeof r.file);
  atomic::publish(&r.complete, 1u);
}
} // namespace

extern "C" [[noreturn, gnu::noinline, gnu::cold]] void
__xcc_trap(unsigned kind, const char *text, const char *file,
           unsigned line) noexcept {
  if (xcc_trap_record *r = __xcc_trap_report) {
    if (atomic::addStrong(&r->claimed, 1) == 0)
      describe(*r, kind, text, file, line);
    for (unsigned i = 0; i != 1u << 16; ++i) {
      if (atomic::load(&r->complete))
        break;
      lanes::Native::pause();
    }
  }
  __builtin_trap();
}
