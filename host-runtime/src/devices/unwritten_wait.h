// Waits that are watched
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a buffer, scope or stream waits for the device, as C++ has it: a
// kernel that does not end keeps the function from ending, and no line of the
// program shows why. So a thread of the runtime looks at such waits. Where
// nothing of the device has ended for as long as XCC_NOTICE_AFTER says, it tells
// what still runs, once for each wait. The thread begins with the first such
// wait for a device that is busy, and sleeps while there is none.
//
// On the CPU device a thread that waits runs blocks. If these wait, by a flag in
// memory, for blocks that have not begun, no thread is left to report it. So waits
// that the program does write are watched too. They are counted, and wake the
// thread only once in a while.

#ifndef XCC_SRC_DEVICES_UNWRITTEN_WAIT_H
#define XCC_SRC_DEVICES_UNWRITTEN_WAIT_H

#include <cstdint>

namespace xcc::rt {

class Device;
class Queue;

/// While it lives, the calling thread waits for the device, or for one queue.
class UnwrittenWait {
public:
  /// \p who waits, for a message.
  UnwrittenWait(Device &on, const char *who, const Queue *only = nullptr);
  ~UnwrittenWait();
  UnwrittenWait(const UnwrittenWait &) = delete;
  UnwrittenWait &operator=(const UnwrittenWait &) = delete;

private:
  friend class WaitWatch;
  Device &on;
  const Queue *const only;
  const char *const who;
  bool listed = false, told = false;
  uint64_t progress = 0, since = 0; ///< what had ended, and when that was seen
  UnwrittenWait *next = nullptr, **link = nullptr;
};

/// While it lives, the calling thread waits for \p on, as the program says, and
/// may run blocks.
class WrittenWait {
public:
  explicit WrittenWait(Device &on);
  ~WrittenWait();
  WrittenWait(const WrittenWait &) = delete;
  WrittenWait &operator=(const WrittenWait &) = delete;
};
/// Says that another message has reported what those threads wait for.
void toldOfWrittenWaits();

/// Ends the thread. The runtime may be unloaded afterwards.
void stopWaitWatch();

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_UNWRITTEN_WAIT_H
