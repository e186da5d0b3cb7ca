// thread_local variables that images share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that calls functions of other images through pointers runs threads
// that are fibers, so a device thread is known whichever image's code it runs.
// Each has its variables here, by the address of what describes them, made when
// it first asks, and what is to be destroyed at its end. So has a thread that a
// kernel started, whose destructors are the C library's affair.

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

  /// Null when memory ran out.
  void *find(const xcc_cpu_thread_local &variable);
  /// False when memory ran out.
  bool atExit(void (*destroy)(void *), void *object);
  /// Destroys, the latest first; a destructor may register more.
  void runExits();
  /// Frees the variables; nothing more is destroyed.
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
