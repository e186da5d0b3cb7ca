// thread_local variables that images share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that calls functions of other images through pointers runs its
// threads as fibers, so the runtime knows the device thread in any image's
// code. Each thread has its variables here, by the address of their
// descriptors. They are made at the first use, and destroyed at the thread's
// end. Threads that a kernel started have their variables here too, but the C
// library runs their destructors.

#ifndef XCC_SRC_CPU_WORKERS_THREAD_LOCALS_H
#define XCC_SRC_CPU_WORKERS_THREAD_LOCALS_H

#include "xcc/abi.h"

#include <unordered_map>
#include <vector>

namespace xcc::rt::cpu {

class ThreadLocals {
public:
  ThreadLocals() = default;
  ThreadLocals(const ThreadLocals &) = delete;
  ThreadLocals &operator=(const ThreadLocals &) = delete;
  ~ThreadLocals() { forget(); }

  /// Returns null when memory ran out.
  void *find(const xcc_cpu_thread_local &variable);
  /// Returns false when memory ran out.
  bool atExit(void (*destroy)(void *), void *object);
  /// Runs the destructors, the latest first; a destructor may register more.
  void runExits();
  /// Frees the variables, without any destructor.
  void forget();

private:
  struct Exit {
    void (*destroy)(void *);
    void *object;
  };
  std::unordered_map<const xcc_cpu_thread_local *, void *> places;
  std::vector<Exit> exits;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_THREAD_LOCALS_H
