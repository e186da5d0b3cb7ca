// What kernels may call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services.h"
#include "../process/thread_state.h"
#include "fiber.h"
#include "sanitizer.h"
#include "worker.h"

#include <cstdlib>

namespace xcc::rt::cpu {

static xcc_cpu_thread *currentThread() {
  return peekThreadState().Worker->currentThread();
}

static uint32_t barrier(uint32_t Scope) {
  Worker *W = peekThreadState().Worker;
  if (FiberGroup *Fibers = W->activeFibers()) [[likely]]
    return Fibers->barrier(Scope);
  Failure F;
  F.What = Failure::Trap;
  F.Code = XCC_CPU_TRAP_ABORT;
  F.Text = "a barrier was called in a kernel compiled without one";
  W->leave(F);
}

XCC_RT_UNINSTRUMENTED static void trap(uint32_t Kind, const char *Text,
                                       const char *File, uint32_t Line) {
  Worker *W = peekThreadState().Worker;
  // Image code that runs outside a kernel, such as a constructor, has no
  // launch to fail.
  if (!W || !W->inKernel())
    abort();
  Failure F;
  F.What = Failure::Trap;
  F.Code = Kind;
  F.Text = Text;
  F.File = File;
  F.Line = Line;
  W->leave(F);
}

const xcc_cpu_services Services = {XCC_ABI_VERSION, 0, currentThread, barrier,
                                   trap};

} // namespace xcc::rt::cpu
