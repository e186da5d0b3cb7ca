// Our packets are HSA's packets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/aql.h"

#include <gtest/gtest.h>

#if __has_include(<hsa/hsa.h>)
#include <hsa/hsa.h>

using namespace xcc::rt::aql;

#define SAME(Ours, OurField, Theirs, TheirField)                               \
  static_assert(offsetof(Ours, OurField) == offsetof(Theirs, TheirField))

using HsaDispatch = hsa_kernel_dispatch_packet_t;
static_assert(sizeof(DispatchPacket) == sizeof(HsaDispatch));
SAME(DispatchPacket, header, HsaDispatch, header);
SAME(DispatchPacket, setup, HsaDispatch, setup);
SAME(DispatchPacket, workgroupSize, HsaDispatch, workgroup_size_x);
SAME(DispatchPacket, gridSize, HsaDispatch, grid_size_x);
SAME(DispatchPacket, privateSegmentSize, HsaDispatch, private_segment_size);
SAME(DispatchPacket, groupSegmentSize, HsaDispatch, group_segment_size);
SAME(DispatchPacket, kernelObject, HsaDispatch, kernel_object);
SAME(DispatchPacket, kernargAddress, HsaDispatch, kernarg_address);
SAME(DispatchPacket, completionSignal, HsaDispatch, completion_signal);

using HsaBarrier = hsa_barrier_and_packet_t;
static_assert(sizeof(BarrierPacket) == sizeof(HsaBarrier));
SAME(BarrierPacket, header, HsaBarrier, header);
SAME(BarrierPacket, depSignal, HsaBarrier, dep_signal);
SAME(BarrierPacket, completionSignal, HsaBarrier, completion_signal);

static_assert(sizeof(QueueHeader) == sizeof(hsa_queue_t));
SAME(QueueHeader, type, hsa_queue_t, type);
SAME(QueueHeader, baseAddress, hsa_queue_t, base_address);
SAME(QueueHeader, doorbellSignal, hsa_queue_t, doorbell_signal);
SAME(QueueHeader, size, hsa_queue_t, size);
SAME(QueueHeader, id, hsa_queue_t, id);

static_assert(int(AQL_INVALID) == int(HSA_PACKET_TYPE_INVALID));
static_assert(int(AQL_DISPATCH) == int(HSA_PACKET_TYPE_KERNEL_DISPATCH));
static_assert(int(AQL_BARRIER_AND) == int(HSA_PACKET_TYPE_BARRIER_AND));
static_assert(int(BarrierBit) == int(HSA_PACKET_HEADER_BARRIER));
static_assert(int(AcquireBit) == int(HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE));
static_assert(int(ReleaseBit) == int(HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE));
static_assert(int(ScopeSystem) == int(HSA_FENCE_SCOPE_SYSTEM));

TEST(Aql, FilledPacket) {
  Packet p;
  memset(&p, 0xee, sizeof(p));
  invalidate(p);
  uint32_t grid[3] = {3, 4, 5}, block[3] = {7, 8, 2};
  fillDispatch(p.dispatch, grid, block, 16, 32, 0x1000, &p, 0x2000);
  publish(p, AQL_DISPATCH, dimensions(grid, block));
  HsaDispatch h;
  memcpy(&h, &p, sizeof(h));
  EXPECT_EQ(h.header & 0xff, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_EQ(h.setup, 3);
  EXPECT_EQ(h.workgroup_size_y, 8);
  EXPECT_EQ(h.grid_size_x, 21u);
  EXPECT_EQ(h.grid_size_z, 10u);
  EXPECT_EQ(h.private_segment_size, 16u);
  EXPECT_EQ(h.group_segment_size, 32u);
  EXPECT_EQ(h.kernel_object, 0x1000u);
  EXPECT_EQ(h.kernarg_address, &p);
  EXPECT_EQ(h.reserved0, 0);
  EXPECT_EQ(h.reserved2, 0u);
  EXPECT_EQ(h.completion_signal.handle, 0x2000u);
}
#endif
