// Error reports of kernels that failed on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HSA runtime reports a fault on a thread of its own, for a queue or an
// agent. How far the queue was read says which launch failed; if it may be one
// of two, both are named.

#ifndef XCC_SRC_HSA_FAULTS_H
#define XCC_SRC_HSA_FAULTS_H

#include "common/faults.h"
#include "gpu.h"

namespace xcc::rt::hsa {

/// Records as the GPU's fault that one of these launches failed. \p what: the
/// text of the library or the runtime; \p signal: the signal for the same fault
/// in a process.
void fault(Gpu &on, std::span<const Suspect> suspects, const char *what,
           int signal);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_FAULTS_H
