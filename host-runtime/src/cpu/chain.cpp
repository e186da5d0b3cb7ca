// The handler beneath ours
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "chain.h"
#include "sanitizer.h"

#include <cstring>
#include <sched.h>
#include <ucontext.h>
#include <unistd.h>

extern "C" {
/// Continues at Handler(Signal, Info, Context) with the stack pointer at Frame.
[[noreturn]] void xcc_rt_handle_on(void *Frame, void *Handler, int Signal,
                                   void *Info, void *Context);
/// What a handler returns to: rt_sigreturn for the frame on the stack.
void xcc_rt_sigreturn(void);
}

asm(R"(
  .text
  .p2align 4
  .hidden xcc_rt_handle_on
  .globl xcc_rt_handle_on
  .type xcc_rt_handle_on, @function
xcc_rt_handle_on:
  movq %rdi, %rsp
  movq %rsi, %rax
  movl %edx, %edi
  movq %rcx, %rsi
  movq %r8, %rdx
  jmpq *%rax
  .size xcc_rt_handle_on, .-xcc_rt_handle_on

  .p2align 4
  nop
  .hidden xcc_rt_sigreturn
  .globl xcc_rt_sigreturn
  .type xcc_rt_sigreturn, @function
xcc_rt_sigreturn:
  movl $15, %eax
  syscall
  .size xcc_rt_sigreturn, .-xcc_rt_sigreturn
)");

namespace xcc::rt::cpu {

//===----------------------------------------------------------------------===//
// Dispositions
//===----------------------------------------------------------------------===//

namespace {
/// A lock for a few instructions, with signals blocked.
class Spin {
public:
  explicit Spin(std::atomic<uint32_t> &L) : L(L) {
    while (L.exchange(1, std::memory_order_acquire))
      sched_yield();
  }
  ~Spin() { L.store(0, std::memory_order_release); }

private:
  std::atomic<uint32_t> &L;
};
} // namespace

struct sigaction Disposition::get() const {
  SignalsBlocked Blocked;
  Spin Guard(Lock);
  return Value;
}

void Disposition::set(const struct sigaction &A) {
  SignalsBlocked Blocked;
  Spin Guard(Lock);
  Value = A;
}

struct sigaction Disposition::takeForSignal() {
  SignalsBlocked Blocked;
  Spin Guard(Lock);
  struct sigaction Old = Value;
  if (Value.sa_flags & int(SA_RESETHAND)) {
    Value = {};
    Value.sa_handler = SIG_DFL;
  }
  return Old;
}

//===----------------------------------------------------------------------===//
// Passing on
//===----------------------------------------------------------------------===//

static bool isSent(const siginfo_t *Info, int Signal) {
  // Returning does not repeat what is no fault of an instruction.
  return Info->si_code <= 0 ||
         (Signal == SIGBUS && Info->si_code == BUS_MCEERR_AO);
}

static void doDefault(int Signal, const siginfo_t *Info) {
  struct sigaction Default{};
  Default.sa_handler = SIG_DFL;
  __sigaction(Signal, &Default, nullptr);
  if (!isSent(Info, Signal))
    return; // the fault is repeated, without us
  sigset_t Only;
  sigemptyset(&Only);
  sigaddset(&Only, Signal);
  pthread_sigmask(SIG_UNBLOCK, &Only, nullptr);
  raise(Signal);
}

namespace {
/// What the system puts on the stack for a handler, without the registers of
/// the floating point unit, which lie apart.
struct Frame {
  void (*Return)();
  // The system's ucontext: up to the first word of glibc's signal mask.
  alignas(8) char Context[offsetof(ucontext_t, uc_sigmask) + 8];
  siginfo_t Info;
};
static_assert(offsetof(Frame, Context) == 8);
} // namespace

/// Bytes of the saved registers that fpregs points to.
static size_t stateSize(const char *Saved) {
  constexpr unsigned SoftwareBytes = 464;
  constexpr uint32_t Magic = 0x46505853;
  uint32_t Words[2]; // a magic number, the size
  memcpy(Words, Saved + SoftwareBytes, sizeof(Words));
  return Words[0] == Magic && Words[1] >= 512 ? Words[1] : 512;
}

/// For a handler that did not ask for the signal stack, when we are there:
/// moves the signal's frame to the stack that was interrupted. Null if it has
/// to stay.
static Frame *moveFrame(int Signal, const siginfo_t *Info,
                        const void *Context) {
  auto *From = static_cast<const ucontext_t *>(Context);
  auto Interrupted = uintptr_t(From->uc_mcontext.gregs[REG_RSP]);
  stack_t Stack;
  if (sigaltstack(nullptr, &Stack) != 0 || !(Stack.ss_flags & SS_ONSTACK) ||
      Interrupted - reinterpret_cast<uintptr_t>(Stack.ss_sp) < Stack.ss_size)
    return nullptr;
  // An overflowed stack takes no handler; the signal stack is better then.
  constexpr uintptr_t Near = 64 * 1024, RedZone = 128;
  if (Signal == SIGSEGV &&
      reinterpret_cast<uintptr_t>(Info->si_addr) - (Interrupted - Near) <
          2 * Near)
    return nullptr;
  uintptr_t Top = Interrupted - RedZone;
  char *State = nullptr;
  auto *Saved = reinterpret_cast<const char *>(From->uc_mcontext.fpregs);
  if (Saved) {
    size_t Size = stateSize(Saved);
    State = reinterpret_cast<char *>((Top - Size) & ~uintptr_t(63));
    memcpy(State, Saved, Size);
    Top = reinterpret_cast<uintptr_t>(State);
  }
  // As after a call: a multiple of 16, less the return address.
  auto *F =
      reinterpret_cast<Frame *>(((Top - sizeof(Frame)) & ~uintptr_t(15)) - 8);
  F->Return = xcc_rt_sigreturn;
  memcpy(F->Context, Context, sizeof(F->Context));
  memcpy(&F->Info, Info, sizeof(F->Info));
  memcpy(F->Context + offsetof(ucontext_t, uc_mcontext.fpregs), &State,
         sizeof(State));
  return F;
}

XCC_RT_UNINSTRUMENTED void passOn(Disposition &To, int Signal, siginfo_t *Info,
                                  void *Context) {
  struct sigaction A = To.takeForSignal();
  if (A.sa_handler == SIG_IGN && isSent(Info, Signal))
    return;
  // A fault cannot be ignored: it would be repeated for ever.
  if (A.sa_handler == SIG_DFL || A.sa_handler == SIG_IGN) {
    doDefault(Signal, Info);
    return;
  }
  sigset_t Mask = A.sa_mask;
  if (!(A.sa_flags & SA_NODEFER))
    sigaddset(&Mask, Signal);
  // The return from our handler puts the old mask back.
  pthread_sigmask(SIG_BLOCK, &Mask, nullptr);
  void *Handler = A.sa_flags & SA_SIGINFO
                      ? reinterpret_cast<void *>(A.sa_sigaction)
                      : reinterpret_cast<void *>(A.sa_handler);
  if (!(A.sa_flags & SA_ONSTACK))
    if (Frame *F = moveFrame(Signal, Info, Context))
      xcc_rt_handle_on(F, Handler, Signal, &F->Info, F->Context);
  reinterpret_cast<void (*)(int, siginfo_t *, void *)>(Handler)(Signal, Info,
                                                                Context);
}

} // namespace xcc::rt::cpu
