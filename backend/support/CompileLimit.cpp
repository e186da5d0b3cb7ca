// Limits of the time and memory of a compile
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileLimit.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/ErrorHandling.h"
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace xcc {

using Clock = std::chrono::steady_clock;

/// How often memory is measured, because that takes some microseconds.
static constexpr std::chrono::milliseconds CheckInterval{2};

static thread_local bool limited = false;
static thread_local CompileLimit::Exceeded over = CompileLimit::Nothing;
static thread_local Clock::time_point end, look;
static thread_local uint64_t most = 0; ///< of the process's memory; 0: no limit

/// The process's resident memory in bytes; 0: unknown.
static uint64_t processMemory() {
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  char text[128];
  ssize_t size = read(file, text, sizeof(text) - 1);
  close(file);
  if (size <= 0)
    return 0;
  text[size] = 0;
  char *resident = nullptr;
  strtoull(text, &resident, 10);
  return strtoull(resident, nullptr, 10) * uint64_t(sysconf(_SC_PAGESIZE));
}

void CompileLimit::set(double seconds, uint64_t bytes) {
  limited = seconds > 0 || bytes;
  over = Nothing;
  look = Clock::now();
  // The clock cannot represent a longer time.
  constexpr double longest = 1e9;
  if (!(seconds > 0) || seconds > longest)
    seconds = longest;
  end = look + std::chrono::duration_cast<Clock::duration>(
                   std::chrono::duration<double>(seconds));
  most = bytes ? processMemory() + bytes : 0;
  if (most < bytes)
    most = 0;
}

bool CompileLimit::isSet() { return limited; }

CompileLimit::Exceeded CompileLimit::exceeded() { return over; }

void CompileLimit::check() {
  if (!limited)
    return;
  Clock::time_point now = Clock::now();
  if (now >= end) {
    over = Time;
  } else if (most && now >= look) {
    look = now + CheckInterval;
    if (processMemory() > most)
      over = Memory;
  }
  if (over == Nothing)
    return;
  limited = false; // LLVM may check again on its way out
  llvm::report_fatal_error("what it may take is used up",
                           /*gen_crash_diag=*/false);
}

void CompileLimit::watch(llvm::LLVMContext &context) {
  if (limited)
    context.setYieldCallback([](llvm::LLVMContext *, void *) { check(); },
                             nullptr);
}

void CompileLimit::watch(llvm::PassInstrumentationCallbacks &callbacks) {
  if (limited)
    callbacks.registerBeforeNonSkippedPassCallback(
        [](llvm::StringRef, llvm::Any) { check(); });
}

} // namespace xcc
