// Watching long waits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a buffer, scope or stream waits for the device. If a kernel does
// not end, neither does the function, and no line of the program shows why. So
// a thread of the runtime watches such unwritten waits. If nothing on the
// device has ended for the time in XCC_NOTICE_AFTER, it prints what still runs,
// once for each wait. The thread starts with the first such wait for a busy
// device, and sleeps while there is none.
//
// On the CPU device a thread that waits runs blocks. If these wait, by a flag
// in memory, for blocks that have not begun, no thread is left to report it. So
// the waits that a program writes itself are watched too. They are only
// counted, and seldom wake the thread.

#ifndef XCC_SRC_DEVICES_UNWRITTEN_WAIT_H
#define XCC_SRC_DEVICES_UNWRITTEN_WAIT_H

#include <cstdint>

namespace xcc::rt {

class Device;
class Queue;

/// While it lives, the calling thread waits for the device, or for one queue.
class ImplicitWait {
public:
  /// \p who names the waiting code in a message.
  ImplicitWait(Device &on, const char *who, const Queue *only = nullptr);
  ~ImplicitWait();
  ImplicitWait(const ImplicitWait &) = delete;
  ImplicitWait &operator=(const ImplicitWait &) = delete;

private:
  friend class WaitWatch;
  Device &on;
  const Queue *const only;
  const char *const who;
  bool listed = false, reported = false;
  uint64_t progress = 0, since = 0; ///< the last change, and when it was seen
  ImplicitWait *next = nullptr, **link = nullptr;
};

/// While it lives, the calling thread waits for \p on because the program says
/// so, and may run blocks.
class ExplicitWait {
public:
  explicit ExplicitWait(Device &on);
  ~ExplicitWait();
  ExplicitWait(const ExplicitWait &) = delete;
  ExplicitWait &operator=(const ExplicitWait &) = delete;
};
/// Called when another message has reported what those threads wait for.
void reportedWrittenWaits();

/// Ends the watching thread. The runtime may be unloaded afterwards.
void stopWaitWatch();

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_UNWRITTEN_WAIT_H
