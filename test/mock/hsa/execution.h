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
  Status code = StatusSuccess;
  bool faulted = false;
  SystemEvent fault{};
};

class Execution {
public:
  virtual ~Execution() = default;
  /// The processor that an agent's name from the environment stands for.
  virtual std::string processor(const std::string &name) { return name; }
  /// Puts a code object into the agent's memory; null when it cannot be loaded.
  virtual void *place(const std::string &elf, Agent on) = 0;
  /// Where the object's address of this value is now.
  virtual void *addressOf(void *placed, uint64_t value) = 0;
  virtual void drop(void *placed) = 0;
  /// What the host does with an agent's memory.
  virtual void allocated(void *, size_t) {}
  virtual void written(void *, size_t) {}
  virtual void copied(void *, const void *, size_t) {}
  /// Runs a dispatch on the queue's thread. Ends early once \p abandon is set.
  virtual Outcome run(const xcc::rt::aql::Packet &p, const MockKernel &k,
                      Agent on, const AmdQueue &queue,
                      const std::atomic<bool> &abandon) = 0;
};

/// Null when nothing is executed.
Execution *execution();

} // namespace mock
#endif // XCC_TEST_MOCK_HSA_EXECUTION_H
