// Child processes, and signals that end the process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Processes.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace xcc {
namespace {

constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};

/// The programs that run for us; 0: a free slot. A link runs one, and code
/// generation one for each arch.
std::atomic<pid_t> children[256];
std::atomic<bool> ending;
std::atomic<unsigned> unknownFiles;
/// Threads that are making something that the handler does not know yet: a
/// program that is not among the children, or a file that is not registered for
/// removal. A thread that starts a program handles its signals afterwards.
std::atomic<unsigned> starting;
thread_local volatile sig_atomic_t startingHere, deferred;

void endAll(int signal) {
  if (startingHere) {
    deferred = signal;
    return;
  }
  ending = true;
  for (int i = 0; starting && i != 5000; ++i)
    usleep(1000);
  for (auto &child : children)
    if (pid_t pid = child)
      kill(pid, SIGTERM);
  for (auto &child : children)
    if (pid_t pid = child)
      while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR)
        ;
  // Milliseconds for each process; after that we no longer wait.
  for (int i = 0; unknownFiles && i != 5000; ++i)
    usleep(1000);
  sys::RunInterruptHandlers();
  ::signal(signal, SIG_DFL);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal);
  raise(signal);
  pthread_sigmask(SIG_UNBLOCK, &mask, nullptr);
}

sigset_t handledSignals() {
  sigset_t mask;
  sigemptyset(&mask);
  for (int signal : Signals)
    sigaddset(&mask, signal);
  return mask;
}

} // namespace

SignalHandling::SignalHandling() {
  for (size_t i = 0; i != std::size(Signals); ++i) {
    struct sigaction action;
    sigaction(Signals[i], nullptr, &action);
    ignored[i] = action.sa_handler == SIG_IGN;
  }
}

void SignalHandling::install() {
  for (size_t i = 0; i != std::size(Signals); ++i) {
    struct sigaction action = {};
    action.sa_handler = ignored[i] ? SIG_IGN : endAll;
    action.sa_mask = handledSignals();
    // A user who does not want to wait for the children sends the signal again.
    action.sa_flags = SA_RESETHAND;
    sigaction(Signals[i], &action, nullptr);
  }
  ::signal(SIGXFSZ, SIG_IGN);
}

HoldSignals::HoldSignals() {
  static_assert(sizeof(saved) >= sizeof(sigset_t));
  sigset_t mask = handledSignals(), old;
  pthread_sigmask(SIG_BLOCK, &mask, &old);
  memcpy(saved, &old, sizeof(old));
}

HoldSignals::~HoldSignals() {
  sigset_t old;
  memcpy(&old, saved, sizeof(old));
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

Registration::Registration() {
  ++starting;
  if (!ending)
    return;
  --starting; // nothing may begin any more
  while (true)
    pause();
}

Registration::~Registration() { --starting; }

UnknownFiles::UnknownFiles() {
  ++unknownFiles;
  if (!ending)
    return;
  --unknownFiles;
  while (true)
    pause();
}

UnknownFiles::~UnknownFiles() { --unknownFiles; }

int executeAndWait(StringRef program, ArrayRef<StringRef> args,
                   ArrayRef<std::optional<StringRef>> redirects,
                   std::string *message) {
  bool failed = false;
  startingHere = 1;
  std::optional<Registration> inProgress(std::in_place);
  auto started = [&] {
    inProgress.reset();
    startingHere = 0;
    if (deferred)
      endAll(deferred);
  };
  sys::ProcessInfo process = sys::ExecuteNoWait(program, args, std::nullopt,
                                                redirects, 0, message, &failed);
  if (failed) {
    started();
    return -1;
  }
  std::atomic<pid_t> *slot = nullptr;
  for (auto &child : children) {
    pid_t none = 0;
    if (child.compare_exchange_strong(none, process.Pid)) {
      slot = &child;
      break;
    }
  }
  started();
  sys::ProcessInfo done = sys::Wait(process, std::nullopt, message);
  if (slot)
    *slot = 0;
  return done.ReturnCode;
}

} // namespace xcc
