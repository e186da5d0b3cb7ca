// The runtime functions that kernels call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services.h"
#include "cpu/workers/fiber.h"
#include "cpu/workers/guards.h"
#include "cpu/workers/here.h"
#include "cpu/workers/sanitizer.h"
#include "cpu/workers/worker.h"
#include "process/thread_state.h"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <sched.h>
#include <unwind.h>

namespace xcc::rt::cpu {

/// Ends a launch whose kernel called, through a pointer, code of another image
/// that needs more than the kernel was compiled for.
[[noreturn]] static void leaveUnprepared(Worker &w, const char *what) {
  Failure f;
  f.what = Failure::Trap;
  f.code = XCC_CPU_TRAP_ABORT;
  f.text = what;
  w.leave(f);
}

static xcc_cpu_thread *currentThread() {
  Worker *w = peekThreadState().worker;
  if (!w)
    return threadHere();
  xcc_cpu_thread *thread = w->currentThread();
  // A loop kernel fills in its record before it calls code that reads it.
  if (thread->block_index[0] == XCC_CPU_NOWHERE) [[unlikely]]
    leaveUnprepared(*w, "a function of another image needs the index of its "
                        "thread, and the kernel's image was linked without it; "
                        "name the library when the program is "
                        "linked");
  return thread;
}

static uint32_t barrier(uint32_t scope) {
  Worker *w = peekThreadState().worker;
  if (FiberGroup *fibers = w->activeFibers()) [[likely]]
    return fibers->barrier(scope);
  leaveUnprepared(*w, "a barrier was called in a kernel compiled without one");
}

XCC_RT_UNINSTRUMENTED static void trap(uint32_t kind, const char *text,
                                       const char *file, uint32_t line) {
  Worker *w = peekThreadState().worker;
  // Image code that runs outside a kernel, such as a constructor, has no
  // launch to fail.
  if (!w || !w->inKernel())
    abort();
  Failure f;
  f.what = Failure::Trap;
  f.code = kind;
  f.text = text;
  f.file = file;
  f.line = line;
  w->leave(f);
}

static int guardAcquire(uint64_t *guard) {
  Worker *w = peekThreadState().worker;
  if (acquireGuard(*guard, w->guards)) [[likely]]
    return 1;
  if (isMade(*guard))
    return 0;
  Failure f;
  f.what = Failure::Trap;
  f.code = XCC_CPU_TRAP_ABORT;
  f.text = "a static variable's initialiser uses the variable itself, or waits "
           "for other threads of its block";
  w->leave(f);
}

static void guardRelease(uint64_t *guard) {
  releaseGuard(*guard, peekThreadState().worker->guards);
}

/// The thread_local variables of a host thread that a kernel started.
static ThreadLocals &threadLocalsHere() {
  thread_local ThreadLocals own;
  return own;
}

static void guardAbort(uint64_t *guard) {
  abortGuard(*guard, peekThreadState().worker->guards);
}

static void *threadLocalAddress(const xcc_cpu_thread_local *variable) {
  Worker *w = peekThreadState().worker;
  if (!w || !w->inKernel()) {
    if (void *place = threadLocalsHere().find(*variable))
      return place;
    abort();
  }
  FiberGroup *fibers = w->activeFibers();
  if (!fibers)
    leaveUnprepared(
        *w, "a function of another image uses a thread_local variable, and the "
            "kernel's image was linked without it; name the library when the "
            "program is linked");
  if (void *place = fibers->threadLocals().find(*variable)) [[likely]]
    return place;
  leaveUnprepared(*w, "no memory for a thread_local variable");
}

static int threadAtExit(void (*destroy)(void *), void *object) {
  Worker *w = peekThreadState().worker;
  if (!w || !w->inKernel() || !w->activeFibers())
    return 0;
  if (!w->activeFibers()->threadLocals().atExit(destroy, object))
    leaveUnprepared(*w, "no memory to register a destructor");
  return 1;
}

static void threadEnd() {
  Worker *w = peekThreadState().worker;
  if (w && w->activeFibers())
    w->activeFibers()->threadLocals().runExits();
}

static void yield(uint32_t tries) {
  Worker *w = peekThreadState().worker;
  if (!w || !w->inKernel()) // a thread that a kernel started
    sched_yield();
  else if (FiberGroup *fibers = w->activeFibers())
    fibers->yield(tries);
  else
    w->backoff.tryAgain(*w, tries, 1);
}

namespace {
/// An exception of device code on its way through host code that called it.
struct OfDevice {
  void *pending;
};
} // namespace

/// Unwinds host frames up to a call by catchCall, or to a handler of theirs.
/// Returns if neither exists, or at a frame without an unwind table.
static void throwThroughHost(void *pending) {
  const std::exception_ptr exception =
      std::make_exception_ptr(OfDevice{pending});
  void *object;
  std::memcpy(&object, &exception, sizeof(object));
  // The reference that the catching thread releases.
  alignas(std::exception_ptr) char room[sizeof(exception)];
  auto *thrown = new (room) std::exception_ptr(exception);
  // Itanium C++ ABI: Exception Handling, 2.2.1 and 2.2.2.
  struct Globals {
    void *caught;
    unsigned uncaught;
  };
  auto &globals = *reinterpret_cast<Globals *>(abi::__cxa_get_globals());
  ++globals.uncaught;
  _Unwind_RaiseException(static_cast<_Unwind_Exception *>(object) - 1);
  --globals.uncaught;
  thrown->~exception_ptr();
}

/// Calls \p function and catches its exception. An exception of another
/// language continues to the handler of its own runtime. Without a function:
/// throws an exception that is pending in device code.
static int catchCall(void (*function)(void *), void *argument,
                     xcc_cpu_caught *caught) {
  if (!function) {
    throwThroughHost(argument);
    return 0;
  }
  try {
    function(argument);
    return 0;
  } catch (const abi::__forced_unwind &) {
    throw;
  } catch (const OfDevice &exception) {
    *caught = {exception.pending, nullptr};
    return 1;
  } catch (...) {
    std::exception_ptr pointer = std::current_exception();
    if (!pointer)
      throw;
    caught->type = abi::__cxa_current_exception_type();
    // The reference that the pointer holds now belongs to the caller.
    static_assert(sizeof(pointer) == sizeof(void *));
    std::memcpy(&caught->object, &pointer, sizeof(pointer));
    new (&pointer) std::exception_ptr;
    return 1;
  }
}

static void dropCaught(void *object) {
  std::exception_ptr pointer;
  std::memcpy(&pointer, &object, sizeof(pointer));
}

const xcc_cpu_services Services = {XCC_ABI_VERSION,
                                   0,
                                   currentThread,
                                   barrier,
                                   trap,
                                   guardAcquire,
                                   guardRelease,
                                   threadLocalAddress,
                                   threadAtExit,
                                   threadEnd,
                                   yield,
                                   catchCall,
                                   dropCaught,
                                   guardAbort};

} // namespace xcc::rt::cpu
