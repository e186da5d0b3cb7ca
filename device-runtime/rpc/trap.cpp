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

void copy(char *To, const char *From, unsigned Size) {
  unsigned I = 0;
  for (; I + 1 < Size && From[I]; ++I)
    To[I] = From[I];
  To[I] = 0;
}

void describe(xcc_trap_record &R, unsigned Kind, const char *Text,
              const char *File, unsigned Line) {
  R.kind = Kind;
  R.line = Line;
  R.block[0] = __xcc_block_idx_x();
  R.block[1] = __xcc_block_idx_y();
  R.block[2] = __xcc_block_idx_z();
  R.thread[0] = __xcc_thread_idx_x();
  R.thread[1] = __xcc_thread_idx_y();
  R.thread[2] = __xcc_thread_idx_z();
  R.has_text = Text != nullptr;
  R.has_file = File != nullptr;
  if (Text)
    copy(R.text, Text, sizeof R.text);
  if (File)
    copy(R.file, File, sizeof R.file);
  atomic::publish(&R.complete, 1u);
}
} // namespace

extern "C" [[noreturn, gnu::noinline, gnu::cold]] void
__xcc_trap(unsigned Kind, const char *Text, const char *File,
           unsigned Line) noexcept {
  if (xcc_trap_record *R = __xcc_trap_report) {
    if (atomic::addStrong(&R->claimed, 1) == 0)
      describe(*R, Kind, Text, File, Line);
    for (unsigned I = 0; I != 1u << 16; ++I) {
      if (atomic::load(&R->complete))
        break;
      lanes::Native::pause();
    }
  }
  __builtin_trap();
}
