// Detecting a forked child
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forked child has none of its parent's threads. Handlers of pthread_atfork
// notice fork(), but not _Fork(), clone() and the system call itself. A page
// that the system clears in every child detects all of them (Linux 4.14).
// vfork() shares the page, like all memory, until the child's exec.

#ifndef XCC_RPC_FORK_MARK_H
#define XCC_RPC_FORK_MARK_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace xcc::rpc {

/// Constant-initialised and never destroyed. Reports no child before set().
class ForkMark {
public:
  /// Starts to detect children; call this once. Without the page, because
  /// memory ran out or the system is older, only clear() marks a child.
  void set() noexcept {
    const size_t size = size_t(sysconf(_SC_PAGESIZE));
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return;
    if (madvise(memory, size, MADV_WIPEONFORK) != 0) {
      munmap(memory, size);
      return;
    }
    auto *in = new (memory) std::atomic<uint32_t>(1);
    mark.store(in, std::memory_order_release);
  }

  /// Call this in a child, in case the page was not cleared.
  void clear() noexcept { mark.load(std::memory_order_acquire)->store(0); }

  /// Treats the child as an ordinary process, whose children are detected.
  void renew() noexcept { mark.load(std::memory_order_acquire)->store(1); }

  bool inChild() const noexcept {
    return !mark.load(std::memory_order_acquire)
                ->load(std::memory_order_relaxed);
  }

private:
  std::atomic<uint32_t> plain{1};
  std::atomic<std::atomic<uint32_t> *> mark{&plain};
};

} // namespace xcc::rpc
#endif // XCC_RPC_FORK_MARK_H
