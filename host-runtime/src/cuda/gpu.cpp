// The context of an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu.h"
#include "common/stacks.h"
#include "process/log.h"

#include <algorithm>
#include <new>

namespace xcc::rt::cuda {

thread_local constinit const CudaDevice *CudaDevice::entered = nullptr;

xcc_status CudaDevice::retain() {
  std::lock_guard lock(mutex);
  if (ctx.load(std::memory_order_relaxed))
    return XCC_SUCCESS;
  Context c = nullptr;
  if (Result r = theDriver.DevicePrimaryCtxRetain(&c, number))
    return fail(statusOf(r), site(), "device %d (%s) cannot be used: %s%s",
                ordinal(), id(), ResultText(r).text(),
                r == DeviceUnavailable
                    ? "; another process uses it exclusively (nvidia-smi shows "
                      "the compute mode)"
                : r == OutOfMemory
                    ? "; nvidia-smi shows which processes use its memory"
                    : "");
  XCC_LOG(Device, "device %d (%s, %s): context made", ordinal(), name.c_str(),
          arch.c_str());
  ctx.store(c, std::memory_order_release);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::enter() {
  if (ended())
    return fail(XCC_ERROR_SYSTEM, site(),
                "device %d (%s) was used after the program's end", ordinal(),
                id());
  if (givenUp.load(std::memory_order_acquire)) [[unlikely]]
    return failWith(unusableError());
  if (!context())
    XCC_TRY(retain());
  // Other users of CUDA may have made their context current in this thread.
  Context now = nullptr;
  if (theDriver.CtxGetCurrent(&now) != Success || now != context())
    if (Result r = theDriver.CtxSetCurrent(context())) {
      // The driver's own exit handler may run before ours.
      if (r == Deinitialized)
        ended_.store(true, std::memory_order_release);
      return failed(r, "making its context current");
    }
  entered = this;
  return XCC_SUCCESS;
}

void CudaDevice::reachPeer(CudaDevice &other) {
  std::lock_guard lock(mutex);
  if (std::find(peers.begin(), peers.end(), &other) != peers.end())
    return;
  // Without peer access the driver copies through the host. That is only
  // slower, so no result here is an error.
  int can = 0;
  Result r = theDriver.DeviceCanAccessPeer(&can, number, other.number);
  if (r == Success && can)
    r = theDriver.CtxEnablePeerAccess(other.context(), 0);
  // Memory pools have their own access rights.
  if (MemoryPool pool = can ? other.pool() : nullptr) {
    AccessDescription mine{LocationDevice, number, AccessReadWrite};
    if (Result bad = theDriver.MemPoolSetAccess(pool, &mine, 1))
      XCC_LOG(Device,
              "device %d does not reach the memory pool of device %d: %s",
              ordinal(), other.ordinal(), ResultText(bad).text());
  }
  XCC_LOG(Device, "device %d reaches the memory of device %d%s", ordinal(),
          other.ordinal(),
          can && (r == Success || r == PeerAccessAlreadyEnabled)
              ? " directly"
              : " through the host");
  try {
    peers.push_back(&other);
  } catch (const std::bad_alloc &) {
    // The next call tries again.
  }
}

/// Enlarges the stack of threads. By default the driver adds 1 KiB to what it
/// knows to be needed: about twenty levels of a recursive function. The limit
/// belongs to the context; it only grows.
xcc_status CudaDevice::enlargeStack(const xcc_kernel_info &kernel,
                                    const ErrorSite &site) {
  size_t wanted, now = 0;
  XCC_TRY(requestedStack(*this, Settings[0], wanted));
  std::lock_guard lock(mutex);
  noteGuessedStack(&kernel, 1024);
  if (!theDriver.CtxGetLimit || !theDriver.CtxSetLimit ||
      theDriver.CtxGetLimit(&now, LimitStackSize) != Success)
    return XCC_SUCCESS;
  noteGuessedStack(&kernel, std::max(now, wanted));
  if (now >= wanted)
    return XCC_SUCCESS;
  if (Result r = theDriver.CtxSetLimit(LimitStackSize, wanted))
    return fail(statusOf(r), site,
                "device %d (%s) cannot give each thread of kernel '%s' %zu "
                "bytes of stack: %s; set a smaller XCC_CUDA_STACK=<bytes>",
                ordinal(), id(), site.kernel, wanted, ResultText(r).text());
  XCC_LOG(Device, "device %d: %zu bytes of stack for each thread", ordinal(),
          wanted);
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cuda
