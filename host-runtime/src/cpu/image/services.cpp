// What kernels may call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services.h"
#include "cpu/workers/fiber.h"
#include "cpu/workers/guards.h"
#include "cpu/workers/here.h"
#include "cpu/workers/sanitizer.h"
#include "cpu/workers/worker.h"
#include "process/thread_state.h"

#include <cstdlib>

namespace xcc::rt::cpu {

static xcc_cpu_thread *currentThread() {
  Worker *w = peekThreadState().worker;
  return w ? w->currentThread() : threadHere();
}

static uint32_t barrier(uint32_t scope) {
  Worker *w = peekThreadState().worker;
  if (FiberGroup *fibers = w->activeFibers()) [[likely]]
    return fibers->barrier(scope);
  Failure f;
  f.what = Failure::Trap;
  f.code = XCC_CPU_TRAP_ABORT;
  f.text = "a barrier was called in a kernel compiled without one";
  w->leave(f);
}

XCC_RT_UNINSTRUMENTED static void trap(uint32_t kind, const char *text,
                                       const char *file, uint32_t line) {
  Worker *w = peekThreadState().worker;
  // Image code that runs outside a kernel, such as a constructor, has no
  // launch to fail.
  if (!w || !w->inKernel())
    abort();
  Failure f;
  f.what = Failure::Trap;
  f.code = kind;
  f.text = text;
  f.file = file;
  f.line = line;
  w->leave(f);
}

static int guardAcquire(uint64_t *guard) {
  Worker *w = peekThreadState().worker;
  if (acquireGuard(*guard, w->guards)) [[likely]]
    return 1;
  if (isMade(*guard))
    return 0;
  Failure f;
  f.what = Failure::Trap;
  f.code = XCC_CPU_TRAP_ABORT;
  f.text = "a static variable's initialiser came to the variable again, or "
           "waits there for other threads of its block";
  w->leave(f);
}

static void guardRelease(uint64_t *guard) {
  releaseGuard(*guard, peekThreadState().worker->guards);
}

const xcc_cpu_services Services = {XCC_ABI_VERSION, 0,    currentThread,
                                   barrier,         trap, guardAcquire,
                                   guardRelease};

} // namespace xcc::rt::cpu
