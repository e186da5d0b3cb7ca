// Instructions of a workgroup's shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// And those that only use its network to move values between lanes.

#include "access.h"
#include "semantics.h"

namespace amdgcn {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

/// The sum wraps: code has bases below 0.
static u32 addressOf(Wave &w, const Instruction &i, unsigned n, unsigned lane) {
  return w.row(i.op[n].reg)[lane] + u32(i.offset);
}
static void addresses(Wave &w, const Instruction &i, unsigned n, u32 offset,
                      u64 *out) {
  const u32 *row = w.row(i.op[n].reg);
  for (unsigned l = 0; l != w.lanes; ++l)
    out[l] = u32(row[l] + offset);
}

/// Reads into registers from \p row on.
template <unsigned Bytes, Form F>
static void readAt(Wave &w, const u64 *at, unsigned row, bool keepHalf) {
  if (Reached all; areMany(w) && reachLds(w, at, Bytes, all))
    return loadAll<Bytes, F>(w, row, at, all, keepHalf);
  const Rows<Bytes> rows(w, row);
  forActive(w, [&](unsigned l) {
    loadLane<Bytes, F>(rows, l, w.lds(l, at[l], Bytes, Access::Read), keepHalf);
  });
}
/// The same; operand \p n has the addresses.
template <unsigned Bytes, Form F>
static void readInto(Wave &w, const Instruction &i, unsigned n, u32 offset,
                     unsigned row, bool keepHalf) {
  if constexpr (Bytes == 4 && F == Form::Words)
    if (readSharedWords(w, w.row(i.op[n].reg), offset, w.row(row)))
      return;
  u64 at[64];
  addresses(w, i, n, offset, at);
  readAt<Bytes, F>(w, at, row, keepHalf);
}

template <unsigned Bytes, Form F>
static void writeFrom(Wave &w, const u64 *at, unsigned row) {
  if (tellsZones<Bytes, F>(w, row, at, /*flat=*/false, /*shared=*/true))
    return;
  bool changed = false;
  if (Reached all; areMany(w) && reachLds(w, at, Bytes, all)) {
    changed = storeAll<Bytes, F>(w, row, at, all);
  } else {
    const Rows<Bytes> rows(w, row);
    forActive(w, [&](unsigned l) {
      changed |=
          storeLane<Bytes, F>(rows, l, w.lds(l, at[l], Bytes, Access::Write));
    });
  }
  if (changed)
    noteChange(w);
}

template <unsigned Bytes, Form F>
static void read(Wave &w, const Instruction &i) {
  readInto<Bytes, F>(w, i, 1, u32(i.offset), i.op[0].reg,
                     archOf(w).loadsKeepHalves);
}

template <unsigned Bytes, Form F>
static void write(Wave &w, const Instruction &i) {
  u64 at[64];
  addresses(w, i, 0, u32(i.offset), at);
  writeFrom<Bytes, F>(w, at, i.op[1].reg);
}

/// Two values, at offsets counted in values, or in 64 of them.
template <unsigned Bytes, unsigned Stride>
static void readTwo(Wave &w, const Instruction &i) {
  const unsigned row = i.op[0].reg, address = i.op[1].reg;
  // The first value must not take the address of the second away.
  if (address - row < Bytes / 4) {
    u64 first[64], second[64];
    addresses(w, i, 1, i.offset0 * Bytes * Stride, first);
    addresses(w, i, 1, i.offset1 * Bytes * Stride, second);
    readAt<Bytes, Form::Words>(w, first, row, true);
    readAt<Bytes, Form::Words>(w, second, row + Bytes / 4, true);
    return;
  }
  readInto<Bytes, Form::Words>(w, i, 1, i.offset0 * Bytes * Stride, row, true);
  readInto<Bytes, Form::Words>(w, i, 1, i.offset1 * Bytes * Stride,
                               row + Bytes / 4, true);
}
template <unsigned Bytes, unsigned Stride>
static void writeTwo(Wave &w, const Instruction &i) {
  u64 at[64];
  addresses(w, i, 0, i.offset0 * Bytes * Stride, at);
  writeFrom<Bytes, Form::Words>(w, at, i.op[1].reg);
  addresses(w, i, 0, i.offset1 * Bytes * Stride, at);
  writeFrom<Bytes, Form::Words>(w, at, i.op[2].reg);
}

template <class T, auto F, bool Returns>
static void atomic(Wave &w, const Instruction &i) {
  bool changed = false;
  unsigned address = Returns;
  forActive(w, [&](unsigned l) {
    u64 at = addressOf(w, i, address, l);
    if (at % sizeof(T))
      w.stop(Stop::Aperture, "an atomic access that is not aligned", int(l));
    T old = update<T, F>(w.lds(l, at, sizeof(T), Access::Atomic),
                         laneValue<T>(w, i.op[address + 1].reg, l), changed);
    if (Returns)
      setLaneValue(w, i.op[0].reg, l, old);
  });
  if (changed)
    noteChange(w);
}

/// ds_cmpst has the expected value first, ds_cmpstore the new one.
template <class T, bool Returns, bool NewFirst>
static void compareStore(Wave &w, const Instruction &i) {
  bool changed = false;
  unsigned address = Returns;
  forActive(w, [&](unsigned l) {
    u64 at = addressOf(w, i, address, l);
    if (at % sizeof(T))
      w.stop(Stop::Aperture, "an atomic access that is not aligned", int(l));
    T first = laneValue<T>(w, i.op[address + 1].reg, l),
      second = laneValue<T>(w, i.op[address + 2].reg, l);
    T old = compareAndSwap<T>(w.lds(l, at, sizeof(T), Access::Atomic),
                              NewFirst ? first : second,
                              NewFirst ? second : first, changed);
    if (Returns)
      setLaneValue(w, i.op[0].reg, l, old);
  });
  if (changed)
    noteChange(w);
}

//===----------------------------------------------------------------------===//
// Between lanes
//===----------------------------------------------------------------------===//

/// Every lane reads from one that it names. gfx10 and gfx11 move values within
/// each 32 lanes, in waves of 64 too. What an inactive lane gives is 0.
static void permuteBack(Wave &w, const Instruction &i) {
  int major = archOf(w).major;
  u32 lanes = major == 10 || major == 11 ? 32 : w.lanes;
  u64 exec = w.exec();
  alignas(64) u32 out[64];
  const u32 *index = w.row(i.op[1].reg), *value = w.row(i.op[2].reg);
  for (u32 l = 0; l != w.lanes; ++l) {
    u32 at =
        ((index[l] + u32(i.offset)) / 4 & (lanes - 1)) | (l & ~(lanes - 1));
    out[l] = exec >> at & 1 ? value[at] : 0;
  }
  writeLanes(w, i.op[0], out);
}

/// Every lane gives its value to one that it names; of several, the highest
/// lane's stays.
static void permuteForth(Wave &w, const Instruction &i) {
  int major = archOf(w).major;
  u32 lanes = major == 10 || major == 11 ? 32 : w.lanes;
  alignas(64) u32 out[64] = {};
  const u32 *index = w.row(i.op[1].reg), *value = w.row(i.op[2].reg);
  forActive(w, [&](unsigned l) {
    u32 at =
        ((index[l] + u32(i.offset)) / 4 & (lanes - 1)) | (l & ~(lanes - 1));
    out[at] = value[l];
  });
  writeLanes(w, i.op[0], out);
}

/// "swizzle(...)" is in the offset's bits; here its encoding decides.
static void swizzle(Wave &w, const Instruction &i) {
  u32 pattern = u32(i.offset) & 0xffff;
  u64 exec = w.exec();
  alignas(64) u32 out[64];
  const u32 *value = w.row(i.op[1].reg);
  for (u32 l = 0; l != w.lanes; ++l) {
    u32 at;
    if ((pattern & 0xe000) == 0xe000 || (pattern & 0xe000) == 0xc000)
      w.stop(Stop::Illegal, "this swizzle pattern is not known");
    if (pattern & 0x8000)
      at = (l & ~3u) | (pattern >> (2 * (l & 3)) & 3);
    else {
      u32 andMask = pattern & 31, orMask = pattern >> 5 & 31,
          xorMask = pattern >> 10 & 31;
      at = (l & ~31u) | ((((l & 31) & andMask) | orMask) ^ xorMask);
    }
    out[l] = exec >> at & 1 ? value[at] : 0;
  }
  writeLanes(w, i.op[0], out);
}

//===----------------------------------------------------------------------===//

template <class T, auto F>
static void addAtomic(Table &to, std::initializer_list<const char *> names) {
  for (std::string name : names) {
    to.add(keep("ds_" + name), {atomic<T, F, false>, {}, ModOffset});
    size_t kind = name.rfind('_');
    to.add(keep("ds_" + name.substr(0, kind) + "_rtn" + name.substr(kind)),
           {atomic<T, F, true>, {}, ModOffset});
  }
}

static void addAtomics(Table &t) {
  addAtomic<u32, [](u32 a, u32 b) { return a + b; }>(t, {"add_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return a + b; }>(t, {"add_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return a - b; }>(t, {"sub_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return a - b; }>(t, {"sub_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return b - a; }>(t, {"rsub_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return b - a; }>(t, {"rsub_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return Increment(a, b); }>(t, {"inc_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return Increment(a, b); }>(t, {"inc_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return Decrement(a, b); }>(t, {"dec_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return Decrement(a, b); }>(t, {"dec_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return std::min(a, b); }>(t, {"min_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return std::min(a, b); }>(t, {"min_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return std::max(a, b); }>(t, {"max_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return std::max(a, b); }>(t, {"max_u64"});
  addAtomic<i32, [](i32 a, i32 b) { return std::min(a, b); }>(t, {"min_i32"});
  addAtomic<i64, [](i64 a, i64 b) { return std::min(a, b); }>(t, {"min_i64"});
  addAtomic<i32, [](i32 a, i32 b) { return std::max(a, b); }>(t, {"max_i32"});
  addAtomic<i64, [](i64 a, i64 b) { return std::max(a, b); }>(t, {"max_i64"});
  addAtomic<u32, [](u32 a, u32 b) { return a & b; }>(t, {"and_b32"});
  addAtomic<u64, [](u64 a, u64 b) { return a & b; }>(t, {"and_b64"});
  addAtomic<u32, [](u32 a, u32 b) { return a | b; }>(t, {"or_b32"});
  addAtomic<u64, [](u64 a, u64 b) { return a | b; }>(t, {"or_b64"});
  addAtomic<u32, [](u32 a, u32 b) { return a ^ b; }>(t, {"xor_b32"});
  addAtomic<u64, [](u64 a, u64 b) { return a ^ b; }>(t, {"xor_b64"});
  addAtomic<float, [](float a, float b) { return arith(a + b); }>(t,
                                                                  {"add_f32"});
  addAtomic<double, [](double a, double b) { return arith(a + b); }>(
      t, {"add_f64"});
  addAtomic<float, [](float a, float b) { return minNum(a, b); }>(
      t, {"min_f32", "min_num_f32"});
  addAtomic<float, [](float a, float b) { return maxNum(a, b); }>(
      t, {"max_f32", "max_num_f32"});
  addAtomic<double, [](double a, double b) { return minNum(a, b); }>(
      t, {"min_f64", "min_num_f64"});
  addAtomic<double, [](double a, double b) { return maxNum(a, b); }>(
      t, {"max_f64", "max_num_f64"});
  auto swap32 = atomic<u32, [](u32, u32 b) { return b; }, true>;
  auto swap64 = atomic<u64, [](u64, u64 b) { return b; }, true>;
  t.add("ds_wrxchg_rtn_b32 ds_storexchg_rtn_b32", {swap32, {}, ModOffset});
  t.add("ds_wrxchg_rtn_b64 ds_storexchg_rtn_b64", {swap64, {}, ModOffset});
  t.add("ds_cmpst_b32", {compareStore<u32, false, false>, {}, ModOffset});
  t.add("ds_cmpst_b64", {compareStore<u64, false, false>, {}, ModOffset});
  t.add("ds_cmpst_rtn_b32", {compareStore<u32, true, false>, {}, ModOffset});
  t.add("ds_cmpst_rtn_b64", {compareStore<u64, true, false>, {}, ModOffset});
  t.add("ds_cmpstore_b32", {compareStore<u32, false, true>, {}, ModOffset});
  t.add("ds_cmpstore_b64", {compareStore<u64, false, true>, {}, ModOffset});
  t.add("ds_cmpstore_rtn_b32", {compareStore<u32, true, true>, {}, ModOffset});
  t.add("ds_cmpstore_rtn_b64", {compareStore<u64, true, true>, {}, ModOffset});
}

void addLds(Table &t) {
  auto add = [&](std::string_view names, Handler run) {
    t.add(names, {run, {}, ModOffset});
  };
  add("ds_read_b32 ds_load_b32", read<4, Form::Words>);
  add("ds_read_b64 ds_load_b64", read<8, Form::Words>);
  add("ds_read_b96 ds_load_b96", read<12, Form::Words>);
  add("ds_read_b128 ds_load_b128", read<16, Form::Words>);
  add("ds_read_u8 ds_load_u8", read<1, Form::Zero>);
  add("ds_read_i8 ds_load_i8", read<1, Form::Sign>);
  add("ds_read_u16 ds_load_u16", read<2, Form::Zero>);
  add("ds_read_i16 ds_load_i16", read<2, Form::Sign>);
  add("ds_read_u16_d16 ds_load_u16_d16", read<2, Form::Low>);
  add("ds_read_u16_d16_hi ds_load_u16_d16_hi", read<2, Form::High>);
  add("ds_read_u8_d16 ds_load_u8_d16", read<1, Form::LowZero>);
  add("ds_read_i8_d16 ds_load_i8_d16", read<1, Form::LowSign>);
  add("ds_read_u8_d16_hi ds_load_u8_d16_hi", read<1, Form::HighZero>);
  add("ds_read_i8_d16_hi ds_load_i8_d16_hi", read<1, Form::HighSign>);
  add("ds_write_b32 ds_store_b32", write<4, Form::Words>);
  add("ds_write_b64 ds_store_b64", write<8, Form::Words>);
  add("ds_write_b96 ds_store_b96", write<12, Form::Words>);
  add("ds_write_b128 ds_store_b128", write<16, Form::Words>);
  add("ds_write_b8 ds_store_b8", write<1, Form::Low>);
  add("ds_write_b16 ds_store_b16", write<2, Form::Low>);
  add("ds_write_b8_d16_hi ds_store_b8_d16_hi", write<1, Form::High>);
  add("ds_write_b16_d16_hi ds_store_b16_d16_hi", write<2, Form::High>);
  auto two = [&](std::string_view names, Handler run) {
    t.add(names, {run, {}, ModOffsets});
  };
  two("ds_read2_b32 ds_load_2addr_b32", readTwo<4, 1>);
  two("ds_read2_b64 ds_load_2addr_b64", readTwo<8, 1>);
  two("ds_read2st64_b32 ds_load_2addr_stride64_b32", readTwo<4, 64>);
  two("ds_read2st64_b64 ds_load_2addr_stride64_b64", readTwo<8, 64>);
  two("ds_write2_b32 ds_store_2addr_b32", writeTwo<4, 1>);
  two("ds_write2_b64 ds_store_2addr_b64", writeTwo<8, 1>);
  two("ds_write2st64_b32 ds_store_2addr_stride64_b32", writeTwo<4, 64>);
  two("ds_write2st64_b64 ds_store_2addr_stride64_b64", writeTwo<8, 64>);
  addAtomics(t);
  add("ds_bpermute_b32", permuteBack);
  add("ds_permute_b32", permuteForth);
  add("ds_swizzle_b32", swizzle);
  add("ds_nop", [](Wave &, const Instruction &) {});
}

} // namespace amdgcn
