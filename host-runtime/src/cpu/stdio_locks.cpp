// Streams that a kernel left locked
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every FILE of glibc is in one list, and its lock says whose it is. The list
// has a lock too, which must not be waited for here: another thread may hold it
// and wait for one of the files (fflush(NULL), exit). So the list is read
// without, by the system, for which an address that has gone is no fault.

#include "stdio_locks.h"

#include <cerrno>
#include <cstdio>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

/// The list's head, since ever a part of glibc's interface.
extern "C" FILE *_IO_list_all;

namespace xcc::rt::cpu {

namespace {
/// What FILE::_lock points to.
struct Lock {
  int Word;
  int Count;
  void *Owner;
};
} // namespace

template <class T> static bool read(const void *From, T &To) {
  iovec Here{&To, sizeof(T)}, There{const_cast<void *>(From), sizeof(T)};
  if (process_vm_readv(getpid(), &Here, 1, &There, 1, 0) == ssize_t(sizeof(T)))
    return true;
  if (errno != EPERM && errno != ENOSYS)
    return false;
  To = *static_cast<const T *>(From); // a container forbids it
  return true;
}

void unlockStreams() {
  auto *Self = reinterpret_cast<void *>(pthread_self());
  // A list that others change meanwhile may lead anywhere, in circles too.
  unsigned Most = 1 << 16;
  FILE Seen;
  Lock Held;
  for (FILE *F = _IO_list_all; F && Most-- && read(F, Seen); F = Seen._chain)
    // What this thread has locked nobody closes.
    for (unsigned Times = 0; Times != 1000 && read(Seen._lock, Held) &&
                             Held.Word && Held.Owner == Self;
         ++Times)
      funlockfile(F);
}

} // namespace xcc::rt::cpu
