// The process's devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "context.h"
#include "allocations.h"
#include "choice.h"
#include "images/registry.h"
#include "process/environment.h"
#include "process/log.h"
#include "process/profile.h"
#include "process/settings.h"
#include "process/thread_state.h"
#include "process/trace.h"
#include "records/launch_recorder.h"
#include "services/host_services.h"
#include "unwritten_wait.h"

#include "rpc/fork_mark.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

extern "C" int __cxa_atexit(void (*)(void *), void *, void *) noexcept;

namespace xcc::rt {

namespace {
/// Made once; never freed, because threads may use it until the process ends.
struct Context {
  DeviceList list;
  /// The device of threads that have set none; null until one is chosen.
  std::atomic<Device *> preferred{nullptr};
  /// The error in a setting; null if there is none.
  xcc_error *badSetting = nullptr;
};
} // namespace

static std::atomic<Context *> theContext{nullptr};
static std::mutex contextMutex;
static constinit rpc::ForkMark fork;
static std::atomic<bool> wasLeftBehind{false};
static std::atomic<bool> mainReturned{false};
static int mainStatus;
/// A device whose work the exiting process does not wait for.
static std::atomic<Device *> given{nullptr};
/// Posted when the process exits, before shutDown(). A library that contains
/// the runtime can also be unloaded; then it is not posted.
static sem_t *processExits;

/// The first of the errors that `take` gives, of those that destroyed streams
/// left, that has not been reported.
static xcc_error *takeUnreported(Device &d,
                                 xcc_error *(PendingErrors::*take)()) {
  while (xcc_error *error = (d.orphans.*take)()) {
    if (!wasReported(error))
      return error;
    xcc_error_release(error);
  }
  return nullptr;
}

xcc_error *takeDeviceErrors(Device &d) {
  xcc_error *error = d.takeError();
  return error ? error : takeUnreported(d, &PendingErrors::take);
}

xcc_error *takeOwnErrors(Device &d) {
  xcc_error *error = d.takeOwnError();
  return error ? error : takeUnreported(d, &PendingErrors::takeOwn);
}

/// The most failures of a device that are reported at the end of the process.
static constexpr int MaxReported = 16;

static void shutDown() {
  Context *c = theContext.load(std::memory_order_acquire);
  if (!c || forked())
    return;
  // A device's thread called exit, and waits until the exit handlers are done.
  exitBegins();
  if (exitingFromDevice()) {
    profile::finish();
    trace::finish();
    return;
  }
  stopWaitWatch();
  int exits = 1;
  if (processExits)
    sem_getvalue(processExits, &exits);
  for (Device *d : c->list.devices) {
    bool ends = d != given.load() && d->finish(!exits, nullptr);
    if (ends && beginDestructors(*d)) {
      ends = d->finish(!exits, nullptr);
      if (ends)
        endDestructors(*d);
    }
    if (ends) {
      stopServices(*d);
      d->shutDown();
    } else {
      wasLeftBehind.store(true);
    }
    // The program ended without synchronising, so report failures now.
    for (int i = 0; i != MaxReported; ++i) {
      xcc_error *failure = takeDeviceErrors(*d);
      if (!failure)
        break;
      if (!wasReported(failure))
        complain("a kernel failed and nothing synchronised with it: %s",
                 xcc_error_message(failure));
      xcc_error_release(failure);
    }
  }
  reportUnmappedRegistrations();
  profile::finish();
  trace::finish();
  records::finish();
  if (!leftBehind())
    stopThreadCleanup();
}

/// Defined in programs with ThreadSanitizer, for which this library may not be
/// built.
extern "C" __attribute__((weak)) void __tsan_init(void);

/// Registers shutDown().
static void atEnd() {
  atexit(shutDown);
  if (__tsan_init)
    return; // its wrapper of such handlers would wait for itself
  // A handler that runs only at the process's end must not lie in a library
  // that may be unloaded before. So it is a function of the C library.
  auto *exits = new (std::nothrow) sem_t;
  if (!exits || sem_init(exits, 0, 0) != 0)
    return;
  auto post = reinterpret_cast<void (*)(void *)>(
      reinterpret_cast<void (*)()>(sem_post));
  if (__cxa_atexit(post, exits, nullptr) == 0)
    processExits = exits;
}

void discardAtUnload() {
  Context *c = theContext.load(std::memory_order_acquire);
  int exits = 1;
  if (processExits)
    sem_getvalue(processExits, &exits);
  if (!c || exits || forked() || exitingFromDevice() ||
      wasLeftBehind.exchange(true))
    return;
  for (Device *d : c->list.devices)
    d->discard();
}

static void nameDevices(const DeviceList &list) {
  for (Device *d : list.devices) {
    xcc_device_properties p{};
    d->properties(p);
    profile::nameDevice(d->ordinal(), d->id(), p.name);
  }
}

/// Collects times in a process that ends without shutDown().
static void collectTimes() {
  if (Context *c = theContext.load(std::memory_order_acquire))
    for (Device *d : c->list.devices)
      d->collectTimes();
}

[[gnu::cold, gnu::noinline]] static Context *start() {
  std::lock_guard lock(contextMutex);
  if (Context *c = theContext.load(std::memory_order_relaxed))
    return c;
  helpWithEnvironment();
  trace::start();
  profile::start(collectTimes);
  Context *c = nullptr;
  try {
    c = new Context;
    findDevices(c->list);
    if (profile::enabled())
      nameDevices(c->list);
    c->badSetting = checkRequested(c->list);
  } catch (const std::bad_alloc &) {
    delete c;
    return nullptr;
  }
  if (!c->badSetting &&
      (checkSettings() != XCC_SUCCESS || records::start() != XCC_SUCCESS))
    c->badSetting = xcc_error_capture();
  // The child of a fork has none of the runtime's threads.
  fork.set();
  pthread_atfork(nullptr, nullptr, [] { fork.clear(); });
  atEnd();
  theContext.store(c, std::memory_order_release);
  return c;
}

static xcc_status context(Context *&out) {
  out = theContext.load(std::memory_order_acquire);
  if (!out) [[unlikely]] {
    out = start();
    if (!out)
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

bool forked() { return fork.inChild(); }

bool leftBehind() { return wasLeftBehind.load(std::memory_order_relaxed); }

void mainReturns(int status) {
  mainStatus = status;
  mainReturned.store(true);
}

void endOrExit(Device &d, Queue *only) {
  if (!mainReturned.load(std::memory_order_relaxed)) [[likely]]
    return;
  if (leftBehind() || gettid() != getpid() ||
      d.finish(/*unloading=*/false, only))
    return;
  given.store(&d);
  wasLeftBehind.store(true);
  exit(mainStatus);
}

bool started() {
  return !exitingFromDevice() && !leftBehind() &&
         theContext.load(std::memory_order_acquire) && !forked();
}

static xcc_status settingsOf(const Context &c) {
  return c.badSetting ? failWith(xcc_error_retain(c.badSetting)) : XCC_SUCCESS;
}

/// Chooses a device once for all threads. A failure is not kept, because a
/// library that is loaded later may contain the missing image.
[[gnu::cold, gnu::noinline]] static xcc_status choose(Context &c,
                                                      Device *&out) {
  std::lock_guard lock(contextMutex);
  out = c.preferred.load(std::memory_order_acquire);
  if (out)
    return XCC_SUCCESS;
  XCC_TRY(settingsOf(c));
  int ordinal = 0;
  try {
    if (xcc_error *why = chooseDevice(c.list, ordinal))
      return failWith(why);
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory choosing a device");
  }
  out = c.list.devices[size_t(ordinal)];
  XCC_LOG(
      Load, "device %d (%s) chosen%s%s", ordinal, out->id(),
      c.list.wanted.empty() ? "" : " by XCC_DEVICE=", c.list.wanted.c_str());
  c.preferred.store(out, std::memory_order_release);
  return XCC_SUCCESS;
}

xcc_status currentDevice(Device *&out) {
  Context *c;
  XCC_TRY(context(c));
  out = peekThreadState().current;
  if (!out) [[likely]]
    out = c->preferred.load(std::memory_order_acquire);
  if (!out) [[unlikely]]
    return choose(*c, out);
  return XCC_SUCCESS;
}

xcc_status findDevice(int ordinal, Device *&out) {
  if (ordinal == -1)
    return currentDevice(out);
  Context *c;
  XCC_TRY(context(c));
  XCC_TRY(settingsOf(*c));
  int count = int(c->list.devices.size());
  if (ordinal < 0 || ordinal >= count)
    return fail(XCC_ERROR_INVALID_DEVICE,
                "there is no device %d; this machine has %d, counted from 0",
                ordinal, count);
  out = c->list.devices[size_t(ordinal)];
  return XCC_SUCCESS;
}

xcc_status queueOf(xcc_stream *stream, Device *&on, Queue *&out,
                   const char *call) {
  Recording *recording;
  XCC_TRY(queueOf(stream, on, out, recording));
  return recording ? rejectRecorded(*stream, call) : XCC_SUCCESS;
}

xcc_status queueOf(xcc_stream *stream, Device *&on, Queue *&out,
                   Recording *&recording) {
  if (!stream) {
    XCC_TRY(currentDevice(on));
    recording = nullptr;
    if (recordings.load(std::memory_order_relaxed)) [[unlikely]]
      XCC_TRY(checkDefaultStream());
    return on->defaultQueue(&out);
  }
  if (forked() || leftBehind()) [[unlikely]] {
    Context *c;
    return context(c);
  }
  on = stream->on;
  out = stream->work;
  recording = stream->recording.load(std::memory_order_relaxed);
  return XCC_SUCCESS;
}

xcc_status listDevices(std::span<Device *const> &out) {
  Context *c;
  XCC_TRY(context(c));
  out = c->list.devices;
  return XCC_SUCCESS;
}

} // namespace xcc::rt
