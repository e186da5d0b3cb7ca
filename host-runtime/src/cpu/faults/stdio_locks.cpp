// Streams that a failed kernel left locked
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc links all FILEs in a list, and the lock of a FILE names its owner. The
// list has a lock too, for which this code must not wait: another thread may
// hold it and wait for one of the files (fflush(NULL), exit). So the list is
// read without the lock, with a system call that survives a stale address.

#include "stdio_locks.h"

#include <cerrno>
#include <cstdio>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

/// The list's head, which has always been in glibc's interface.
extern "C" FILE *_IO_list_all;

namespace xcc::rt::cpu {

namespace {
/// What FILE::_lock points to.
struct Lock {
  int word;
  int count;
  void *owner;
};
} // namespace

template <class T> static bool read(const void *from, T &to) {
  iovec here{&to, sizeof(T)}, there{const_cast<void *>(from), sizeof(T)};
  if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) == ssize_t(sizeof(T)))
    return true;
  if (errno != EPERM && errno != ENOSYS)
    return false;
  to = *static_cast<const T *>(from); // a container forbids the call
  return true;
}

void unlockStreams() {
  auto *self = reinterpret_cast<void *>(pthread_self());
  // Other threads may change the list meanwhile, so it may even be circular.
  unsigned most = 1 << 16;
  FILE seen;
  Lock held;
  for (FILE *f = _IO_list_all; f && most-- && read(f, seen); f = seen._chain)
    // Other threads do not close a stream that this thread has locked.
    for (unsigned times = 0; times != 1000 && read(seen._lock, held) &&
                             held.word && held.owner == self;
         ++times)
      funlockfile(f);
}

} // namespace xcc::rt::cpu
