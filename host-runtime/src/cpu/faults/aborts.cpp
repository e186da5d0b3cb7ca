// Kernels in which the C library calls abort()
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "aborts.h"
#include "cpu/workers/sanitizer.h"
#include "formats/freed_note.h"

#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

namespace xcc::rt::cpu {

namespace {
/// The message that glibc keeps for debuggers before it calls abort().
struct Message {
  unsigned size; ///< of the mapped pages that hold the message
  char text[];
};
} // namespace

/// glibc's variable; null where there is none.
static Message **message;

void prepareForAborts() {
  if (!message)
    message = static_cast<Message **>(
        dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE"));
}

XCC_RT_UNINSTRUMENTED bool isAbort(int signal, const siginfo_t *info) {
  return signal == SIGABRT && info->si_code == SI_TKILL &&
         info->si_pid == getpid();
}

/// Errors that glibc finds while it does not hold the lock of a heap.
static constexpr const char *WithoutLock[] = {
    "free(): invalid pointer",
    "free(): invalid size",
    "free(): invalid next size (fast)",
    "free(): double free detected in tcache 2",
    "free(): too many chunks detected in tcache",
    "free(): unaligned chunk detected in tcache 2",
    "malloc(): unaligned tcache chunk detected",
    "double free or corruption (fasttop)",
    "munmap_chunk(): invalid pointer",
    "realloc(): invalid pointer",
    "mremap_chunk(): invalid pointer"};

/// Does the message come from glibc's heap?
XCC_RT_UNINSTRUMENTED static bool isOfHeap(const char *text) {
  for (const char *word :
       {"free()", "double free", "munmap_chunk()", "realloc()",
        "mremap_chunk()", "malloc", "corrupted ", "break adjusted"})
    if (!strncmp(text, word, strlen(word)))
      return true;
  return false;
}

/// The argument of free(), if device code called it and left a note on the
/// stack. The C library's frames above the note take less than this.
XCC_RT_UNINSTRUMENTED static uint64_t findFreed(const void *context) {
  constexpr size_t Most = 512;
  auto &registers = static_cast<const ucontext_t *>(context)->uc_mcontext.gregs;
  uint64_t words[Most];
  // The stack may end before all words are read.
  iovec here{words, sizeof(words)},
      there{reinterpret_cast<void *>(registers[REG_RSP]), sizeof(words)};
  const ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  for (size_t i = 0; got > 0 && i + 1 < size_t(got) / sizeof(uint64_t); ++i)
    if (words[i] == XCC_FREED_NOTE)
      return words[i + 1];
  return 0;
}

XCC_RT_UNINSTRUMENTED AbortReason takeAbortReason(const void *context) {
  AbortReason reason;
  Message *said = message
                      ? __atomic_exchange_n(message, nullptr, __ATOMIC_ACQUIRE)
                      : nullptr;
  if (!said)
    return reason;
  const size_t length = strcspn(said->text, "\n");
  const size_t kept =
      length < sizeof(reason.text) ? length : sizeof(reason.text) - 1;
  memcpy(reason.text, said->text, kept);
  munmap(said, said->size);
  if (!isOfHeap(reason.text)) {
    reason.text[0] = 0; // an assertion of a library, which has printed it
    return reason;
  }
  reason.heapLocked = true;
  for (const char *text : WithoutLock)
    reason.heapLocked &= strcmp(reason.text, text) != 0;
  reason.freed = findFreed(context);
  return reason;
}

} // namespace xcc::rt::cpu
