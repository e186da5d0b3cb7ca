// Instructions across lanes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes.h"
#include "semantics.h"

namespace amdgcn {

using u32 = uint32_t;
using u64 = uint64_t;

static u32 laneOf(Wave &w, const Operand &o, u32 lane) {
  return o.isVector() ? w.row(o.reg)[lane] : u32(scalarValue(w, o));
}

/// The first active lane's value; lane 0's when none is.
static void readFirst(Wave &w, const Instruction &i) {
  u64 exec = w.exec();
  u32 lane = exec ? u32(__builtin_ctzll(exec)) : 0;
  setScalar(w, i.op[0], laneOf(w, i.op[1], lane), false);
}

static void readLane(Wave &w, const Instruction &i) {
  u32 lane = u32(scalarValue(w, i, 2)) & (w.lanes - 1);
  setScalar(w, i.op[0], laneOf(w, i.op[1], lane), false);
}

/// Whatever EXEC says.
static void writeLane(Wave &w, const Instruction &i) {
  u32 lane = u32(scalarValue(w, i, 2)) & (w.lanes - 1);
  w.row(i.op[0].reg)[lane] = u32(scalarValue(w, i, 1));
}

/// Set bits of a mask below the lane, in its lower or its upper word.
template <bool Upper> static void countBelow(Wave &w, const Instruction &i) {
  alignas(64) u32 a[64], b[64], out[64];
  const u32 *mask = source(w, i, 1, a), *sum = source(w, i, 2, b);
  for (u32 l = 0; l != w.lanes; ++l) {
    u64 below = (u64(1) << l) - 1;
    out[l] =
        u32(std::popcount(mask[l] & u32(Upper ? below >> 32 : below))) + sum[l];
  }
  result(w, i, 0, out);
}

/// v_permlane16: each lane of a row of 16 reads one that four bits of two
/// scalars name; v_permlanex16: of the other row of a pair.
template <bool Cross> static void permuteRows(Wave &w, const Instruction &i) {
  alignas(64) u32 own[64], out[64];
  const u32 *from = source(w, i, i.op[1], false, own);
  u64 lanes = scalarValue(w, i, 3) << 32 | u32(scalarValue(w, i, 2));
  u64 exec = w.exec();
  const u32 *old = w.row(i.op[0].reg);
  bool fetchInactive = i.opSel & 1, boundCtrl = i.opSel & 2;
  for (u32 l = 0; l != w.lanes; ++l) {
    u32 at = (l & ~15u) | (lanes >> (4 * (l & 15)) & 15);
    if (Cross)
      at ^= 16;
    out[l] = fetchInactive || (exec >> at & 1) ? from[at]
             : boundCtrl                       ? 0
                                               : old[l];
  }
  writeLanes(w, i.op[0], out);
}

/// Swaps the halves of a wave of 64.
static void permuteHalves(Wave &w, const Instruction &i) {
  alignas(64) u32 own[64], out[64];
  const u32 *from = source(w, i, 1, own);
  for (u32 l = 0; l != w.lanes; ++l)
    out[l] = from[w.lanes == 64 ? l ^ 32 : l];
  result(w, i, 0, out);
}

static void swapRegisters(Wave &w, const Instruction &i) {
  u32 *a = w.row(i.op[0].reg), *b = w.row(i.op[1].reg);
  u64 exec = w.exec();
  for (u32 l = 0; l != w.lanes; ++l)
    if (exec >> l & 1)
      std::swap(a[l], b[l]);
}

static void swapHalves(Wave &w, const Instruction &i) {
  u32 *a = w.row(i.op[0].reg), *b = w.row(i.op[1].reg);
  const unsigned ofA = 16 * i.op[0].high, ofB = 16 * i.op[1].high;
  for (u64 m = w.exec(); m; m &= m - 1) {
    const auto l = unsigned(__builtin_ctzll(m));
    const u32 x = a[l] >> ofA & 0xffff, y = b[l] >> ofB & 0xffff;
    a[l] = (a[l] & ~(0xffffu << ofA)) | y << ofA;
    b[l] = (b[l] & ~(0xffffu << ofB)) | x << ofB;
  }
}

/// Registers numbered relative to M0.
static void moveBy(Wave &w, const Instruction &i, unsigned by, bool ofSource,
                   bool ofDestination) {
  Instruction moved;
  moved.op[0] = i.op[0];
  moved.op[1] = i.op[1];
  if (ofDestination)
    moved.op[0].reg = uint16_t(moved.op[0].reg + by);
  if (ofSource)
    moved.op[1].reg = uint16_t(moved.op[1].reg + by);
  for (const Operand &o : {moved.op[0], moved.op[1]})
    if (o.isVector() && o.reg >= w.vectors)
      w.stop(Stop::Illegal, "v" + std::to_string(o.reg) +
                                ", which M0 selects, is beyond the " +
                                std::to_string(w.vectors) +
                                " registers of the wave");
  alignas(64) u32 own[64], out[64];
  const u32 *from = source(w, moved, 1, own);
  memcpy(out, from, w.lanes * 4);
  result(w, moved, 0, out);
}

template <bool Source, bool Destination>
static void moveRelative(Wave &w, const Instruction &i) {
  moveBy(w, i, w.s[M0], Source, Destination);
}

/// v_mov_b32 on gfx9 while indexing is on; LLVM indexes no other.
void runIndexed(Wave &w, const Instruction &i) {
  if (i.mnemonic != "v_mov_b32" || (i.modifiers & (ModDpp | ModSdwa)))
    w.stop(Stop::Illegal, "the instruction is not known with indices");
  moveBy(w, i, w.s[M0] & 0xff, w.indexMode & Wave::IndexSource,
         w.indexMode & Wave::IndexDestination);
}

/// "s_set_gpr_idx_on index, gpr_idx(SRC0,DST)".
static void indexOn(Wave &w, const Instruction &i) {
  std::string_view text = i.op[1].text;
  w.indexMode = 0;
  if (text.find("SRC0") != text.npos)
    w.indexMode |= Wave::IndexSource;
  if (text.find("DST") != text.npos)
    w.indexMode |= Wave::IndexDestination;
  if (text.find("SRC1") != text.npos || text.find("SRC2") != text.npos)
    w.stop(Stop::Illegal, "only the first source and the destination are known "
                          "with indices");
  w.s[M0] = (w.s[M0] & 0xffff0f00) | (u32(scalarValue(w, i, 0)) & 0xff) |
            w.indexMode << 12;
}
static void indexOff(Wave &w, const Instruction &) { w.indexMode = 0; }
static void setIndex(Wave &w, const Instruction &i) {
  w.s[M0] = (w.s[M0] & ~0xffu) | (u32(scalarValue(w, i, 0)) & 0xff);
}

void addVectorLanes(Table &t) {
  t.add("s_set_gpr_idx_on", {indexOn, {Type::B32}, 0, 0});
  t.add("s_set_gpr_idx_off", {indexOff});
  t.add("s_set_gpr_idx_idx", {setIndex, {Type::B32}, 0, 0});
  t.add("v_readfirstlane_b32", {readFirst, {Type::B32, Type::B32}});
  t.add("v_readlane_b32", {readLane, {Type::B32, Type::B32, Type::B32}});
  t.add("v_writelane_b32", {writeLane, {Type::B32, Type::B32, Type::B32}});
  t.add("v_mbcnt_lo_u32_b32",
        {countBelow<false>, {Type::B32, Type::B32, Type::B32}});
  t.add("v_mbcnt_hi_u32_b32",
        {countBelow<true>, {Type::B32, Type::B32, Type::B32}});
  Semantics rows{permuteRows<false>,
                 {Type::B32, Type::B32, Type::B32, Type::B32},
                 ModOpSel,
                 1};
  t.add("v_permlane16_b32", rows);
  rows.run = permuteRows<true>;
  t.add("v_permlanex16_b32", rows);
  t.add("v_permlane64_b32", {permuteHalves, {Type::B32, Type::B32}});
  t.add("v_swap_b32", {swapRegisters, {Type::B32, Type::B32}});
  t.add("v_swap_b16", {swapHalves, {Type::B16, Type::B16}});
  t.add("v_movrels_b32", {moveRelative<true, false>, {Type::B32, Type::B32}});
  t.add("v_movreld_b32", {moveRelative<false, true>, {Type::B32, Type::B32}});
  t.add("v_movrelsd_b32", {moveRelative<true, true>, {Type::B32, Type::B32}});
}

} // namespace amdgcn
