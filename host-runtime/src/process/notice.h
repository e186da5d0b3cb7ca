// Something takes long
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that watches work which may never end. It prints a notice once, after
// XCC_NOTICE_AFTER, or ends the work after a limit.

#ifndef XCC_SRC_PROCESS_NOTICE_H
#define XCC_SRC_PROCESS_NOTICE_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <pthread.h>

namespace xcc::rt {

class Notice {
public:
  /// \p say is called unless the object is gone before; false: not enough is
  /// known yet. With true it says what it knows.
  explicit Notice(std::function<bool(bool last)> say);
  /// \p end too, once in a while, from \p limit seconds on, unless that is 0;
  /// with how often it was called before. Time in which the whole process
  /// is stopped, by a debugger, does not count.
  Notice(std::function<bool(bool last)> say, uint64_t limit,
         std::function<void(unsigned before)> end);
  ~Notice();
  Notice(const Notice &) = delete;
  Notice &operator=(const Notice &) = delete;

private:
  static void *watch(void *self);

  std::function<bool(bool last)> say;
  std::function<void(unsigned before)> end;
  uint64_t limit = 0; ///< nanoseconds
  std::atomic<uint32_t> over{0};
  pthread_t watcher;
  bool watching = false;
};

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_NOTICE_H
