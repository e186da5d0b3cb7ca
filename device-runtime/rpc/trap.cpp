// Ending a launch on a GPU with a report
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that traps describes the reason in memory that the host reads
// afterwards. That needs no server and no port, so kernels that use no other
// service run as if they had none. The trap instruction then stops the whole
// grid, wherever its other threads are. A thread may be stopped while it writes
// its note, so a complete note stays valid until a lower thread has completed
// its own.

#include "rpc/lanes.h"
#include "rpc/services/image.h"
#include "rpc/services/thrown.h"

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

constexpr unsigned Thrown = 4; ///< XCC_CPU_TRAP_THROWN

unsigned copy(char *to, const char *from, unsigned size) {
  if (!from)
    return 0;
  unsigned i = 0;
  for (; i + 1 < size && from[i]; ++i)
    to[i] = from[i];
  to[i] = 0;
  return 1;
}

/// Orders by block, then by thread; x counts fastest.
bool isLower(const unsigned *block, const unsigned *thread,
             const xcc_trap_note &than) {
  for (int i = 3; i--;)
    if (block[i] != than.block[i])
      return block[i] < than.block[i];
  for (int i = 3; i--;)
    if (thread[i] != than.thread[i])
      return thread[i] < than.thread[i];
  return false;
}

void describeThrown(xcc_trap_note &note, const xcc_thrown &thrown) {
  note.has_type = copy(note.type, thrown.type, sizeof note.type);
  note.has_text = copy(note.text, thrown.what, sizeof note.text);
  note.size = 0;
  const xcc_throw_place *place = thrown.place;
  if (!place)
    return;
  note.has_function =
      copy(note.function, place->function, sizeof note.function);
  note.has_file = copy(note.file, place->file, sizeof note.file);
  note.line = place->line;
  if (!thrown.object || place->size > sizeof note.object)
    return;
  note.size = place->size;
  for (unsigned i = 0; i != note.size; ++i)
    note.object[i] = static_cast<const unsigned char *>(thrown.object)[i];
}

void describeFreed(xcc_trap_note &note, const xcc_trap_freed &freed) {
  note.kind = 0;
  note.has_text = copy(note.text, freed.text, sizeof note.text);
  note.size = sizeof freed.address;
  for (unsigned i = 0; i != note.size; ++i)
    note.object[i] = static_cast<unsigned char>(freed.address >> 8 * i);
}

void describe(xcc_trap_record &r, unsigned kind, const char *text,
              const char *file, unsigned line) {
  const unsigned block[] = {__xcc_block_idx_x(), __xcc_block_idx_y(),
                            __xcc_block_idx_z()};
  const unsigned thread[] = {__xcc_thread_idx_x(), __xcc_thread_idx_y(),
                             __xcc_thread_idx_z()};
  const unsigned valid = atomic::load(&r.complete);
  if (valid && !isLower(block, thread, r.notes[valid - 1]))
    return;
  const unsigned free = valid == 1;
  xcc_trap_note &note = r.notes[free];
  note.kind = kind;
  note.line = line;
  for (int i = 0; i != 3; ++i) {
    note.block[i] = block[i];
    note.thread[i] = thread[i];
  }
  note.known = 1;
  note.has_type = note.has_function = note.size = 0;
  note.has_file = copy(note.file, file, sizeof note.file);
  if (kind == Thrown)
    describeThrown(note, *reinterpret_cast<const xcc_thrown *>(text));
  else if (kind == XCC_TRAP_FREED)
    describeFreed(note, *reinterpret_cast<const xcc_trap_freed *>(text));
  else
    note.has_text = copy(note.text, text, sizeof note.text);
  atomic::publish(&r.complete, free + 1 - valid);
}

/// Only one of the lanes that trap together calls this, because lanes of a warp
/// may be unable to wait for each other. The other lanes are higher threads of
/// the block.
[[gnu::noinline]] void describeForLanes(xcc_trap_record &r, unsigned lanes,
                                        unsigned kind, const char *text,
                                        const char *file, unsigned line) {
  atomic::addStrong(&r.claimed, lanes);
  for (unsigned i = 0; i != 1u << 16; ++i) {
    if (!atomic::exchangeStrong(&r.locked, 1)) {
      atomic::acquire(&r.locked);
      describe(r, kind, text, file, line);
      atomic::publish(&r.locked, ~0u);
      return;
    }
    lanes::Native::pause();
  }
}
} // namespace

extern "C" [[noreturn, gnu::noinline, gnu::cold]] void
__xcc_trap(unsigned kind, const char *text, const char *file,
           unsigned line) noexcept {
  if (xcc_trap_record *r = __xcc_trap_report) {
    const uint64_t active = lanes::Native::active();
    if (lanes::Native::first(active))
      describeForLanes(*r, unsigned(__builtin_popcountll(active)), kind, text,
                       file, line);
    lanes::Native::sync(active);
  }
  __builtin_trap();
}
