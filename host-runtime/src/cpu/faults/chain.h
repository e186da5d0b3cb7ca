// Passing signals to the program's earlier handlers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands a signal that no kernel caused to the handler that was installed before
// ours, exactly as the system would have called it.

#ifndef XCC_SRC_CPU_FAULTS_CHAIN_H
#define XCC_SRC_CPU_FAULTS_CHAIN_H

#include <atomic>
#include <csignal>
#include <cstdint>

// sigaction without the linker's redirection (signal_calls.cpp).
extern "C" int __sigaction(int, const struct sigaction *,
                           struct sigaction *) noexcept;

namespace xcc::rt::cpu {

/// Blocks signals while it lives: a handler may want the same lock.
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

/// A signal disposition that handlers on any thread read while others write it.
class Disposition {
public:
  struct sigaction get() const;
  /// Call this with signals blocked.
  void set(const struct sigaction &a);
  /// Returns the disposition; with SA_RESETHAND it becomes the default.
  struct sigaction takeForSignal();

private:
  mutable std::atomic<uint32_t> lock{0};
  struct sigaction value{};
};

/// Calls the handler, or does the default action. Runs on the signal's frame,
/// and may never return.
void passOn(Disposition &to, int signal, siginfo_t *info, void *context);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_CHAIN_H
