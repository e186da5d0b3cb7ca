// A thread that runs blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread needs to run a kernel's blocks: block-shared memory, scratch,
// the exchange area of warp operations, fibers, and a way out when a kernel
// fails. Pool threads own one each; a thread that synchronises borrows one when
// it first helps, and gives it back when it ends.

#ifndef XCC_SRC_CPU_WORKER_H
#define XCC_SRC_CPU_WORKER_H

#include "dispatch.h"
#include "sanitizer.h"

#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

namespace xcc::rt {
class Sentence;
}

namespace xcc::rt::cpu {

class FiberGroup;

/// Why a kernel stopped; filled by a trap or a fault handler.
struct Failure {
  enum Kind { None, Trap, Fault, OutOfMemory } What = None;
  uint32_t Code = 0;     ///< xcc_cpu_trap_kind, or the signal's number
  int SignalCode = 0;    ///< si_code of a fault
  uintptr_t Address = 0; ///< of a fault
  bool StackOverflow = false;
  const char *Text = nullptr; ///< a trap's; may be in the image
  const char *File = nullptr;
  uint32_t Line = 0;
};

/// An exception that left a kernel, or came out of a library that it called.
class Thrown {
public:
  /// Calls a function; did an exception leave it? Its text is kept then.
  /// Left without returning by a failing kernel, as its callers are.
  template <class Fn> XCC_RT_UNINSTRUMENTED bool by(Fn Call) {
    try {
      Call();
      return false;
    } catch (const abi::__forced_unwind &) {
      // It must not be swallowed: we leave the kernel in the middle of it.
      leave("the thread was ended");
    } catch (const std::exception &E) {
      keep(E.what());
    } catch (...) {
      std::type_info *Type = abi::__cxa_current_exception_type();
      keep(Type ? Type->name() : "an exception of another language");
    }
    return true;
  }
  Failure failure() const {
    Failure F;
    F.What = Failure::Trap;
    F.Code = XCC_CPU_TRAP_EXCEPTION;
    F.Text = Text;
    return F;
  }
  explicit Thrown(class Worker &W) : W(W) {}

private:
  void keep(const char *What) { strncpy(Text, What, sizeof(Text) - 1); }
  [[noreturn]] void leave(const char *What);
  Worker &W;
  char Text[256] = {};
};

class Worker {
public:
  /// The calling thread's worker; made when it has none. Null when memory ran
  /// out.
  static Worker *current();
  /// Puts a worker on the free list. The calling thread owned it.
  static void release(Worker *W);

  /// Grows whenever a thread comes out of a kernel, having run some blocks.
  static uint64_t progress();
  /// Says on standard error which kernels run at the moment, and where.
  /// False when none does.
  static bool tellRunning(const char *Why);

  /// Which share of a dispatch is this thread's own.
  unsigned Share = 0;

  /// Prepares for a dispatch's blocks. False when memory ran out, with the
  /// failure recorded.
  bool enter(const Dispatch &D);
  /// Runs blocks [First, Last) of the dispatch entered. False when the kernel
  /// failed; failure() says why.
  bool run(const Dispatch &D, uint64_t First, uint64_t Last);
  /// An error that describes the failure, with a count for the caller.
  xcc_error *describe(const Dispatch &D);

  //===--- For code called from a kernel and for the fault handler ---===//
  bool inKernel() const { return InKernel.load(std::memory_order_relaxed); }
  xcc_cpu_thread *currentThread() { return Current; }
  /// The fibers of the kernel that runs; null for a loop kernel.
  FiberGroup *activeFibers() { return Active; }
  /// Ends the guarded call. \p Why is copied, its text with it.
  [[noreturn]] void leave(const Failure &Why);
  /// For the fault handler: records the failure and returns what a return from
  /// the handler must load into rdi for xcc_rt_guarded_leave.
  void *faulted(const Failure &Why);
  /// Is the address in the guard of one of the worker's stacks?
  bool inStackGuard(uintptr_t Address) const;

private:
  friend class FiberGroup;
  Worker() = default;
  ~Worker();
  static Worker *make();
  void attach();
  void detach();
  static void callBlocks(void *Self);
  void describePlace(Sentence &S, const Dispatch &D) const;
  void describeOverflow(Sentence &S) const;

  xcc_cpu_group Group{};             ///< what the kernel is given
  xcc_cpu_thread Thread{};           ///< loop kernels: the thread record
  xcc_cpu_thread *Current = nullptr; ///< the record of the running thread
  const Dispatch *Entered = nullptr;
  uint64_t First = 0, Last = 0;
  void *Recovery = nullptr;
  std::atomic<bool> InKernel{false};
  std::atomic<uint64_t> Runs{0}; ///< how often it came out of a kernel
  Failure Why;
  char Text[256] = {}; ///< of the failure; the image may go before it is read

  void *Memory = nullptr; ///< shared, then exchange
  void *Scratch = nullptr;
  size_t ScratchSize = 0;
  FiberGroup *Fibers = nullptr; ///< made by the first fiber kernel
  FiberGroup *Active = nullptr; ///< Fibers while a fiber kernel is entered
  void *SignalStack = nullptr;  ///< ours, if the thread had none
  uintptr_t StackLow = 0;       ///< of the thread's own stack
  size_t StackSize = 0;
  size_t StackGuard = 0;
  Worker *NextFree = nullptr;
  Worker *NextMade = nullptr; ///< workers are never freed
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKER_H
