// The process's devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "context.h"
#include "cpu/faults.h"
#include "device_choice.h"
#include "process/log.h"
#include "process/settings.h"
#include "process/thread_state.h"
#include "process/trace.h"
#include "services/host_services.h"

#include "rpc/fork_mark.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <pthread.h>
#include <semaphore.h>

extern "C" int __cxa_atexit(void (*)(void *), void *, void *) noexcept;

namespace xcc::rt {

namespace {
/// Found once; never freed, because threads may use it until the process ends.
struct Context {
  DeviceList List;
  /// The device of threads that have set none; null until one was chosen.
  std::atomic<Device *> Default{nullptr};
  /// What is wrong with a setting; null when nothing is.
  xcc_error *BadSetting = nullptr;
};
} // namespace

static std::atomic<Context *> TheContext{nullptr};
static std::mutex ContextMutex;
static constinit rpc::ForkMark Fork;
static std::atomic<bool> LeftBehind{false};
/// Posted when the process exits, before shutDown(). A library that contains
/// the runtime can also be unloaded; then nobody posts it.
static sem_t *ProcessExits;

xcc_error *hearErrors(Device &D) {
  if (xcc_error *Error = D.takeError())
    return Error;
  while (xcc_error *Error = D.Orphans.take()) {
    if (!wasReported(Error))
      return Error;
    xcc_error_release(Error);
  }
  return nullptr;
}

xcc_error *takeOwnErrors(Device &D) {
  if (xcc_error *Error = D.takeOwnError())
    return Error;
  while (xcc_error *Error = D.Orphans.takeOwn()) {
    if (!wasReported(Error))
      return Error;
    xcc_error_release(Error);
  }
  return nullptr;
}

/// How many failures of a device the end of the process tells of.
static constexpr int MaxLost = 16;

static void shutDown() {
  Context *C = TheContext.load(std::memory_order_acquire);
  if (!C || forked())
    return;
  // A device's thread called exit, and waits until this is done.
  exitBegins();
  if (exitingFromDevice()) {
    trace::finish();
    return;
  }
  int Exits = 1;
  if (ProcessExits)
    sem_getvalue(ProcessExits, &Exits);
  for (Device *D : C->List.Devices) {
    if (D->finish(!Exits)) {
      stopServices(*D);
      D->shutDown();
    } else {
      LeftBehind.store(true);
    }
    // The program ended without synchronising; this is the last chance to say
    // so.
    for (int I = 0; I != MaxLost; ++I) {
      xcc_error *Lost = hearErrors(*D);
      if (!Lost)
        break;
      if (!wasReported(Lost))
        complain("a kernel failed and nothing synchronised with it: %s",
                 xcc_error_message(Lost));
      xcc_error_release(Lost);
    }
  }
  trace::finish();
  if (!leftBehind())
    stopThreadCleanup();
}

/// There in programs with ThreadSanitizer, of which this library need have none.
extern "C" __attribute__((weak)) void __tsan_init(void);

/// Arranges for shutDown().
static void atEnd() {
  atexit(shutDown);
  if (__tsan_init)
    return; // its wrapper of such handlers waits for itself
  // What runs at the process's end alone must not lie in a library that may
  // be unloaded before, so it is the C library's.
  auto *Exits = new (std::nothrow) sem_t;
  if (!Exits || sem_init(Exits, 0, 0) != 0)
    return;
  auto Post = reinterpret_cast<void (*)(void *)>(sem_post);
  if (__cxa_atexit(Post, Exits, nullptr) == 0)
    ProcessExits = Exits;
}

[[gnu::cold, gnu::noinline]] static Context *start() {
  std::lock_guard Lock(ContextMutex);
  if (Context *C = TheContext.load(std::memory_order_relaxed))
    return C;
  trace::start();
  Context *C = nullptr;
  try {
    C = new Context;
    findDevices(C->List);
    C->BadSetting = checkWanted(C->List);
  } catch (const std::bad_alloc &) {
    delete C;
    return nullptr;
  }
  if (!C->BadSetting && checkSettings() != XCC_SUCCESS)
    C->BadSetting = xcc_error_capture();
  // The child of a fork has none of our threads.
  Fork.set();
  pthread_atfork(nullptr, nullptr, [] { Fork.clear(); });
  atEnd();
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
  if (forked()) [[unlikely]]
    return fail(XCC_ERROR_SYSTEM,
                "this process was forked from one that had used its devices; "
                "use xcc after exec, or fork before the first use");
  if (leftBehind()) [[unlikely]]
    return fail(XCC_ERROR_SYSTEM, "the process ends, and a kernel that still "
                                  "runs was left behind");
  return XCC_SUCCESS;
}

bool forked() { return Fork.inChild(); }

bool leftBehind() { return LeftBehind.load(std::memory_order_relaxed); }

bool started() {
  return !exitingFromDevice() && !leftBehind() &&
         TheContext.load(std::memory_order_acquire) && !forked();
}

static xcc_status settingsOf(const Context &C) {
  return C.BadSetting ? failWith(xcc_error_retain(C.BadSetting)) : XCC_SUCCESS;
}

/// Chooses once for all threads. A failure is not kept: a library that is
/// loaded later may bring what was missing.
[[gnu::cold, gnu::noinline]] static xcc_status choose(Context &C,
                                                      Device *&Out) {
  std::lock_guard Lock(ContextMutex);
  Out = C.Default.load(std::memory_order_acquire);
  if (Out)
    return XCC_SUCCESS;
  XCC_TRY(settingsOf(C));
  int Ordinal = 0;
  try {
    if (xcc_error *Why = chooseDevice(C.List, Ordinal))
      return failWith(Why);
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory choosing a device");
  }
  Out = C.List.Devices[size_t(Ordinal)];
  XCC_LOG(
      Load, "device %d (%s) chosen%s%s", Ordinal, Out->id(),
      C.List.Wanted.empty() ? "" : " by XCC_DEVICE=", C.List.Wanted.c_str());
  C.Default.store(Out, std::memory_order_release);
  return XCC_SUCCESS;
}

xcc_status currentDevice(Device *&Out) {
  Context *C;
  XCC_TRY(context(C));
  Out = peekThreadState().Current;
  if (!Out) [[likely]]
    Out = C->Default.load(std::memory_order_acquire);
  if (!Out) [[unlikely]]
    return choose(*C, Out);
  return XCC_SUCCESS;
}

xcc_status findDevice(int Ordinal, Device *&Out) {
  if (Ordinal == -1)
    return currentDevice(Out);
  Context *C;
  XCC_TRY(context(C));
  XCC_TRY(settingsOf(*C));
  int Count = int(C->List.Devices.size());
  if (Ordinal < 0 || Ordinal >= Count)
    return fail(XCC_ERROR_INVALID_DEVICE,
                "there is no device %d; this machine has %d, counted from 0",
                Ordinal, Count);
  Out = C->List.Devices[size_t(Ordinal)];
  return XCC_SUCCESS;
}

xcc_status queueOf(xcc_stream *Stream, Device *&On, Queue *&Out) {
  if (!Stream) {
    XCC_TRY(currentDevice(On));
    return On->defaultQueue(&Out);
  }
  if (forked() || leftBehind()) [[unlikely]] {
    Context *C;
    return context(C);
  }
  On = Stream->On;
  Out = Stream->Work;
  return XCC_SUCCESS;
}

} // namespace xcc::rt

using namespace xcc::rt;

xcc_status xcc_device_count(int *Count) {
  if (!Count)
    return fail(XCC_ERROR_INVALID_VALUE, "xcc_device_count: count is null");
  Context *C;
  XCC_TRY(context(C));
  *Count = int(C->List.Devices.size());
  return XCC_SUCCESS;
}

xcc_status xcc_device_get_properties(int Ordinal, xcc_device_properties *Out) {
  if (!Out)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_device_get_properties: properties is null");
  Device *D;
  XCC_TRY(findDevice(Ordinal, D));
  *Out = {};
  D->properties(*Out);
  Out->kind = D->kind().Kind;
  Out->id = D->id();
  return XCC_SUCCESS;
}

xcc_status xcc_device_get_current(int *Ordinal) {
  if (!Ordinal)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_device_get_current: device is null");
  Device *D;
  XCC_TRY(currentDevice(D));
  *Ordinal = D->ordinal();
  return XCC_SUCCESS;
}

xcc_status xcc_device_set_current(int Ordinal) {
  Device *D;
  if (Ordinal < 0)
    return fail(XCC_ERROR_INVALID_DEVICE, "there is no device %d", Ordinal);
  XCC_TRY(findDevice(Ordinal, D));
  threadState().Current = D;
  return XCC_SUCCESS;
}

int xcc_signal_action(int Signal, const struct sigaction *New,
                      struct sigaction *Old) {
  return cpu::signalAction(Signal, New, Old);
}

xcc_status xcc_device_set_stack(int Ordinal, size_t Bytes) {
  Device *D;
  XCC_TRY(findDevice(Ordinal, D));
  size_t Most = D->mostStack();
  if (!Most)
    return fail(XCC_ERROR_INVALID_DEVICE,
                "xcc_device_set_stack: device %d (%s) is no GPU; "
                "XCC_CPU_STACK=<bytes> is the stack of its threads",
                D->ordinal(), D->id());
  if (Bytes < Device::LeastStack || Bytes > Most)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_device_set_stack: %zu bytes; device %d (%s) gives a "
                "thread from %zu to %zu",
                Bytes, D->ordinal(), D->id(), Device::LeastStack, Most);
  D->WantedStack = (Bytes + 15) / 16 * 16;
  return XCC_SUCCESS;
}

xcc_status xcc_device_synchronize(int Ordinal) {
  Device *D;
  XCC_TRY(mayWait("xcc_device_synchronize"));
  XCC_TRY(findDevice(Ordinal, D));
  D->drain();
  return report(hearErrors(*D));
}
