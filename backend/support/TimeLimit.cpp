// How long a thread may go on compiling
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeLimit.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/ErrorHandling.h"
#include <chrono>

namespace xcc {

using Clock = std::chrono::steady_clock;

static thread_local bool limited = false, exceeded = false;
static thread_local Clock::time_point end;

void TimeLimit::set(double seconds) {
  limited = seconds > 0;
  exceeded = false;
  // What no clock counts to is no limit either.
  constexpr double longest = 1e9;
  if (limited)
    end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(
                                 seconds < longest ? seconds : longest));
}

bool TimeLimit::isSet() { return limited; }

bool TimeLimit::isOver() { return exceeded; }

void TimeLimit::check() {
  if (!limited || Clock::now() < end)
    return;
  limited = false; // LLVM may ask again on its way out
  exceeded = true;
  llvm::report_fatal_error("the time that it may take is over",
                           /*gen_crash_diag=*/false);
}

void TimeLimit::watch(llvm::LLVMContext &context) {
  if (limited)
    context.setYieldCallback([](llvm::LLVMContext *, void *) { check(); },
                             nullptr);
}

void TimeLimit::watch(llvm::PassInstrumentationCallbacks &callbacks) {
  if (limited)
    callbacks.registerBeforeNonSkippedPassCallback(
        [](llvm::StringRef, llvm::Any) { check(); });
}

} // namespace xcc
