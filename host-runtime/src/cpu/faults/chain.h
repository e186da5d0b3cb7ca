// The handler beneath ours
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands a signal that is not ours to the handler that was there before, in the
// way the system would have done it.

#ifndef XCC_SRC_CPU_FAULTS_CHAIN_H
#define XCC_SRC_CPU_FAULTS_CHAIN_H

#include <atomic>
#include <csignal>
#include <cstdint>

// What sigaction is without the linker's help (signal_calls.cpp).
extern "C" int __sigaction(int, const struct sigaction *,
                           struct sigaction *) noexcept;

namespace xcc::rt::cpu {

/// Keeps signals out while it lives: a handler may want the same lock.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &old, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

private:
  sigset_t old;
};

/// A disposition that handlers on any thread read while others write it.
class Disposition {
public:
  struct sigaction get() const;
  /// Signals are blocked.
  void set(const struct sigaction &a);
  /// For SA_RESETHAND: what is there, once; the default afterwards.
  struct sigaction takeForSignal();

private:
  mutable std::atomic<uint32_t> lock{0};
  struct sigaction value{};
};

/// Calls the handler, or does the default action. To be called on the signal's
/// frame, which may be left for good.
void passOn(Disposition &to, int signal, siginfo_t *info, void *context);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_CHAIN_H
