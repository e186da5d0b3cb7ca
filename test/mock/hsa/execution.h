// What may stand behind the mock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mock keeps the books of agents, memory, code objects and queues. Whether
// a dispatch does anything is up to an execution: the mock has none, the
// simulator of AMD GPUs (test/simulator/amdgcn) is made of the same sources
// and one that runs device code.

#ifndef XCC_TEST_MOCK_HSA_EXECUTION_H
#define XCC_TEST_MOCK_HSA_EXECUTION_H

#include "state.h"

namespace mock {

/// How a dispatch ended: well, with a queue's error, or with a memory fault.
struct Outcome {
  Status Code = StatusSuccess;
  bool Faulted = false;
  SystemEvent Fault{};
};

class Execution {
public:
  virtual ~Execution() = default;
  /// The processor that an agent's name from the environment stands for.
  virtual std::string processor(const std::string &Name) { return Name; }
  /// Puts a code object into the agent's memory; null when it cannot be loaded.
  virtual void *place(const std::string &Elf, Agent On) = 0;
  /// Where the object's address of this value is now.
  virtual void *addressOf(void *Placed, uint64_t Value) = 0;
  virtual void drop(void *Placed) = 0;
  /// Runs a dispatch on the queue's thread. Ends early once \p Abandon is set.
  virtual Outcome run(const xcc::rt::aql::Packet &P, const MockKernel &K,
                      Agent On, const AmdQueue &Queue,
                      const std::atomic<bool> &Abandon) = 0;
};

/// Null when nothing is executed.
Execution *execution();

} // namespace mock
#endif // XCC_TEST_MOCK_HSA_EXECUTION_H
