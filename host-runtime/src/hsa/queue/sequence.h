// A recorded sequence, as packets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch is a dispatch packet whose arguments, implicit ones included, lie in
// memory of the sequence: no kernel writes its arguments, so all replays share
// them. A copy or fill of the GPU's memory is one or more transfers by a copy
// engine, between a packet that completes a signal and others that wait:
//
//     | launch | launch | mark |        | wait 0 | wait 1 | launch | ...
//                          |                ^        ^
//                          v                |        |
//                       transfer 0 ---------+        |
//                          +-> transfer 1 -----------+
//
// Packets up to a mark are put into a queue together. The transfers are given
// to engines before those that wait have a place there: an engine may take one
// after the other, so none may depend on one that it gets later, also by way of
// what other threads put into the queue meanwhile.
//
// What is none of that (a kernel that calls the host or asks for its queue, a
// cooperative launch, a copy from memory that the engines do not see) stands
// between, and is enqueued as any other.

#ifndef XCC_SRC_HSA_QUEUE_SEQUENCE_H
#define XCC_SRC_HSA_QUEUE_SEQUENCE_H

#include "common/aql.h"
#include "devices/sequence.h"
#include "hsa/gpu.h"

namespace xcc::rt::hsa {

struct HsaKernel;

/// A copy between memory that both its agents see.
struct Transfer {
  void *to;
  Agent toAgent;
  const void *from;
  Agent fromAgent;
  size_t bytes;
};

/// What a place of the queue gets.
struct Entry {
  enum class Kind : uint8_t { Dispatch, Mark, Wait };
  aql::Packet packet;                    ///< without a barrier's signals
  const xcc_kernel_info *info = nullptr; ///< null: a barrier
  const char *file = nullptr;
  uint32_t line = 0;
  Kind kind = Kind::Dispatch;
  size_t transfer = 0; ///< that it waits for
};

class HsaSequence final : public Prepared {
public:
  HsaSequence(Gpu &on, const Sequence &s);
  ~HsaSequence() override;
  /// Takes steps that have changed while nothing is in flight. False where
  /// they need more than those before them.
  bool change(const Sequence &s, size_t first, size_t count);

  struct Part {
    bool packets;      ///< false: steps
    size_t begin, end; ///< entries, or steps
    /// What begins when all entries are there; those that wait are the next
    /// part's first.
    size_t firstTransfer = 0, transfers = 0;
  };
  std::vector<Part> parts;
  std::vector<Entry> entries;
  std::vector<Transfer> transfers;

private:
  /// The places of a launch's packet and arguments.
  struct Launch {
    size_t entry;
    char *kernarg = nullptr; ///< null: none is prepared
    size_t room = 0;         ///< bytes
  };
  void layOut(const Sequence &s);
  void addLaunch(const Step &s, size_t number, char *&free);
  void add(const Transfer &t);
  void addCopy(const Step &s);
  void addFill(const Step &s, char *&free);
  void setLaunch(const Step &s, const Launch &in);
  Part &packets();
  void addBarrier(Entry::Kind kind, size_t transfer);

  Gpu &on;
  KernargBlock memory;
  std::vector<Launch> launches; ///< by step
};

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_QUEUE_SEQUENCE_H
