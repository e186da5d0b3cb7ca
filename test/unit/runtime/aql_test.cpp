// Our packets are HSA's packets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/aql.h"

#include <gtest/gtest.h>

#if __has_include(<hsa/hsa.h>)
#include <hsa/hsa.h>

using namespace xcc::rt::aql;

#define SAME(Ours, OurField, Theirs, TheirField)                               \
  static_assert(offsetof(Ours, OurField) == offsetof(Theirs, TheirField))

using HsaDispatch = hsa_kernel_dispatch_packet_t;
static_assert(sizeof(DispatchPacket) == sizeof(HsaDispatch));
SAME(DispatchPacket, Header, HsaDispatch, header);
SAME(DispatchPacket, Setup, HsaDispatch, setup);
SAME(DispatchPacket, WorkgroupSize, HsaDispatch, workgroup_size_x);
SAME(DispatchPacket, GridSize, HsaDispatch, grid_size_x);
SAME(DispatchPacket, PrivateSegmentSize, HsaDispatch, private_segment_size);
SAME(DispatchPacket, GroupSegmentSize, HsaDispatch, group_segment_size);
SAME(DispatchPacket, KernelObject, HsaDispatch, kernel_object);
SAME(DispatchPacket, KernargAddress, HsaDispatch, kernarg_address);
SAME(DispatchPacket, CompletionSignal, HsaDispatch, completion_signal);

using HsaBarrier = hsa_barrier_and_packet_t;
static_assert(sizeof(BarrierPacket) == sizeof(HsaBarrier));
SAME(BarrierPacket, Header, HsaBarrier, header);
SAME(BarrierPacket, DepSignal, HsaBarrier, dep_signal);
SAME(BarrierPacket, CompletionSignal, HsaBarrier, completion_signal);

static_assert(sizeof(QueueHeader) == sizeof(hsa_queue_t));
SAME(QueueHeader, Type, hsa_queue_t, type);
SAME(QueueHeader, BaseAddress, hsa_queue_t, base_address);
SAME(QueueHeader, DoorbellSignal, hsa_queue_t, doorbell_signal);
SAME(QueueHeader, Size, hsa_queue_t, size);
SAME(QueueHeader, Id, hsa_queue_t, id);

static_assert(int(AQL_INVALID) == int(HSA_PACKET_TYPE_INVALID));
static_assert(int(AQL_DISPATCH) == int(HSA_PACKET_TYPE_KERNEL_DISPATCH));
static_assert(int(AQL_BARRIER_AND) == int(HSA_PACKET_TYPE_BARRIER_AND));
static_assert(int(BarrierBit) == int(HSA_PACKET_HEADER_BARRIER));
static_assert(int(AcquireBit) == int(HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE));
static_assert(int(ReleaseBit) == int(HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE));
static_assert(int(ScopeSystem) == int(HSA_FENCE_SCOPE_SYSTEM));

TEST(Aql, FilledPacket) {
  Packet P;
  memset(&P, 0xee, sizeof(P));
  invalidate(P);
  uint32_t Grid[3] = {3, 4, 5}, Block[3] = {7, 8, 2};
  fillDispatch(P.Dispatch, Grid, Block, 16, 32, 0x1000, &P, 0x2000);
  publish(P, AQL_DISPATCH, dimensions(Grid, Block));
  HsaDispatch H;
  memcpy(&H, &P, sizeof(H));
  EXPECT_EQ(H.header & 0xff, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_EQ(H.setup, 3);
  EXPECT_EQ(H.workgroup_size_y, 8);
  EXPECT_EQ(H.grid_size_x, 21u);
  EXPECT_EQ(H.grid_size_z, 10u);
  EXPECT_EQ(H.private_segment_size, 16u);
  EXPECT_EQ(H.group_segment_size, 32u);
  EXPECT_EQ(H.kernel_object, 0x1000u);
  EXPECT_EQ(H.kernarg_address, &P);
  EXPECT_EQ(H.reserved0, 0);
  EXPECT_EQ(H.reserved2, 0u);
  EXPECT_EQ(H.completion_signal.handle, 0x2000u);
}
#endif
