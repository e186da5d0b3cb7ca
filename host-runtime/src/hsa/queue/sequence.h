// A recorded sequence, as packets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch is a dispatch packet whose arguments, including implicit ones, lie
// in the sequence's memory. No kernel writes its arguments, so all replays
// share them. A copy or fill of the GPU's memory is one or more transfers by a
// copy engine, between a packet that completes a signal and others that wait:
//
//     | launch | launch | mark |        | wait 0 | wait 1 | launch | ...
//                          |                ^        ^
//                          v                |        |
//                       transfer 0 ---------+        |
//                          +-> transfer 1 -----------+
//
// Packets up to a mark are enqueued together. The transfers are given to
// engines before the packets that wait for them have places. An engine may take
// transfers one after the other, so no transfer may depend on one that the
// engine gets later. That includes packets that other threads enqueue
// meanwhile.
//
// Other steps are enqueued in between as usual: a kernel that calls the host or
// uses its queue, a cooperative launch, a copy from memory that the engines
// cannot access.

#ifndef XCC_SRC_HSA_QUEUE_SEQUENCE_H
#define XCC_SRC_HSA_QUEUE_SEQUENCE_H

#include "common/aql.h"
#include "devices/sequence.h"
#include "hsa/gpu.h"

namespace xcc::rt::hsa {

struct HsaKernel;

/// A copy between memory that both agents can access.
struct Transfer {
  void *to;
  Agent toAgent;
  const void *from;
  Agent fromAgent;
  size_t bytes;
};

/// The contents of a place of the queue.
struct Entry {
  enum class Kind : uint8_t { Dispatch, Mark, Wait };
  aql::Packet packet;                    ///< without signals of barriers
  const xcc_kernel_info *info = nullptr; ///< null: a barrier
  const char *file = nullptr;
  uint32_t line = 0;
  Kind kind = Kind::Dispatch;
  size_t transfer = 0; ///< for Wait: the transfer to wait for
};

class HsaSequence final : public Prepared {
public:
  HsaSequence(Gpu &on, const Sequence &s);
  ~HsaSequence() override;
  /// Updates changed steps while nothing is in flight. Returns false if they
  /// need more room than before.
  bool change(const Sequence &s, size_t first, size_t count);

  struct Part {
    bool packets;      ///< false: the part is steps
    size_t begin, end; ///< entries, or steps
    /// The transfers that begin when all entries are written. The packets that
    /// wait for them are the next part's first.
    size_t firstTransfer = 0, transfers = 0;
  };
  std::vector<Part> parts;
  std::vector<Entry> entries;
  std::vector<Transfer> transfers;

private:
  /// Where a launch's packet and arguments are.
  struct Launch {
    size_t entry;
    char *kernarg = nullptr; ///< null: the step is not a packet
    size_t room = 0;         ///< bytes for its arguments
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
