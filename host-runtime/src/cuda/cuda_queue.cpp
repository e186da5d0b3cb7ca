// Streams of an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../allocations.h"
#include "../process/log.h"
#include "../process/trace.h"
#include "../services/host_services.h"
#include "gpu.h"

#include <cstring>
#include <new>

namespace xcc::rt::cuda {

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The driver's launch. The arguments go over as the bytes they are; it copies
/// them before it returns.
inline Result CudaQueue::start(const LaunchRequest &R) {
  auto *K = static_cast<const CudaKernel *>(R.Function);
  size_t Size = K->KernargSize;
  void *Extra[] = {LaunchBuffer, const_cast<void *>(R.Kernarg),
                   LaunchBufferSize, &Size, LaunchEnd};
  return TheDriver.LaunchKernel(
      K->Code, R.Grid[0], R.Grid[1], R.Grid[2], R.Block[0], R.Block[1],
      R.Block[2], R.SharedBytes, Work, nullptr, Size ? Extra : nullptr);
}

/// Without regard to calls of the host.
inline xcc_status CudaQueue::launchAlone(const LaunchRequest &R) {
  auto *K = static_cast<const CudaKernel *>(R.Function);
  if (!On.isEntered()) [[unlikely]]
    XCC_TRY(On.enter());
  if (R.SharedBytes > K->Dynamic.load(std::memory_order_relaxed)) [[unlikely]]
    XCC_TRY(moreShared(R));
  uint64_t Begin = trace::enabled() ? trace::now() : 0;
  if (Result Status = start(R)) [[unlikely]]
    return launchFailed(R, Status);
  Launches.add(R, On.nextOrder());
  if (Begin) [[unlikely]]
    trace::add({K->TraceName, "launch", Begin, trace::now(), 0, 0, 0, false});
  return XCC_SUCCESS;
}

xcc_status CudaQueue::launch(const LaunchRequest &R) {
  if (R.Function->CallsHost) [[unlikely]]
    return launchCalling(R);
  return launchAlone(R);
}

/// The host listens from before the kernel begins until it has ended.
xcc_status CudaQueue::launchCalling(const LaunchRequest &R) {
  beginCalls(On);
  if (xcc_status Status = launchAlone(R); Status != XCC_SUCCESS) {
    endCalls(On);
    return Status;
  }
  // Not called when the context is lost; fault() ends the calls then.
  Result Told = TheDriver.LaunchHostFunc(
      Work, [](void *Data) { endCalls(*static_cast<CudaDevice *>(Data)); },
      &On);
  if (Told == Success)
    return XCC_SUCCESS;
  if (killsContext(Told)) {
    endCalls(On);
    return launchFailed(R, Told);
  }
  Untold.fetch_add(1);
  XCC_LOG(Launch,
          "the end of '%s' is noticed only by a wait for its stream: %s",
          R.Function->Info->name, ResultText(Told).text());
  return XCC_SUCCESS;
}

/// The first \p Begun of the kernels that nobody will tell of have ended.
void CudaQueue::endUntold(uint32_t Begun) {
  uint32_t Was = UntoldEnded.load();
  while (int32_t(Begun - Was) > 0)
    if (UntoldEnded.compare_exchange_weak(Was, Begun)) {
      for (; Was != Begun; ++Was)
        endCalls(On);
      return;
    }
}

static const char *adviceFor(Result R) {
  if (R == LaunchOutOfResources)
    return "; a block of that size needs more registers than there are: "
           "launch fewer threads in a block (xcc_kernel_suggest_block)";
  return "";
}

xcc_status CudaQueue::launchFailed(const LaunchRequest &R, Result Why) {
  // Somebody else made another context current in this thread.
  if (Why == InvalidContext || Why == InvalidHandle || Why == NotInitialized) {
    XCC_TRY(On.enter());
    Why = start(R);
    if (Why == Success) {
      Launches.add(R, On.nextOrder());
      return XCC_SUCCESS;
    }
  }
  const char *Name = R.Function->Info->name;
  const char *File = R.File ? R.File : "";
  ErrorSite Site{Name, R.File, R.Line, On.ordinal()};
  if (killsContext(Why))
    if (xcc_error *Earlier = On.fault(Why)) {
      xcc_status Status = fail(XCC_ERROR_LAUNCH_FAILED, Site,
                               "launch of '%s' (%s:%u) was refused: %s", Name,
                               File, R.Line, xcc_error_message(Earlier));
      xcc_error_release(Earlier);
      return Status;
    }
  return fail(statusOf(Why), Site,
              "launch of '%s' (%s:%u) failed on device %d (%s): %s%s", Name,
              File, R.Line, On.ordinal(), On.id(), ResultText(Why).text(),
              adviceFor(Why));
}

Result CudaKernel::allowShared(CudaDevice &On) const {
  // All that the static part leaves: the limit says what may be asked for, not
  // what is taken.
  uint32_t Most = uint32_t(On.limits().Shared) - GroupSize;
  Result R =
      TheDriver.FuncSetAttribute(Code, FunctionMaxDynamicShared, int(Most));
  if (R == Success)
    Dynamic.store(Most, std::memory_order_relaxed);
  return R;
}

xcc_status CudaQueue::moreShared(const LaunchRequest &R) {
  XCC_TRY(On.enter());
  auto *K = static_cast<const CudaKernel *>(R.Function);
  Result Why = K->allowShared(On);
  if (Why == Success)
    return XCC_SUCCESS;
  if (killsContext(Why))
    return launchFailed(R, Why);
  const char *Name = K->Info->name;
  return fail(XCC_ERROR_INVALID_LAUNCH, {Name, R.File, R.Line, On.ordinal()},
              "launch of '%s' (%s:%u): device %d (%s) does not give it %u "
              "bytes of dynamic shared memory: %s",
              Name, R.File ? R.File : "", R.Line, On.ordinal(), On.id(),
              R.SharedBytes, ResultText(Why).text());
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

static Address addressOf(const void *Pointer) {
  return reinterpret_cast<uintptr_t>(Pointer);
}

/// Is memory that we did not allocate some other user's on a device?
static bool isForeign(const void *Pointer) {
  unsigned Where = 0;
  // An error means memory that the driver does not know: the host's.
  return TheDriver.PointerGetAttribute(&Where, PointerMemoryType,
                                       addressOf(Pointer)) == Success &&
         Where == MemoryTypeDevice;
}

/// The driver's copy of ranges that overlap is undefined: through other memory.
xcc_status CudaQueue::copyOverlapping(void *To, const void *From, size_t Size) {
  void *Between;
  XCC_TRY(On.allocateAsync(*this, Size, &Between));
  Address Middle = addressOf(Between);
  Result R = TheDriver.MemcpyAsync(Middle, addressOf(From), Size, Work);
  if (R == Success)
    R = TheDriver.MemcpyAsync(addressOf(To), Middle, Size, Work);
  xcc_status Freed = On.releaseAsync(*this, Between);
  if (R != Success)
    return On.failed(R, "a copy between overlapping ranges");
  return Freed;
}

static bool overlap(const void *A, const void *B, size_t Size) {
  uintptr_t First = uintptr_t(A), Second = uintptr_t(B);
  return (First < Second ? Second - First : First - Second) < Size;
}

xcc_status CudaQueue::copy(void *To, const void *From, size_t Size) {
  XCC_TRY(On.enter());
  Device *ToOn, *FromOn;
  XCC_TRY(checkRange(To, 1, ToOn));
  XCC_TRY(checkRange(From, 1, FromOn));
  if (To == From)
    return XCC_SUCCESS;
  if (overlap(To, From, Size)) [[unlikely]] {
    if (ToOn || isForeign(To))
      return copyOverlapping(To, From, Size);
    drain(); // the host copies, when its turn has come
    memmove(To, From, Size);
    return XCC_SUCCESS;
  }
  Result R;
  if (ToOn && FromOn && ToOn != FromOn) {
    auto &A = static_cast<CudaDevice &>(*ToOn);
    auto &B = static_cast<CudaDevice &>(*FromOn);
    // Whichever side this queue is on reaches for the other.
    On.reachPeer(&A == &On ? B : A);
    R = TheDriver.MemcpyPeerAsync(addressOf(To), A.context(), addressOf(From),
                                  B.context(), Size, Work);
  } else {
    // All addresses are of one space: the driver sees which side is where.
    R = TheDriver.MemcpyAsync(addressOf(To), addressOf(From), Size, Work);
  }
  if (R == Success)
    return XCC_SUCCESS;
  char What[64];
  snprintf(What, sizeof(What), "the copy of %zu bytes", Size);
  return On.failed(R, What);
}

namespace {
struct HostFill {
  void *To;
  int Byte;
  size_t Size;
};
} // namespace

/// The driver's fill takes device memory only.
xcc_status CudaQueue::fillHost(void *To, int Byte, size_t Size) {
  auto *F = new (std::nothrow) HostFill{To, Byte, Size};
  if (!F)
    return fail(XCC_ERROR_OUT_OF_MEMORY, On.site(), "out of memory for a fill");
  Result R = TheDriver.LaunchHostFunc(
      Work,
      [](void *Data) {
        auto *F = static_cast<HostFill *>(Data);
        memset(F->To, F->Byte, F->Size);
        delete F;
      },
      F);
  if (R == Success)
    return XCC_SUCCESS;
  delete F;
  return On.failed(R, "a fill of host memory");
}

xcc_status CudaQueue::fill(void *To, int Byte, size_t Size) {
  XCC_TRY(On.enter());
  Device *Owner;
  XCC_TRY(checkRange(To, 1, Owner));
  if (Owner && Owner != &On) {
    // In the other device's own stream, and in order all the same.
    drain();
    Queue *Other;
    XCC_TRY(Owner->defaultQueue(&Other));
    XCC_TRY(Other->fill(To, Byte, Size));
    Other->drain();
    return XCC_SUCCESS;
  }
  if (!Owner && !isForeign(To))
    return fillHost(To, Byte, Size);
  Result R = TheDriver.MemsetD8Async(
      addressOf(To), static_cast<unsigned char>(Byte), Size, Work);
  if (R == Success)
    return XCC_SUCCESS;
  char What[64];
  snprintf(What, sizeof(What), "the fill of %zu bytes", Size);
  return On.failed(R, What);
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

void CudaQueue::keep(xcc_error *Error) {
  xcc_error *None = nullptr;
  if (Error && !Pending.compare_exchange_strong(None, Error))
    xcc_error_release(Error);
}

void CudaQueue::drain() {
  if (On.ended())
    return;
  if (On.enter() != XCC_SUCCESS)
    return On.ended() ? void() : keep(xcc_error_capture());
  uint64_t Mark = Launches.mark();
  uint32_t Calling = Untold.load();
  Result R = TheDriver.StreamSynchronize(Work);
  if (R == Success) {
    Launches.ended(Mark);
    endUntold(Calling);
  } else
    keep(On.lateFailure(R));
}

bool CudaQueue::idle() {
  if (On.ended())
    return true;
  if (On.enter() != XCC_SUCCESS) {
    keep(xcc_error_capture());
    return true;
  }
  uint64_t Mark = Launches.mark();
  uint32_t Calling = Untold.load();
  Result R = TheDriver.StreamQuery(Work);
  if (R == NotReady)
    return false;
  if (R == Success) {
    Launches.ended(Mark);
    endUntold(Calling);
  } else
    keep(On.lateFailure(R));
  return true;
}

xcc_error *CudaQueue::takeError() {
  if (Pending.load(std::memory_order_acquire)) [[unlikely]]
    if (xcc_error *Error = Pending.exchange(nullptr))
      return Error;
  return On.deadError();
}

xcc_status CudaQueue::record(Event &Point) {
  auto &E = static_cast<CudaEvent &>(Point);
  XCC_TRY(On.enter());
  uint64_t Mark = Launches.mark();
  if (Result R = TheDriver.EventRecord(E.Handle, Work))
    return On.failed(R, "recording an event");
  E.Mark.store(Mark, std::memory_order_relaxed);
  E.Use.store(use(), std::memory_order_relaxed);
  E.At.store(this, std::memory_order_release);
  return XCC_SUCCESS;
}

xcc_status CudaQueue::wait(Event &Point) {
  auto &E = static_cast<CudaEvent &>(Point);
  CudaQueue *At = E.At.load(std::memory_order_acquire);
  if (!At || At == this)
    return XCC_SUCCESS; // nothing to wait for, or in order anyway
  XCC_TRY(On.enter());
  if (Result R = TheDriver.StreamWaitEvent(Work, E.Handle, 0))
    return On.failed(R, "making a stream wait for an event");
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cuda
