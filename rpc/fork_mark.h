// Is this still the process that it was?
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forked child has none of its parent's threads. Handlers of pthread_atfork
// tell it so after fork(), but not after _Fork(), clone() and the system call
// itself. A page that the system clears in every child does (Linux 4.14).
// vfork() shares it, as it shares all memory, until the child's exec.

#ifndef XCC_RPC_FORK_MARK_H
#define XCC_RPC_FORK_MARK_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace xcc::rpc {

/// Constant-initialised, never destroyed. Without set() it is in no child.
class ForkMark {
public:
  /// From now on children count. Once; without the page, for lack of memory or
  /// of a newer system, clear() is what tells.
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

  /// In a child, for what is not cleared by itself.
  void clear() noexcept { mark.load(std::memory_order_acquire)->store(0); }

  /// The child is a process like others, whose children count.
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
