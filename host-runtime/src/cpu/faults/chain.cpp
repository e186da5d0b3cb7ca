// Passing signals to the program's earlier handlers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "chain.h"
#include "cpu/workers/sanitizer.h"

#include <cstring>
#include <sched.h>
#include <ucontext.h>
#include <unistd.h>

extern "C" {
/// Continues at handler(signal, info, context) with the stack pointer at frame.
[[noreturn]] void xcc_rt_handle_on(void *frame, void *handler, int signal,
                                   void *info, void *context);
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
  explicit Spin(std::atomic<uint32_t> &l) : l(l) {
    while (l.exchange(1, std::memory_order_acquire))
      sched_yield();
  }
  ~Spin() { l.store(0, std::memory_order_release); }

private:
  std::atomic<uint32_t> &l;
};
} // namespace

struct sigaction Disposition::get() const {
  SignalsBlocked blocked;
  Spin guard(lock);
  return value;
}

void Disposition::set(const struct sigaction &a) {
  SignalsBlocked blocked;
  Spin guard(lock);
  value = a;
}

struct sigaction Disposition::takeForSignal() {
  SignalsBlocked blocked;
  Spin guard(lock);
  struct sigaction old = value;
  if (value.sa_flags & int(SA_RESETHAND)) {
    value = {};
    value.sa_handler = SIG_DFL;
  }
  return old;
}

//===----------------------------------------------------------------------===//
// Passing on
//===----------------------------------------------------------------------===//

static bool isSent(const siginfo_t *info, int signal) {
  // A sent signal has no faulting instruction that returning would repeat.
  return info->si_code <= 0 ||
         (signal == SIGBUS && info->si_code == BUS_MCEERR_AO);
}

static void doDefault(int signal, const siginfo_t *info) {
  struct sigaction byDefault{};
  byDefault.sa_handler = SIG_DFL;
  __sigaction(signal, &byDefault, nullptr);
  if (!isSent(info, signal))
    return; // the instruction faults again, and the default action follows
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
}

namespace {
/// The signal frame that the kernel puts on the stack for a handler. The
/// registers of the floating point unit are in another place.
struct Frame {
  void (*returnTo)();
  // The kernel's ucontext: up to the first word of glibc's signal mask.
  alignas(8) char context[offsetof(ucontext_t, uc_sigmask) + 8];
  siginfo_t info;
};
static_assert(offsetof(Frame, context) == 8);
} // namespace

/// Bytes of the saved registers that fpregs points to.
static size_t stateSize(const char *saved) {
  constexpr unsigned softwareBytes = 464;
  constexpr uint32_t magic = 0x46505853;
  uint32_t words[2]; // a magic number, the size
  memcpy(words, saved + softwareBytes, sizeof(words));
  return words[0] == magic && words[1] >= 512 ? words[1] : 512;
}

/// Moves the signal's frame from the signal stack to the interrupted stack, for
/// a handler without SA_ONSTACK. Returns null if the frame has to stay.
static Frame *moveFrame(int signal, const siginfo_t *info,
                        const void *context) {
  auto *from = static_cast<const ucontext_t *>(context);
  auto interrupted = uintptr_t(from->uc_mcontext.gregs[REG_RSP]);
  stack_t stack;
  if (sigaltstack(nullptr, &stack) != 0 || !(stack.ss_flags & SS_ONSTACK) ||
      interrupted - reinterpret_cast<uintptr_t>(stack.ss_sp) < stack.ss_size)
    return nullptr;
  // A stack that has overflowed has no room: keep the signal stack.
  constexpr uintptr_t near = 64 * 1024, redZone = 128;
  if (signal == SIGSEGV &&
      reinterpret_cast<uintptr_t>(info->si_addr) - (interrupted - near) <
          2 * near)
    return nullptr;
  uintptr_t top = interrupted - redZone;
  char *state = nullptr;
  auto *saved = reinterpret_cast<const char *>(from->uc_mcontext.fpregs);
  if (saved) {
    size_t size = stateSize(saved);
    state = reinterpret_cast<char *>((top - size) & ~uintptr_t(63));
    memcpy(state, saved, size);
    top = reinterpret_cast<uintptr_t>(state);
  }
  // As after a call: a multiple of 16, less the return address.
  auto *f =
      reinterpret_cast<Frame *>(((top - sizeof(Frame)) & ~uintptr_t(15)) - 8);
  f->returnTo = xcc_rt_sigreturn;
  memcpy(f->context, context, sizeof(f->context));
  memcpy(&f->info, info, sizeof(f->info));
  memcpy(f->context + offsetof(ucontext_t, uc_mcontext.fpregs), &state,
         sizeof(state));
  return f;
}

XCC_RT_UNINSTRUMENTED void passOn(Disposition &to, int signal, siginfo_t *info,
                                  void *context) {
  struct sigaction a = to.takeForSignal();
  if (a.sa_handler == SIG_IGN && isSent(info, signal))
    return;
  // Ignoring a fault would repeat it forever.
  if (a.sa_handler == SIG_DFL || a.sa_handler == SIG_IGN) {
    doDefault(signal, info);
    return;
  }
  sigset_t mask = a.sa_mask;
  if (!(a.sa_flags & SA_NODEFER))
    sigaddset(&mask, signal);
  // The return from our handler restores the old mask.
  pthread_sigmask(SIG_BLOCK, &mask, nullptr);
  void *handler = a.sa_flags & SA_SIGINFO
                      ? reinterpret_cast<void *>(a.sa_sigaction)
                      : reinterpret_cast<void *>(a.sa_handler);
  if (!(a.sa_flags & SA_ONSTACK))
    if (Frame *f = moveFrame(signal, info, context))
      xcc_rt_handle_on(f, handler, signal, &f->info, f->context);
  reinterpret_cast<void (*)(int, siginfo_t *, void *)>(handler)(signal, info,
                                                                context);
}

} // namespace xcc::rt::cpu
