// User-mode queues in the HSA layout
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packets and signals as the HSA specification (Architected Queueing Language,
// chapter 2.9) lays them out, and the code that fills a packet. The CPU device
// and AMD GPUs take the same packets, so both queues are fed from here.
//
// A packet's first 32 bits are written last, with release order: a header that
// is not AQL_INVALID says that the rest of the packet can be read.

#ifndef XCC_SRC_AQL_H
#define XCC_SRC_AQL_H

#include <atomic>
#include <cstddef>
#include <cstdint>

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
/// How far memory operations are made visible.
enum FenceScope { ScopeNone = 0, ScopeAgent = 1, ScopeSystem = 2 };

/// The handle of a signal: for the CPU device the address of an aql::Signal.
using SignalHandle = uint64_t;

///     0        2       4       6       8       10    12   16   20
///     | header | setup | wg.x  | wg.y  | wg.z  | 0   |gr.x|gr.y|gr.z|
///     24        28      32      40        48   56           64
///     | private | group | object| kernarg | 0  | completion |
struct DispatchPacket {
  uint16_t Header;
  uint16_t Setup; ///< dimensions, 1 to 3
  uint16_t WorkgroupSize[3];
  uint16_t Reserved0;
  uint32_t GridSize[3]; ///< work-items
  uint32_t PrivateSegmentSize;
  uint32_t GroupSegmentSize;
  uint64_t KernelObject;
  void *KernargAddress;
  uint64_t Reserved2;
  SignalHandle CompletionSignal;
};
static_assert(sizeof(DispatchPacket) == 64);
static_assert(offsetof(DispatchPacket, GridSize) == 12);
static_assert(offsetof(DispatchPacket, KernelObject) == 32);
static_assert(offsetof(DispatchPacket, CompletionSignal) == 56);

///     0        2    4       8            48   56           64
///     | header | 0  | 0     | dep[0..4]  | 0  | completion |
struct BarrierPacket {
  uint16_t Header;
  uint16_t Reserved0;
  uint32_t Reserved1;
  SignalHandle DepSignal[5]; ///< all must be 0 (or the handle null)
  uint64_t Reserved2;
  SignalHandle CompletionSignal;
};
static_assert(sizeof(BarrierPacket) == 64);
static_assert(offsetof(BarrierPacket, DepSignal) == 8);

union alignas(64) Packet {
  uint32_t FirstWord; ///< header and setup, accessed atomically
  DispatchPacket Dispatch;
  BarrierPacket Barrier;
};
static_assert(sizeof(Packet) == 64);

/// What a queue shows of itself (hsa_queue_t).
struct QueueHeader {
  uint32_t Type;     ///< 0: several producers
  uint32_t Features; ///< 1: takes kernel dispatches
  void *BaseAddress;
  SignalHandle DoorbellSignal;
  uint32_t Size; ///< packets, a power of two
  uint32_t Reserved1;
  uint64_t Id;
};
static_assert(sizeof(QueueHeader) == 40);

constexpr uint16_t header(PacketType Type) {
  // The barrier bit keeps a stream's packets in order.
  return uint16_t(Type << TypeBit | 1 << BarrierBit |
                  ScopeSystem << AcquireBit | ScopeSystem << ReleaseBit);
}
inline PacketType typeOf(uint32_t FirstWord) {
  return PacketType(FirstWord & 0xff);
}

inline uint32_t loadFirstWord(Packet &P, std::memory_order Order) {
  return std::atomic_ref(P.FirstWord).load(Order);
}
/// Hands the packet over: everything written before is visible to whoever
/// reads the new header.
inline void publish(Packet &P, PacketType Type, uint16_t Setup) {
  std::atomic_ref(P.FirstWord)
      .store(header(Type) | uint32_t(Setup) << 16, std::memory_order_release);
}
/// Makes a slot free for the next producer.
inline void invalidate(Packet &P) {
  std::atomic_ref(P.FirstWord).store(AQL_INVALID, std::memory_order_relaxed);
}

/// Fills all of a dispatch packet but its first word. Every grid dimension
/// times the block's fits 32 bits.
inline void fillDispatch(DispatchPacket &P, const uint32_t Grid[3],
                         const uint32_t Block[3], uint32_t PrivateSize,
                         uint32_t GroupSize, uint64_t KernelObject,
                         void *Kernarg, SignalHandle Completion) {
  for (int I = 0; I != 3; ++I) {
    P.WorkgroupSize[I] = uint16_t(Block[I]);
    P.GridSize[I] = Grid[I] * Block[I];
  }
  P.Reserved0 = 0;
  P.PrivateSegmentSize = PrivateSize;
  P.GroupSegmentSize = GroupSize;
  P.KernelObject = KernelObject;
  P.KernargAddress = Kernarg;
  P.Reserved2 = 0;
  P.CompletionSignal = Completion;
}

/// Fills all of a barrier packet but its first word: a wait for \p Dependency,
/// or, with a null handle, a point to complete.
inline void fillBarrier(BarrierPacket &P, SignalHandle Dependency,
                        SignalHandle Completion) {
  P.Reserved1 = 0;
  P.DepSignal[0] = Dependency;
  for (int I = 1; I != 5; ++I)
    P.DepSignal[I] = 0;
  P.Reserved2 = 0;
  P.CompletionSignal = Completion;
}

/// The dimensions a dispatch uses, for the packet's setup field.
inline uint16_t dimensions(const uint32_t Grid[3], const uint32_t Block[3]) {
  if (Grid[2] * Block[2] > 1)
    return 3;
  return Grid[1] * Block[1] > 1 ? 2 : 1;
}

} // namespace xcc::rt::aql
#endif // XCC_SRC_AQL_H
