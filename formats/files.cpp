// Writing files in the runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "files.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace xcc::rt {

int aboveStandard(int file) {
  if (file < 0 || file > STDERR_FILENO)
    return file;
  int other = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int reason = errno;
  close(file);
  errno = reason;
  return other;
}

int makeTemporary(std::string &path) {
  std::string name = path + ".XXXXXX";
  int file = aboveStandard(mkostemp(name.data(), O_CLOEXEC));
  if (file >= 0)
    path = std::move(name);
  return file;
}

static sigset_t sizeSignal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

NoSizeSignal::NoSizeSignal() {
  sigset_t now, set = sizeSignal();
  sigpending(&now);
  wasPending = sigismember(&now, SIGXFSZ) == 1;
  pthread_sigmask(SIG_BLOCK, &set, &old);
}

NoSizeSignal::~NoSizeSignal() {
  int reason = errno;
  sigset_t set = sizeSignal();
  const timespec none{};
  if (!wasPending)
    while (sigtimedwait(&set, nullptr, &none) < 0 && errno == EINTR)
      ;
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  errno = reason;
}

bool writeAll(int file, Bytes data) {
  NoSizeSignal here;
  uint64_t done = 0;
  while (done != data.size()) {
    ssize_t n = write(file, data.data() + done, data.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    done += static_cast<uint64_t>(n);
  }
  return true;
}

} // namespace xcc::rt
