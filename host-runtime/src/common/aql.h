// User-mode queues in the HSA layout
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packets and signals as the HSA specification (Architected Queueing Language,
// chapter 2.9) lays them out, and the code that fills a packet. The CPU device
// and AMD GPUs take the same packets, so both use this header.
//
// A packet's first 32 bits are written last, with release order: a header that
// is not AQL_INVALID says that the rest of the packet can be read.

#ifndef XCC_SRC_COMMON_AQL_H
#define XCC_SRC_COMMON_AQL_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace xcc::rt::aql {

/// Bits 0-7 of a header.
enum PacketType : uint16_t {
  AQL_VENDOR = 0,
  AQL_INVALID = 1,
  AQL_DISPATCH = 2,
  AQL_BARRIER_AND = 3
};
/// Where the header's fields begin.
enum HeaderBit { TypeBit = 0, BarrierBit = 8, AcquireBit = 9, ReleaseBit = 11 };
/// The threads to which memory operations are made visible.
enum FenceScope { ScopeNone = 0, ScopeAgent = 1, ScopeSystem = 2 };

/// The handle of a signal: for the CPU device the address of an aql::Signal.
using SignalHandle = uint64_t;

///     0        2       4       6       8       10    12   16   20
///     | header | setup | wg.x  | wg.y  | wg.z  | 0   |gr.x|gr.y|gr.z|
///     24        28      32      40        48   56           64
///     | private | group | object| kernarg | 0  | completion |
struct DispatchPacket {
  uint16_t header;
  uint16_t setup; ///< dimensions, 1 to 3
  uint16_t workgroupSize[3];
  uint16_t reserved0;
  uint32_t gridSize[3]; ///< work-items
  uint32_t privateSegmentSize;
  uint32_t groupSegmentSize;
  uint64_t kernelObject;
  void *kernargAddress;
  uint64_t reserved2;
  SignalHandle completionSignal;
};
static_assert(sizeof(DispatchPacket) == 64);
static_assert(offsetof(DispatchPacket, gridSize) == 12);
static_assert(offsetof(DispatchPacket, kernelObject) == 32);
static_assert(offsetof(DispatchPacket, completionSignal) == 56);

///     0        2    4       8            48   56           64
///     | header | 0  | 0     | dep[0..4]  | 0  | completion |
struct BarrierPacket {
  uint16_t header;
  uint16_t reserved0;
  uint32_t reserved1;
  SignalHandle depSignal[5]; ///< all must be 0 (or the handle null)
  uint64_t reserved2;
  SignalHandle completionSignal;
};
static_assert(sizeof(BarrierPacket) == 64);
static_assert(offsetof(BarrierPacket, depSignal) == 8);

union alignas(64) Packet {
  uint32_t firstWord; ///< header and setup, accessed atomically
  DispatchPacket dispatch;
  BarrierPacket barrier;
};
static_assert(sizeof(Packet) == 64);

/// The public part of a queue (hsa_queue_t).
struct QueueHeader {
  uint32_t type;     ///< 0: several producers
  uint32_t features; ///< 1: takes kernel dispatches
  void *baseAddress;
  SignalHandle doorbellSignal;
  uint32_t size; ///< packets, a power of two
  uint32_t reserved1;
  uint64_t id;
};
static_assert(sizeof(QueueHeader) == 40);

constexpr uint16_t header(PacketType type) {
  // The barrier bit keeps a stream's packets in order.
  return uint16_t(type << TypeBit | 1 << BarrierBit |
                  ScopeSystem << AcquireBit | ScopeSystem << ReleaseBit);
}
inline PacketType typeOf(uint32_t firstWord) {
  return PacketType(firstWord & 0xff);
}

inline uint32_t loadFirstWord(Packet &p, std::memory_order order) {
  return std::atomic_ref(p.firstWord).load(order);
}
/// Publishes the packet: a thread that reads the new header sees everything
/// that was written before.
inline void publish(Packet &p, uint32_t firstWord) {
  std::atomic_ref(p.firstWord).store(firstWord, std::memory_order_release);
}
inline void publish(Packet &p, PacketType type, uint16_t setup) {
  publish(p, header(type) | uint32_t(setup) << 16);
}
/// Copies all of a packet but its first word.
inline void copyBody(Packet &to, const Packet &from) {
  constexpr size_t first = sizeof(to.firstWord);
  memcpy(reinterpret_cast<char *>(&to) + first,
         reinterpret_cast<const char *>(&from) + first, sizeof(to) - first);
}
/// Makes a slot free for the next producer.
inline void invalidate(Packet &p) {
  std::atomic_ref(p.firstWord).store(AQL_INVALID, std::memory_order_relaxed);
}

/// Fills all of a dispatch packet but its first word. The product of grid and
/// block must fit in 32 bits for each dimension.
inline void fillDispatch(DispatchPacket &p, const uint32_t grid[3],
                         const uint32_t block[3], uint32_t privateSize,
                         uint32_t groupSize, uint64_t kernelObject,
                         void *kernarg, SignalHandle completion) {
  for (int i = 0; i != 3; ++i) {
    p.workgroupSize[i] = uint16_t(block[i]);
    p.gridSize[i] = grid[i] * block[i];
  }
  p.reserved0 = 0;
  p.privateSegmentSize = privateSize;
  p.groupSegmentSize = groupSize;
  p.kernelObject = kernelObject;
  p.kernargAddress = kernarg;
  p.reserved2 = 0;
  p.completionSignal = completion;
}

/// Fills all of a barrier packet but its first word. The packet waits for
/// \p dependency; with a null handle it only marks a point of the queue.
inline void fillBarrier(BarrierPacket &p, SignalHandle dependency,
                        SignalHandle completion) {
  p.reserved1 = 0;
  p.depSignal[0] = dependency;
  for (int i = 1; i != 5; ++i)
    p.depSignal[i] = 0;
  p.reserved2 = 0;
  p.completionSignal = completion;
}

/// The number of dimensions of a dispatch, for the packet's setup field.
inline uint16_t dimensions(const uint32_t grid[3], const uint32_t block[3]) {
  if (grid[2] * block[2] > 1)
    return 3;
  return grid[1] * block[1] > 1 ? 2 : 1;
}

} // namespace xcc::rt::aql
#endif // XCC_SRC_COMMON_AQL_H
