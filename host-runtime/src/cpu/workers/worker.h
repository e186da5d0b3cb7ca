// A thread that runs blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker has what a thread needs to run a kernel's blocks: block-shared
// memory, scratch, the exchange area of warp operations, fibers, and a way to
// leave a kernel that fails. Each pool thread owns one. A thread that
// synchronises borrows one when it first helps, and returns it when the thread
// ends.

#ifndef XCC_SRC_CPU_WORKERS_WORKER_H
#define XCC_SRC_CPU_WORKERS_WORKER_H

#include "dispatch.h"
#include "guards.h"
#include "sanitizer.h"
#include "wait_backoff.h"

#include "errors/thrown.h"
#include "rpc/services/image.h"
#include "rpc/services/thrown.h"

#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <typeinfo>

namespace xcc::rt {
class Sentence;
}

namespace xcc::rt::cpu {

class FiberGroup;

/// Why a kernel stopped; filled in by a trap or a fault handler.
struct Failure {
  enum Kind { None, Trap, Fault, OutOfMemory, Interrupted } what = None;
  uint32_t code = 0;     ///< xcc_cpu_trap_kind, or the signal's number
  int signalCode = 0;    ///< si_code of a fault
  uintptr_t address = 0; ///< of a fault
  bool stackOverflow = false;
  const char *text = nullptr; ///< of a trap; may be in the image
  const char *file = nullptr;
  uint32_t line = 0;
};

/// An exception that left a kernel, maybe from a library that it called.
class Thrown {
public:
  /// Calls a function. Returns true if an exception left it, and keeps the
  /// exception's text. A failing kernel leaves this frame without returning.
  template <class Fn> XCC_RT_UNINSTRUMENTED bool by(Fn call) {
    try {
      call();
      return false;
    } catch (const abi::__forced_unwind &) {
      // Do not swallow this exception: leave the kernel from here.
      leave("the thread was ended");
    } catch (const std::exception &e) {
      keep(e.what());
      thrown.what = text;
      thrown.type = abi::__cxa_current_exception_type()->name();
    } catch (...) {
      std::type_info *type = abi::__cxa_current_exception_type();
      thrown.type = type ? type->name() : "an exception of another language";
    }
    return true;
  }
  Failure failure() const {
    Failure f;
    f.what = Failure::Trap;
    f.code = thrown.type ? XCC_CPU_TRAP_THROWN : XCC_CPU_TRAP_EXCEPTION;
    f.text = thrown.type ? reinterpret_cast<const char *>(&thrown) : text;
    return f;
  }
  explicit Thrown(class Worker &w) : w(w) {}

private:
  void keep(const char *what) { strncpy(text, what, sizeof(text) - 1); }
  [[noreturn]] void leave(const char *what);
  Worker &w;
  char text[256] = {};
  xcc_thrown thrown = {};
};

class Worker {
public:
  /// The calling thread's worker, made if it has none. Returns null when memory
  /// ran out.
  static Worker *current();
  /// Puts the calling thread's worker on the free list.
  static void release(Worker *w);
  /// Frees the calling thread's worker and all unused ones, when the runtime is
  /// unloaded.
  static void discardUnused();

  /// A number that grows whenever a thread leaves a kernel after some blocks.
  static uint64_t progress();
  /// Prints on standard error which kernels run at the moment, and where.
  /// Returns false if none runs.
  static bool printRunning(const char *why);

  /// Prints that all threads of the running block wait without progress.
  void printWaiting() const;
  /// Prints that the C library ends the process. For the fault handler.
  void printAborted(const char *why, uint64_t freed) const;

  /// Calls \p fn(thread) with the system's thread number for each thread that
  /// runs blocks of the kernel at the moment.
  template <class Fn> static void forEachIn(const Kernel &running, Fn fn) {
    for (Worker *w = made.load(std::memory_order_acquire); w; w = w->next)
      if (w->inKernel_.load(std::memory_order_acquire) && w->runs(running))
        fn(w->thread_.load());
  }

  /// The number of this thread's share of a dispatch.
  unsigned share = 0;
  bool ofPool = false;    ///< the calling thread is a pool thread
  Worker *next = nullptr; ///< in the list of all workers
  /// Guards of static variables that the running kernel initialises.
  HeldGuards guards;
  /// How long threads of the running block have waited.
  WaitBackoff backoff;

  /// Under ThreadSanitizer: the root of the blocks that this thread runs. Made
  /// before the thread enqueues anything.
  sanitizer::Root root;

  /// Prepares for a dispatch's blocks. Returns false, with the failure
  /// recorded, when memory ran out.
  bool enter(const Dispatch &d);
  /// Runs blocks [first, last) of the entered dispatch. Returns false if the
  /// kernel failed; describe() says why.
  bool run(const Dispatch &d, uint64_t first, uint64_t last);
  /// Dispatches that one thread runs one after the other. next() returns null
  /// at the end.
  struct Series {
    virtual const Dispatch *next() = 0;

  protected:
    ~Series() = default;
  };
  /// Runs all blocks of each dispatch without a look at the queue in between.
  /// Only for loop kernels without private memory, and without a sanitizer.
  /// Returns false if the last dispatch failed.
  bool run(Series &all);
  /// An error that describes the failure; the caller owns it. Also the
  /// exception that left the kernel, if one did.
  xcc_error *describe(const Dispatch &d,
                      std::shared_ptr<ThrownException> &exception);

  /// How the last run ended.
  bool hasFaulted() const { return why.what == Failure::Fault; }
  bool wasInterrupted() const { return why.what == Failure::Interrupted; }

  //===--- For code called from a kernel and for the fault handler ---===//
  bool inKernel() const { return inKernel_.load(std::memory_order_relaxed); }
  /// Has this kernel been entered?
  bool runs(const Kernel &kernel) const;
  /// The address of the entered kernel's code.
  uintptr_t codeAddress() const;
  xcc_cpu_thread *currentThread() { return current_; }
  /// The fibers of the running kernel; null for a loop kernel.
  FiberGroup *activeFibers() { return active; }
  /// Addresses by which ThreadSanitizer orders the launch after earlier work
  /// and before later work.
  void *begun() const { return entered->begun; }
  void *done() const { return entered->done; }
  /// Ends the guarded call. \p why is copied with its text.
  [[noreturn]] void leave(const Failure &why);
  /// For the fault handler: records the failure and returns the value that the
  /// handler must load into rdi for xcc_rt_guarded_leave.
  void *faulted(const Failure &why);
  /// Is the address in the guard of one of the worker's stacks?
  bool inStackGuard(uintptr_t address) const;

private:
  friend class FiberGroup;
  /// The list of all workers.
  static std::atomic<Worker *> made;
  Worker() = default;
  ~Worker();
  static Worker *make();
  void attach();
  void detach();
  static void callBlocks(void *self);
  static void callSeries(void *self);
  bool call(void (*blocks)(void *));
  void begin(const Dispatch &d);
  bool freshShared();
  [[noreturn]] void leaveWithoutMemory();
  void describePlace(Sentence &s, const Dispatch &d) const;
  void describeOverflow(Sentence &s) const;
  void completePlace();

  xcc_cpu_group group{};              ///< passed to the kernel
  xcc_cpu_thread thread{};            ///< loop kernels: the thread record
  xcc_cpu_thread *current_ = nullptr; ///< the record of the running thread
  const Dispatch *entered = nullptr;
  Series *series = nullptr;
  uint64_t first = 0, last = 0;
  void *recovery = nullptr;
  std::atomic<bool> inKernel_{false};
  std::atomic<uint64_t> left{0}; ///< how often it has left a kernel
  Failure why;
  char text[256] = {};  ///< of the failure, copied: the image may be unloaded
  xcc_trap_note trap{}; ///< the same for a trap

  void *memory = nullptr;    ///< shared, then exchange
  void *ownShared = nullptr; ///< a block's own, under a sanitizer
  void *scratch = nullptr;
  size_t scratchSize = 0;
  FiberGroup *fibers = nullptr; ///< made by the first fiber kernel
  FiberGroup *active = nullptr; ///< fibers, while a fiber kernel is entered
  void *signalStack = nullptr;  ///< ours, if the thread had none
  uintptr_t stackLow = 0;       ///< of the thread's own stack
  size_t stackSize = 0;
  size_t stackGuard = 0;
  std::atomic<pid_t> thread_{0}; ///< the system's number of the thread
  Worker *nextFree = nullptr;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_WORKER_H
