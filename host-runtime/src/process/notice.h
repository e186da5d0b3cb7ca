// Watching work that may take long
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Notice starts a thread that watches work which may never end. The thread
// prints a notice once, after XCC_NOTICE_AFTER, or ends the work after a limit.

#ifndef XCC_SRC_PROCESS_NOTICE_H
#define XCC_SRC_PROCESS_NOTICE_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <pthread.h>

namespace xcc::rt {

class Notice {
public:
  /// \p say prints the notice, unless the object is destroyed before. It
  /// returns false if it does not know enough yet; then it is called again.
  /// With \p last it must print what it knows.
  explicit Notice(std::function<bool(bool last)> say);
  /// From \p limit seconds on (0: never), also calls \p end repeatedly, with
  /// the number of earlier calls. Time in which a debugger stops the whole
  /// process does not count.
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
