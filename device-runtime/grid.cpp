// A barrier for all blocks of a grid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of each block calls this, between two barriers of the block
// (xcc/device.h). In a cooperative launch all blocks run at once, and a device
// runs such launches one after the other, so one barrier per image is enough.

#include "machine.h"

using u32 = unsigned;

struct Grid {
  u32 waiting, opened, blocks;
};

extern "C" {
// formats/grid_symbol.h declares its name.
[[gnu::visibility("protected")]] Grid __xcc_grid = {};
u32 __xcc_grid_dim_x() noexcept;
u32 __xcc_grid_dim_y() noexcept;
u32 __xcc_grid_dim_z() noexcept;
[[noreturn]] void __xcc_trap(u32 kind, const char *text, const char *file,
                             u32 line) noexcept;
}

namespace {
#ifdef __x86_64__
constexpr int Scope = __MEMORY_SCOPE_SYSTEM;

long futex(u32 *word, int what, u32 value) {
  long result;
  register long r10 __asm__("r10") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(202L), "D"(word), "S"(long(what)), "d"(long(value)),
                     "r"(r10)
                   : "rcx", "r11", "memory");
  return result;
}
constexpr int Wait = 128, Wake = 129; // FUTEX_PRIVATE_FLAG
// Each block has a thread of the host. There may be more threads than cores, so
// waiting threads sleep.
void pause(u32 seen) { futex(&__xcc_grid.opened, Wait, seen); }
void wakeAll() { futex(&__xcc_grid.opened, Wake, 0x7fffffff); }
#else
constexpr int Scope = __MEMORY_SCOPE_DEVICE;

void wakeAll() {}
void pause(u32) { xcc::machine::pause<2>(); }
#endif
} // namespace

extern "C" __attribute__((always_inline)) void __xcc_grid_wait() noexcept {
  Grid &grid = __xcc_grid;
  const u32 blocks =
      __xcc_grid_dim_x() * __xcc_grid_dim_y() * __xcc_grid_dim_z();
#ifdef __x86_64__
  // For GPUs, the kernel table marks kernels that get here, and the runtime
  // refuses other launches.
  if (__scoped_atomic_load_n(&grid.blocks, __ATOMIC_RELAXED, Scope) != blocks)
    __xcc_trap(0,
               "xcc::sync_grid in a launch that is not cooperative; launch "
               "with xcc::cooperative({{blocks}, {threads}})",
               nullptr, 0);
#endif
  const u32 opened =
      __scoped_atomic_load_n(&grid.opened, __ATOMIC_RELAXED, Scope);
  if (__scoped_atomic_fetch_add(&grid.waiting, 1u, __ATOMIC_ACQ_REL, Scope) +
          1 ==
      blocks) {
    __scoped_atomic_store_n(&grid.waiting, 0u, __ATOMIC_RELAXED, Scope);
    __scoped_atomic_store_n(&grid.opened, opened + 1, __ATOMIC_RELEASE, Scope);
    wakeAll();
    return;
  }
  while (__scoped_atomic_load_n(&grid.opened, __ATOMIC_ACQUIRE, Scope) ==
         opened)
    pause(opened);
}
