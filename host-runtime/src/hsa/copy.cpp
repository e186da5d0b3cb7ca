// Copies and fills on AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between memory that the GPUs' copy engines see, a copy is enqueued and runs
// by itself. Other host memory goes through a pinned buffer, piece by piece, or
// is locked for the copy when it is large. Copies to the host through the
// buffer return when they are done, as with CUDA.

#include "queue.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace xcc::rt::hsa {

/// From this size on, locking the pages costs less than a second copy.
static constexpr size_t LockFrom = size_t(4) << 20;

/// What a copy has to wait for: everything enqueued so far.
xcc_status HsaQueue::orderAfter(SignalHold &Before) {
  uint64_t End = written();
  if (Ended.load(std::memory_order_acquire) >= End)
    return XCC_SUCCESS;
  if (LastCopy && End == LastCopyEnd) {
    // Nothing since the last copy, which waited for all before it.
    LastCopy->retain();
    Before.reset(LastCopy.get());
    return XCC_SUCCESS;
  }
  Signal *S;
  XCC_TRY(mark(S));
  Before.reset(S);
  return XCC_SUCCESS;
}

/// Enqueues a copy between memory that both agents see. Unlocks \p Locked and
/// frees \p Memory (of the device) when it has ended, or fails.
xcc_status HsaQueue::transfer(void *To, Agent ToAgent, const void *From,
                              Agent FromAgent, size_t Bytes, void *Locked,
                              void *Memory, SignalHold *Done) {
  auto *K = new (std::nothrow) Kept;
  if (!K) {
    Kept Now;
    Now.Locked = Locked;
    Now.Memory = Memory;
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a copy");
  }
  K->Locked = Locked;
  K->Memory = Memory;
  SignalHold Before, Ends;
  Signal *S = nullptr;
  xcc_status Bad = orderAfter(Before);
  if (Bad == XCC_SUCCESS)
    Bad = Signal::make(S);
  if (Bad != XCC_SUCCESS) {
    delete K;
    return Bad;
  }
  Ends.reset(S);
  S->Copy = true;
  Status Called = Hsa.amd_memory_async_copy(
      To, ToAgent, From, FromAgent, Bytes, Before ? 1 : 0,
      Before ? &Before->Handle : nullptr, S->Handle);
  if (Called != StatusSuccess) {
    delete K;
    return On.failed("hsa_amd_memory_async_copy", Called);
  }
  S->retain();
  K->Signals[0] = S;
  K->Signals[1] = Before.take();
  uint64_t Index;
  XCC_TRY(barrier(S, nullptr, K, &Index));
  LastCopyEnd = Index + 1;
  S->retain();
  LastCopy.reset(S);
  if (Done) {
    S->retain();
    Done->reset(S);
  }
  return XCC_SUCCESS;
}

/// The next half of the pinned buffer, once its last copy has ended.
xcc_status HsaQueue::stagingHalf(char *&Half, unsigned &Which) {
  if (!Stage.Memory) {
    void *Memory;
    XCC_TRY(On.allocateHost(On.World.Fine, 2 * Staging::HalfBytes, &Memory));
    Stage.Memory = static_cast<char *>(Memory);
  }
  Which = Stage.Turn;
  Stage.Turn ^= 1;
  Half = Stage.Memory + Which * Staging::HalfBytes;
  SignalHold &Busy = Stage.Busy[Which];
  if (Busy && !waitFor(*Busy.get()))
    return On.unusable();
  Busy.reset();
  return XCC_SUCCESS;
}

xcc_status HsaQueue::stagedIn(char *To, Agent ToAgent, const char *From,
                              size_t Bytes) {
  for (size_t At = 0; At < Bytes; At += Staging::HalfBytes) {
    size_t Part = std::min(Bytes - At, Staging::HalfBytes);
    char *Half;
    unsigned Which;
    XCC_TRY(stagingHalf(Half, Which));
    memcpy(Half, From + At, Part);
    XCC_TRY(transfer(To + At, ToAgent, Half, On.World.Host, Part, nullptr,
                     nullptr, &Stage.Busy[Which]));
  }
  return XCC_SUCCESS;
}

xcc_status HsaQueue::stagedOut(char *To, const char *From, Agent FromAgent,
                               size_t Bytes) {
  struct Piece {
    char *To = nullptr, *Half = nullptr;
    size_t Size = 0;
    unsigned Which = 0;
  } Last;
  auto Finish = [&](const Piece &P) {
    SignalHold &Busy = Stage.Busy[P.Which];
    if (!waitFor(*Busy.get()))
      return On.unusable();
    Busy.reset();
    memcpy(P.To, P.Half, P.Size);
    return XCC_SUCCESS;
  };
  // The engine fills one half while the other is read.
  for (size_t At = 0; At < Bytes; At += Staging::HalfBytes) {
    Piece P;
    P.To = To + At;
    P.Size = std::min(Bytes - At, Staging::HalfBytes);
    XCC_TRY(stagingHalf(P.Half, P.Which));
    XCC_TRY(transfer(P.Half, On.World.Host, From + At, FromAgent, P.Size,
                     nullptr, nullptr, &Stage.Busy[P.Which]));
    if (Last.Size)
      XCC_TRY(Finish(Last));
    Last = P;
  }
  return Finish(Last);
}

/// Copies host memory with its pages locked. \p Done is false when they cannot
/// be locked (read-only ones, or beyond the limit on locked memory).
xcc_status HsaQueue::lockedCopy(void *To, const void *From, size_t Bytes,
                                Gpu &Far, bool In, bool &Done) {
  void *Host = In ? const_cast<void *>(From) : To;
  Agent FarAgent = Far.Facts.Handle;
  void *Seen = nullptr;
  Done = Hsa.amd_memory_lock(Host, Bytes, &FarAgent, 1, &Seen) == StatusSuccess;
  if (!Done)
    return XCC_SUCCESS;
  if (In)
    return transfer(To, FarAgent, Seen, On.World.Host, Bytes, Host, nullptr,
                    nullptr);
  return transfer(Seen, On.World.Host, From, FarAgent, Bytes, Host, nullptr,
                  nullptr);
}

xcc_status HsaQueue::betweenGpus(void *To, Gpu &ToGpu, const void *From,
                                 Gpu &FromGpu, size_t Bytes) {
  if (allowAccess(placeOf(From), ToGpu))
    return transfer(To, ToGpu.Facts.Handle, From, FromGpu.Facts.Handle, Bytes,
                    nullptr, nullptr, nullptr);
  // They do not see each other; both see the host.
  for (size_t At = 0; At < Bytes; At += Staging::HalfBytes) {
    size_t Part = std::min(Bytes - At, Staging::HalfBytes);
    char *Half;
    unsigned Which;
    XCC_TRY(stagingHalf(Half, Which));
    XCC_TRY(transfer(Half, On.World.Host, static_cast<const char *>(From) + At,
                     FromGpu.Facts.Handle, Part, nullptr, nullptr, nullptr));
    XCC_TRY(transfer(static_cast<char *>(To) + At, ToGpu.Facts.Handle, Half,
                     On.World.Host, Part, nullptr, nullptr,
                     &Stage.Busy[Which]));
  }
  return XCC_SUCCESS;
}

/// Engines copy in any order, so ranges that overlap go through other memory.
xcc_status HsaQueue::overlapping(void *To, const void *From, size_t Bytes,
                                 Gpu &Owner) {
  void *Between = nullptr;
  Status S =
      Hsa.amd_memory_pool_allocate(Owner.Facts.Memory, Bytes, 0, &Between);
  if (S != StatusSuccess)
    return fail(XCC_ERROR_OUT_OF_MEMORY, On.site(),
                "out of memory: a copy between overlapping ranges needs %zu "
                "bytes on device %d (%s)",
                Bytes, Owner.ordinal(), Owner.id());
  Agent A = Owner.Facts.Handle;
  if (xcc_status Bad =
          transfer(Between, A, From, A, Bytes, nullptr, nullptr, nullptr);
      Bad != XCC_SUCCESS) {
    Hsa.amd_memory_pool_free(Between);
    return Bad;
  }
  return transfer(To, A, Between, A, Bytes, nullptr, Between, nullptr);
}

xcc_status HsaQueue::copy(void *To, const void *From, size_t Bytes) {
  if (On.dead())
    return On.unusable();
  Place T = placeOf(To), F = placeOf(From);
  if (T.In != Place::Device && F.In != Place::Device) {
    drain(); // the host does it, when its turn has come
    if (On.dead())
      return On.unusable();
    memmove(To, From, Bytes);
    return XCC_SUCCESS;
  }
  std::lock_guard Lock(CopyMutex);
  auto *ToBytes = static_cast<char *>(To);
  auto *FromBytes = static_cast<const char *>(From);
  if (T.Owner && F.Owner && T.Owner != F.Owner)
    return betweenGpus(To, *T.Owner, From, *F.Owner, Bytes);
  if (T.Owner && F.Owner && ToBytes < FromBytes + Bytes &&
      FromBytes < ToBytes + Bytes)
    return overlapping(To, From, Bytes, *T.Owner);
  Agent ToAgent = T.Owner ? T.Owner->Facts.Handle : On.World.Host;
  Agent FromAgent = F.Owner ? F.Owner->Facts.Handle : On.World.Host;
  if (T.In != Place::Pageable && F.In != Place::Pageable)
    return transfer(To, ToAgent, From, FromAgent, Bytes, nullptr, nullptr,
                    nullptr);
  bool In = T.Owner;
  if (Bytes >= LockFrom) {
    bool Done;
    XCC_TRY(lockedCopy(To, From, Bytes, In ? *T.Owner : *F.Owner, In, Done));
    if (Done)
      return XCC_SUCCESS;
  }
  return In ? stagedIn(ToBytes, ToAgent, FromBytes, Bytes)
            : stagedOut(ToBytes, FromBytes, FromAgent, Bytes);
}

/// Fills at most half the buffer's bytes of device memory.
xcc_status HsaQueue::stagedFill(char *To, Agent ToAgent, int Byte,
                                size_t Bytes) {
  if (!Bytes)
    return XCC_SUCCESS;
  char *Half;
  unsigned Which;
  XCC_TRY(stagingHalf(Half, Which));
  memset(Half, Byte, Bytes);
  return transfer(To, ToAgent, Half, On.World.Host, Bytes, nullptr, nullptr,
                  &Stage.Busy[Which]);
}

xcc_status HsaQueue::fill(void *To, int Byte, size_t Bytes) {
  if (On.dead())
    return On.unusable();
  Place T = placeOf(To);
  if (T.In == Place::Device && Bytes <= Staging::HalfBytes) {
    std::lock_guard Lock(CopyMutex);
    return stagedFill(static_cast<char *>(To), T.Owner->Facts.Handle, Byte,
                      Bytes);
  }
  // The library fills words, at once: so when this fill's turn has come.
  drain();
  if (On.dead())
    return On.unusable();
  if (T.In != Place::Device) {
    memset(To, Byte, Bytes);
    return XCC_SUCCESS;
  }
  auto *First = static_cast<char *>(To);
  size_t Head = -reinterpret_cast<uintptr_t>(To) & 3;
  size_t Words = (Bytes - Head) / 4, Tail = Bytes - Head - Words * 4;
  uint32_t Word = static_cast<unsigned char>(Byte) * 0x01010101u;
  Status S = Hsa.amd_memory_fill(First + Head, Word, Words);
  if (S != StatusSuccess)
    return On.failed("hsa_amd_memory_fill", S);
  std::lock_guard Lock(CopyMutex);
  Agent A = T.Owner->Facts.Handle;
  XCC_TRY(stagedFill(First, A, Byte, Head));
  return stagedFill(First + Bytes - Tail, A, Byte, Tail);
}

} // namespace xcc::rt::hsa
