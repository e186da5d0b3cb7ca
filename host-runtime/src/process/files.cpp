// Files that the runtime writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "files.h"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace xcc::rt {

int aboveStandard(int File) {
  if (File < 0 || File > STDERR_FILENO)
    return File;
  int Other = fcntl(File, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int Reason = errno;
  close(File);
  errno = Reason;
  return Other;
}

int makeTemporary(std::string &Path) {
  std::string Name = Path + ".XXXXXX";
  int File = aboveStandard(mkostemp(Name.data(), O_CLOEXEC));
  if (File >= 0)
    Path = std::move(Name);
  return File;
}

static sigset_t sizeSignal() {
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, SIGXFSZ);
  return Set;
}

NoSizeSignal::NoSizeSignal() {
  sigset_t Now, Set = sizeSignal();
  sigpending(&Now);
  WasPending = sigismember(&Now, SIGXFSZ) == 1;
  pthread_sigmask(SIG_BLOCK, &Set, &Old);
}

NoSizeSignal::~NoSizeSignal() {
  int Reason = errno;
  sigset_t Set = sizeSignal();
  const timespec None{};
  if (!WasPending)
    while (sigtimedwait(&Set, nullptr, &None) < 0 && errno == EINTR)
      ;
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
  errno = Reason;
}

bool writeAll(int File, Bytes Data) {
  NoSizeSignal Here;
  uint64_t Done = 0;
  while (Done != Data.size()) {
    ssize_t N = write(File, Data.data() + Done, Data.size() - Done);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return false;
    Done += static_cast<uint64_t>(N);
  }
  return true;
}

} // namespace xcc::rt
