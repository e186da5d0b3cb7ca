//===-- context.cpp - The process's devices -------------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "context.h"
#include "cpu/cpu_device.h"
#include "log.h"
#include "thread_state.h"
#include "trace.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>

namespace xcc::rt {

namespace {
/// Found once; never freed, because threads may use it until the process ends.
struct Context {
  Device *Host = nullptr;
  /// What is wrong with XCC_DEVICE or another setting; empty when nothing is.
  xcc_error *BadSetting = nullptr;
};
} // namespace

static std::atomic<Context *> TheContext{nullptr};
static std::mutex ContextMutex;
static std::atomic<bool> Forked{false};

/// Reads XCC_DEVICE. The host device is the only one of this build.
static xcc_error *checkDeviceSetting() {
  const char *Wanted = getenv("XCC_DEVICE");
  if (!Wanted || !*Wanted || !strcmp(Wanted, "host") ||
      !strcmp(Wanted, "cpu") || !strcmp(Wanted, "host:0"))
    return nullptr;
  if (!strncmp(Wanted, "cuda", 4) || !strncmp(Wanted, "hsa", 3))
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "XCC_DEVICE=%s: not available in this build or on this "
                     "machine; available: host",
                     Wanted);
  return makeError(XCC_ERROR_INVALID_DEVICE, {},
                   "XCC_DEVICE=%s: no such device; available: host", Wanted);
}

static void shutDown() {
  Context *C = TheContext.load(std::memory_order_acquire);
  if (!C || Forked.load(std::memory_order_relaxed))
    return;
  C->Host->shutDown();
  if (xcc_error *Lost = C->Host->takeError()) {
    // The program ended without synchronising; this is the last chance to say.
    complain("a kernel failed and nothing synchronised with it: %s",
             xcc_error_message(Lost));
    xcc_error_release(Lost);
  }
  trace::finish();
  stopThreadCleanup();
}

[[gnu::cold, gnu::noinline]] static Context *start() {
  std::lock_guard Lock(ContextMutex);
  if (Context *C = TheContext.load(std::memory_order_relaxed))
    return C;
  auto *C = new (std::nothrow) Context;
  if (!C)
    return nullptr;
  C->BadSetting = checkDeviceSetting();
  trace::start();
  C->Host = cpu::createDevice(C->BadSetting);
  if (!C->Host) {
    delete C;
    return nullptr;
  }
  // The child of a fork has none of our threads.
  pthread_atfork(nullptr, nullptr, [] { Forked.store(true); });
  atexit(shutDown);
  TheContext.store(C, std::memory_order_release);
  return C;
}

static xcc_status context(Context *&Out) {
  Out = TheContext.load(std::memory_order_acquire);
  if (!Out) [[unlikely]] {
    Out = start();
    if (!Out)
      return fail(XCC_ERROR_OUT_OF_MEMORY,
                  "out of memory while starting the runtime");
  }
  if (Forked.load(std::memory_order_relaxed)) [[unlikely]]
    return fail(XCC_ERROR_SYSTEM,
                "this process was forked from one that had used its devices; "
                "use xcc after exec, or fork before the first use");
  return XCC_SUCCESS;
}

bool started() {
  return TheContext.load(std::memory_order_acquire) &&
         !Forked.load(std::memory_order_relaxed);
}

int deviceCount() { return 1; }

xcc_status currentDevice(DeviceRef &Out) {
  Context *C;
  XCC_TRY(context(C));
  if (C->BadSetting && threadState().Device == 0) [[unlikely]]
    return failWith(xcc_error_retain(C->BadSetting));
  Out = {C->Host, 0};
  return XCC_SUCCESS;
}

xcc_status findDevice(int Ordinal, DeviceRef &Out) {
  if (Ordinal == -1)
    return currentDevice(Out);
  Context *C;
  XCC_TRY(context(C));
  if (Ordinal < 0 || Ordinal >= deviceCount())
    return fail(XCC_ERROR_INVALID_DEVICE,
                "there is no device %d; this machine has %d, counted from 0",
                Ordinal, deviceCount());
  Out = {C->Host, Ordinal};
  return XCC_SUCCESS;
}

xcc_status queueOf(xcc_stream *Stream, DeviceRef &On, Queue *&Out) {
  if (!Stream) {
    XCC_TRY(currentDevice(On));
    return On.On->defaultQueue(&Out);
  }
  if (Forked.load(std::memory_order_relaxed)) [[unlikely]] {
    Context *C;
    return context(C);
  }
  On = {Stream->On, Stream->Ordinal};
  Out = Stream->Work;
  return XCC_SUCCESS;
}

} // namespace xcc::rt

using namespace xcc::rt;

xcc_status xcc_device_count(int *Count) {
  if (!Count)
    return fail(XCC_ERROR_INVALID_VALUE, "xcc_device_count: count is null");
  *Count = deviceCount();
  return XCC_SUCCESS;
}

xcc_status xcc_device_get_properties(int Ordinal, xcc_device_properties *Out) {
  if (!Out)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_device_get_properties: properties is null");
  DeviceRef D;
  XCC_TRY(findDevice(Ordinal, D));
  D.On->properties(*Out);
  return XCC_SUCCESS;
}

xcc_status xcc_device_get_current(int *Ordinal) {
  if (!Ordinal)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_device_get_current: device is null");
  DeviceRef D;
  XCC_TRY(currentDevice(D));
  *Ordinal = D.Ordinal;
  return XCC_SUCCESS;
}

xcc_status xcc_device_set_current(int Ordinal) {
  DeviceRef D;
  if (Ordinal < 0)
    return fail(XCC_ERROR_INVALID_DEVICE, "there is no device %d", Ordinal);
  XCC_TRY(findDevice(Ordinal, D));
  threadState().Device = Ordinal + 1;
  return XCC_SUCCESS;
}

xcc_status xcc_device_synchronize(int Ordinal) {
  DeviceRef D;
  XCC_TRY(findDevice(Ordinal, D));
  D.On->drain();
  return report(D.On->takeError());
}
