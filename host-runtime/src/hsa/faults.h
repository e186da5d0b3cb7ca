// Kernels that failed on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HSA runtime reports a fault on a thread of its own, for a queue or for an
// agent. Which launch it was follows from how far the queue was read; where two
// come into question, both are named.

#ifndef XCC_SRC_HSA_FAULTS_H
#define XCC_SRC_HSA_FAULTS_H

#include "common/faults.h"
#include "gpu.h"

namespace xcc::rt::hsa {

/// One of these launches failed: keeps that as the GPU's fault. \p what: in the
/// library's words or ours; \p signal: of a process that does the same.
void fault(Gpu &on, std::span<const Suspect> suspects, const char *what,
           int signal);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_FAULTS_H
