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

#include "hsa/queue/queue.h"

namespace xcc::rt::hsa {

/// The error for a fault of one of these launches; the caller owns a count.
xcc_error *describeFault(const Gpu &on, const HsaQueue::Suspect *suspects,
                         unsigned count, const char *what);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_FAULTS_H
