// A ring of AQL packets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue (queue.h) writes packets into the ring, from any number of threads. A
// packet processor (processor.h) takes them out in order.

#ifndef XCC_SRC_CPU_QUEUE_RING_H
#define XCC_SRC_CPU_QUEUE_RING_H

#include "cpu/workers/dispatch.h"
#include "devices/sequence.h"
#include "process/profile.h"
#include "signal.h"

#include <sys/mman.h>

namespace xcc::rt::cpu {

struct PacketRing {
  static constexpr uint32_t Size = 1024;        ///< packets
  static constexpr uint32_t KernargBytes = 256; ///< kept beside each packet

  /// Data of a packet for which AQL has no field.
  struct Extra {
    CpuKernel *function;
    const char *file;
    uint32_t line;
    void *largeKernarg; ///< to free; null if the kernarg is in the ring
    uint64_t flow;
    uint64_t launcher;   ///< the thread that launched
    profile::Work *work; ///< null: not profiled
    bool cooperative;    ///< all blocks run at once
    Sequence *sequence;  ///< what an AQL_VENDOR packet replays; retained
  };

  /// Maps the ring. Pages that no packet uses are never touched. Returns false
  /// when memory ran out.
  bool allocate() {
    void *memory =
        mmap(nullptr, PacketBytes + ExtraBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    packets = static_cast<aql::Packet *>(memory);
    extras =
        reinterpret_cast<Extra *>(static_cast<char *>(memory) + PacketBytes);
    kernargs = reinterpret_cast<char *>(extras + Size);
    aql::invalidate(packets[0]); // producers invalidate the others
    return true;
  }
  void release() { munmap(packets, PacketBytes + ExtraBytes); }
  /// Gives back the pages of extras and kernargs. No packet may be in flight.
  void trim() { madvise(extras, ExtraBytes, MADV_DONTNEED); }

  aql::Packet &packet(uint64_t index) { return packets[index % Size]; }
  Extra &extra(uint64_t index) { return extras[index % Size]; }
  void *kernargOf(uint64_t index) {
    return kernargs + (index % Size) * size_t(KernargBytes);
  }

  aql::Packet *packets = nullptr;
  Extra *extras = nullptr;
  char *kernargs = nullptr;
  alignas(64) std::atomic<uint64_t> writeIndex{0};
  alignas(64) Signal doorbell;
  alignas(64) std::atomic<uint64_t> readIndex{0};
  /// For ThreadSanitizer, which needs two addresses: what was enqueued, and
  /// what blocks did.
  char begun = 0, done = 0;

private:
  static constexpr size_t PacketBytes = Size * sizeof(aql::Packet);
  /// The bytes of extras and kernargs, in whole pages.
  static constexpr size_t ExtraBytes =
      Size * (sizeof(Extra) + size_t(KernargBytes));
  static_assert(Size * sizeof(Extra) % 4096 == 0 && ExtraBytes % 4096 == 0 &&
                PacketBytes % 4096 == 0);
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_QUEUE_RING_H
