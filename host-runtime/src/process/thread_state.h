// What the runtime keeps for a thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One plain thread-local structure, so that a fault handler may read it, and
// one pthread key that cleans up when the thread ends. A C++ thread_local with
// a destructor would pin a plugin that contains the runtime in memory.

#ifndef XCC_SRC_PROCESS_THREAD_STATE_H
#define XCC_SRC_PROCESS_THREAD_STATE_H

#include "xcc/runtime.h"

namespace xcc::rt {

class Device;
namespace cpu {
class Worker;
struct Rescue;
} // namespace cpu

struct ThreadState {
  xcc_error *lastError; ///< owned
  xcc_mapping *mapping; ///< owned: for the next launch that maps; may be null
  cpu::Worker *worker;  ///< what this thread runs blocks with; null until used
  cpu::Rescue *rescue;  ///< out of a compile; null when none is running
  Device *current;      ///< null while the thread has set none
  /// The host function that runs here for device code; null when none does.
  const char *hostCall;
  uint64_t number; ///< of the thread; 0 until asked for (pending.h)
  bool own;        ///< one of the runtime's threads (main_end.h)
  bool cleansUp;   ///< the pthread key holds this thread
};

/// The calling thread's state.
ThreadState &threadState();
/// The same, without arranging for its cleanup: for signal handlers and for
/// threads that are known to have a worker.
extern thread_local constinit ThreadState theThreadState;
inline ThreadState &peekThreadState() { return theThreadState; }

/// Gives back what the runtime keeps for threads that end later; after it no
/// code of ours runs when a thread ends.
void stopThreadCleanup();

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_THREAD_STATE_H
