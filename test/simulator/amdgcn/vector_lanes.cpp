// Instructions across lanes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes.h"
#include "semantics.h"

namespace amdgcn {

using u32 = uint32_t;
using u64 = uint64_t;

static u32 laneOf(Wave &W, const Operand &O, u32 Lane) {
  return O.isVector() ? W.row(O.Reg)[Lane] : u32(scalarValue(W, O));
}

/// The first active lane's value; lane 0's when none is.
static void readFirst(Wave &W, const Instruction &I) {
  u64 Exec = W.exec();
  u32 Lane = Exec ? u32(__builtin_ctzll(Exec)) : 0;
  setScalar(W, I.Op[0], laneOf(W, I.Op[1], Lane), false);
}

static void readLane(Wave &W, const Instruction &I) {
  u32 Lane = u32(scalarValue(W, I, 2)) & (W.Lanes - 1);
  setScalar(W, I.Op[0], laneOf(W, I.Op[1], Lane), false);
}

/// Whatever EXEC says.
static void writeLane(Wave &W, const Instruction &I) {
  u32 Lane = u32(scalarValue(W, I, 2)) & (W.Lanes - 1);
  W.row(I.Op[0].Reg)[Lane] = u32(scalarValue(W, I, 1));
}

/// Set bits of a mask below the lane, in its lower or its upper word.
template <bool Upper> static void countBelow(Wave &W, const Instruction &I) {
  alignas(64) u32 A[64], B[64], Out[64];
  const u32 *Mask = source(W, I, 1, A), *Sum = source(W, I, 2, B);
  for (u32 L = 0; L != W.Lanes; ++L) {
    u64 Below = (u64(1) << L) - 1;
    Out[L] =
        u32(std::popcount(Mask[L] & u32(Upper ? Below >> 32 : Below))) + Sum[L];
  }
  result(W, I, 0, Out);
}

/// v_permlane16: each lane of a row of 16 reads one that four bits of two
/// scalars name; v_permlanex16: of the other row of a pair.
template <bool Cross> static void permuteRows(Wave &W, const Instruction &I) {
  alignas(64) u32 Own[64], Out[64];
  Instruction Plain;
  Plain.Op[0] = I.Op[1];
  const u32 *From = source(W, Plain, 0, Own);
  u64 Lanes = scalarValue(W, I, 3) << 32 | u32(scalarValue(W, I, 2));
  u64 Exec = W.exec();
  const u32 *Old = W.row(I.Op[0].Reg);
  bool FetchInactive = I.OpSel & 1, BoundCtrl = I.OpSel & 2;
  for (u32 L = 0; L != W.Lanes; ++L) {
    u32 At = (L & ~15u) | (Lanes >> (4 * (L & 15)) & 15);
    if (Cross)
      At ^= 16;
    Out[L] = FetchInactive || (Exec >> At & 1) ? From[At]
             : BoundCtrl                       ? 0
                                               : Old[L];
  }
  Plain.Op[0] = I.Op[0];
  result(W, Plain, 0, Out);
}

/// Swaps the halves of a wave of 64.
static void permuteHalves(Wave &W, const Instruction &I) {
  alignas(64) u32 Own[64], Out[64];
  const u32 *From = source(W, I, 1, Own);
  for (u32 L = 0; L != W.Lanes; ++L)
    Out[L] = From[W.Lanes == 64 ? L ^ 32 : L];
  result(W, I, 0, Out);
}

static void swapRegisters(Wave &W, const Instruction &I) {
  u32 *A = W.row(I.Op[0].Reg), *B = W.row(I.Op[1].Reg);
  u64 Exec = W.exec();
  for (u32 L = 0; L != W.Lanes; ++L)
    if (Exec >> L & 1)
      std::swap(A[L], B[L]);
}

/// Registers numbered relative to M0.
static void moveBy(Wave &W, const Instruction &I, unsigned By, bool Source,
                   bool Destination) {
  Instruction Moved;
  Moved.Op[0] = I.Op[0];
  Moved.Op[1] = I.Op[1];
  if (Destination)
    Moved.Op[0].Reg = uint16_t(Moved.Op[0].Reg + By);
  if (Source)
    Moved.Op[1].Reg = uint16_t(Moved.Op[1].Reg + By);
  for (const Operand &O : {Moved.Op[0], Moved.Op[1]})
    if (O.isVector() && O.Reg >= W.Vectors)
      W.stop(Stop::Illegal, "v" + std::to_string(O.Reg) +
                                ", which M0 selects, is beyond the " +
                                std::to_string(W.Vectors) +
                                " registers of the wave");
  alignas(64) u32 Own[64], Out[64];
  const u32 *From = source(W, Moved, 1, Own);
  memcpy(Out, From, W.Lanes * 4);
  result(W, Moved, 0, Out);
}

template <bool Source, bool Destination>
static void moveRelative(Wave &W, const Instruction &I) {
  moveBy(W, I, W.S[M0], Source, Destination);
}

/// v_mov_b32 on gfx9 while indexing is on; LLVM indexes no other.
void runIndexed(Wave &W, const Instruction &I) {
  if (I.Mnemonic != "v_mov_b32" || (I.Modifiers & (ModDpp | ModSdwa)))
    W.stop(Stop::Illegal, "the instruction is not known with indices");
  moveBy(W, I, W.S[M0] & 0xff, W.IndexMode & Wave::IndexSource,
         W.IndexMode & Wave::IndexDestination);
}

/// "s_set_gpr_idx_on index, gpr_idx(SRC0,DST)".
static void indexOn(Wave &W, const Instruction &I) {
  std::string_view Text = I.Op[1].Text;
  W.IndexMode = 0;
  if (Text.find("SRC0") != Text.npos)
    W.IndexMode |= Wave::IndexSource;
  if (Text.find("DST") != Text.npos)
    W.IndexMode |= Wave::IndexDestination;
  if (Text.find("SRC1") != Text.npos || Text.find("SRC2") != Text.npos)
    W.stop(Stop::Illegal, "only the first source and the destination are known "
                          "with indices");
  W.S[M0] = (W.S[M0] & 0xffff0f00) | (u32(scalarValue(W, I, 0)) & 0xff) |
            W.IndexMode << 12;
}
static void indexOff(Wave &W, const Instruction &) { W.IndexMode = 0; }
static void setIndex(Wave &W, const Instruction &I) {
  W.S[M0] = (W.S[M0] & ~0xffu) | (u32(scalarValue(W, I, 0)) & 0xff);
}

void addVectorLanes(Table &T) {
  T.add("s_set_gpr_idx_on", {indexOn, {Type::B32}, 0, 0});
  T.add("s_set_gpr_idx_off", {indexOff});
  T.add("s_set_gpr_idx_idx", {setIndex, {Type::B32}, 0, 0});
  T.add("v_readfirstlane_b32", {readFirst, {Type::B32, Type::B32}});
  T.add("v_readlane_b32", {readLane, {Type::B32, Type::B32, Type::B32}});
  T.add("v_writelane_b32", {writeLane, {Type::B32, Type::B32, Type::B32}});
  T.add("v_mbcnt_lo_u32_b32",
        {countBelow<false>, {Type::B32, Type::B32, Type::B32}});
  T.add("v_mbcnt_hi_u32_b32",
        {countBelow<true>, {Type::B32, Type::B32, Type::B32}});
  Semantics Rows{permuteRows<false>,
                 {Type::B32, Type::B32, Type::B32, Type::B32},
                 ModOpSel,
                 1};
  T.add("v_permlane16_b32", Rows);
  Rows.Run = permuteRows<true>;
  T.add("v_permlanex16_b32", Rows);
  T.add("v_permlane64_b32", {permuteHalves, {Type::B32, Type::B32}});
  T.add("v_swap_b32", {swapRegisters, {Type::B32, Type::B32}});
  T.add("v_movrels_b32", {moveRelative<true, false>, {Type::B32, Type::B32}});
  T.add("v_movreld_b32", {moveRelative<false, true>, {Type::B32, Type::B32}});
  T.add("v_movrelsd_b32", {moveRelative<true, true>, {Type::B32, Type::B32}});
}

} // namespace amdgcn
