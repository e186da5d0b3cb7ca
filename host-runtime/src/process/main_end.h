// main ends by pthread_exit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process whose main thread ends by pthread_exit lives on until its last
// thread ends, and signals go to those that are left. The runtime's threads
// must not keep it alive, and they take no signals. When no thread that uses
// the runtime is left, one more thread is started that does: it takes signals,
// and exits once there are no threads but ours.

#ifndef XCC_SRC_PROCESS_MAIN_END_H
#define XCC_SRC_PROCESS_MAIN_END_H

namespace xcc::rt {

/// The calling thread is one of the device's, and none of the program's.
void ownThreadBegins();
void ownThreadEnds();

/// A thread begins to use the runtime, or one that did ends.
void userBegins();
void userEnds();

/// Ends what this started. The runtime may be unloaded afterwards.
void stopMainWatch();

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_MAIN_END_H
