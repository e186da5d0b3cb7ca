// Ending a process whose main thread called pthread_exit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process whose main thread ended by pthread_exit lives on until its last
// thread ends, and signals go to the remaining threads. The runtime's threads
// must not keep it alive, and they take no signals. When no thread that uses
// the runtime is left, a watcher thread is started. It takes signals, and exits
// the process once only the runtime's threads are left.

#ifndef XCC_SRC_PROCESS_MAIN_END_H
#define XCC_SRC_PROCESS_MAIN_END_H

namespace xcc::rt {

/// Called by a thread of the runtime, at its start and end.
void ownThreadBegins();
void ownThreadEnds();

/// Called when a thread of the program begins to use the runtime, and when it
/// ends.
void userBegins();
void userEnds();

/// Ends the watcher thread. The runtime may be unloaded afterwards.
void stopMainWatch();

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_MAIN_END_H
