// The runtime's state of a thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state is one plain thread-local structure, so that a fault handler may
// read it. A pthread key cleans it up when the thread ends. A C++ thread_local
// with a destructor would keep a plugin that contains the runtime in memory.

#ifndef XCC_SRC_PROCESS_THREAD_STATE_H
#define XCC_SRC_PROCESS_THREAD_STATE_H

#include "xcc/runtime.h"

namespace xcc::rt {

class Device;
namespace cpu {
class Worker;
struct RecoveryPoint;
} // namespace cpu

struct ThreadState {
  xcc_error *lastError; ///< owned
  xcc_mapping *mapping; ///< owned; reused by the next mapped launch; or null
  cpu::Worker *worker;  ///< runs blocks on this thread; null until used
  cpu::RecoveryPoint
      *recoveryPoint; ///< the way out of a running compile; or null
  Device *current;    ///< null while the thread has set none
  /// The host function that runs here for device code; null if none does.
  const char *hostCall;
  uint64_t number; ///< of the thread; 0 until needed (pending.h)
  bool own;        ///< one of the runtime's threads (main_end.h)
  bool cleansUp;   ///< the pthread key holds this thread
};

/// The calling thread's state.
ThreadState &threadState();
/// The same without registering its cleanup: for signal handlers, and for
/// threads that have a worker.
extern thread_local constinit ThreadState theThreadState;
inline ThreadState &peekThreadState() { return theThreadState; }

/// Ends the cleanup of threads: no code of the runtime runs any more when a
/// thread ends.
void stopThreadCleanup();

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_THREAD_STATE_H
