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
static u32 addressOf(Wave &W, const Instruction &I, unsigned N, unsigned Lane) {
  return W.row(I.Op[N].Reg)[Lane] + u32(I.Offset);
}

template <unsigned Bytes, Form F>
static void read(Wave &W, const Instruction &I) {
  u64 At[64];
  forActive(W, [&](unsigned L) { At[L] = addressOf(W, I, 1, L); });
  bool Keep = archOf(W).LoadsKeepHalves;
  forActive(W, [&](unsigned L) {
    loadLane<Bytes, F>(W, I.Op[0].Reg, L, W.lds(L, At[L], Bytes, Access::Read),
                       Keep);
  });
}

template <unsigned Bytes, Form F>
static void write(Wave &W, const Instruction &I) {
  bool Changed = false;
  forActive(W, [&](unsigned L) {
    Changed |= storeLane<Bytes, F>(
        W, I.Op[1].Reg, L,
        W.lds(L, addressOf(W, I, 0, L), Bytes, Access::Write));
  });
  if (Changed)
    noteChange(W);
}

/// Two values, at offsets counted in values, or in 64 of them.
template <unsigned Bytes, unsigned Stride>
static void readTwo(Wave &W, const Instruction &I) {
  u32 At[64];
  forActive(W, [&](unsigned L) { At[L] = W.row(I.Op[1].Reg)[L]; });
  forActive(W, [&](unsigned L) {
    loadLane<Bytes, Form::Words>(
        W, I.Op[0].Reg, L,
        W.lds(L, At[L] + I.Offset0 * Bytes * Stride, Bytes, Access::Read),
        true);
    loadLane<Bytes, Form::Words>(
        W, I.Op[0].Reg + Bytes / 4, L,
        W.lds(L, At[L] + I.Offset1 * Bytes * Stride, Bytes, Access::Read),
        true);
  });
}
template <unsigned Bytes, unsigned Stride>
static void writeTwo(Wave &W, const Instruction &I) {
  bool Changed = false;
  forActive(W, [&](unsigned L) {
    u32 At = W.row(I.Op[0].Reg)[L];
    Changed |= storeLane<Bytes, Form::Words>(
        W, I.Op[1].Reg, L,
        W.lds(L, At + I.Offset0 * Bytes * Stride, Bytes, Access::Write));
    Changed |= storeLane<Bytes, Form::Words>(
        W, I.Op[2].Reg, L,
        W.lds(L, At + I.Offset1 * Bytes * Stride, Bytes, Access::Write));
  });
  if (Changed)
    noteChange(W);
}

template <class T, auto F, bool Returns>
static void atomic(Wave &W, const Instruction &I) {
  bool Changed = false;
  unsigned Address = Returns;
  forActive(W, [&](unsigned L) {
    u64 At = addressOf(W, I, Address, L);
    if (At % sizeof(T))
      W.stop(Stop::Aperture, "an atomic access that is not aligned", int(L));
    T Old = update<T, F>(W.lds(L, At, sizeof(T), Access::Atomic),
                         laneValue<T>(W, I.Op[Address + 1].Reg, L), Changed);
    if (Returns)
      setLaneValue(W, I.Op[0].Reg, L, Old);
  });
  if (Changed)
    noteChange(W);
}

/// ds_cmpst has the expected value first, ds_cmpstore the new one.
template <class T, bool Returns, bool NewFirst>
static void compareStore(Wave &W, const Instruction &I) {
  bool Changed = false;
  unsigned Address = Returns;
  forActive(W, [&](unsigned L) {
    u64 At = addressOf(W, I, Address, L);
    if (At % sizeof(T))
      W.stop(Stop::Aperture, "an atomic access that is not aligned", int(L));
    T First = laneValue<T>(W, I.Op[Address + 1].Reg, L),
      Second = laneValue<T>(W, I.Op[Address + 2].Reg, L);
    T Old = compareAndSwap<T>(W.lds(L, At, sizeof(T), Access::Atomic),
                              NewFirst ? First : Second,
                              NewFirst ? Second : First, Changed);
    if (Returns)
      setLaneValue(W, I.Op[0].Reg, L, Old);
  });
  if (Changed)
    noteChange(W);
}

//===----------------------------------------------------------------------===//
// Between lanes
//===----------------------------------------------------------------------===//

/// Every lane reads from one that it names. gfx10 and gfx11 move values within
/// each 32 lanes, in waves of 64 too. What an inactive lane gives is 0.
static void permuteBack(Wave &W, const Instruction &I) {
  int Major = archOf(W).Major;
  u32 Lanes = Major == 10 || Major == 11 ? 32 : W.Lanes;
  u64 Exec = W.exec();
  alignas(64) u32 Out[64];
  const u32 *Index = W.row(I.Op[1].Reg), *Value = W.row(I.Op[2].Reg);
  for (u32 L = 0; L != W.Lanes; ++L) {
    u32 At =
        ((Index[L] + u32(I.Offset)) / 4 & (Lanes - 1)) | (L & ~(Lanes - 1));
    Out[L] = Exec >> At & 1 ? Value[At] : 0;
  }
  Instruction Plain;
  Plain.Op[0] = I.Op[0];
  result(W, Plain, 0, Out);
}

/// Every lane gives its value to one that it names; of several, the highest
/// lane's stays.
static void permuteForth(Wave &W, const Instruction &I) {
  int Major = archOf(W).Major;
  u32 Lanes = Major == 10 || Major == 11 ? 32 : W.Lanes;
  alignas(64) u32 Out[64] = {};
  const u32 *Index = W.row(I.Op[1].Reg), *Value = W.row(I.Op[2].Reg);
  forActive(W, [&](unsigned L) {
    u32 At =
        ((Index[L] + u32(I.Offset)) / 4 & (Lanes - 1)) | (L & ~(Lanes - 1));
    Out[At] = Value[L];
  });
  Instruction Plain;
  Plain.Op[0] = I.Op[0];
  result(W, Plain, 0, Out);
}

/// "swizzle(...)" is in the offset's bits; here its encoding decides.
static void swizzle(Wave &W, const Instruction &I) {
  u32 Pattern = u32(I.Offset) & 0xffff;
  u64 Exec = W.exec();
  alignas(64) u32 Out[64];
  const u32 *Value = W.row(I.Op[1].Reg);
  for (u32 L = 0; L != W.Lanes; ++L) {
    u32 At;
    if ((Pattern & 0xe000) == 0xe000 || (Pattern & 0xe000) == 0xc000)
      W.stop(Stop::Illegal, "this swizzle pattern is not known");
    if (Pattern & 0x8000)
      At = (L & ~3u) | (Pattern >> (2 * (L & 3)) & 3);
    else {
      u32 And = Pattern & 31, Or = Pattern >> 5 & 31, Xor = Pattern >> 10 & 31;
      At = (L & ~31u) | ((((L & 31) & And) | Or) ^ Xor);
    }
    Out[L] = Exec >> At & 1 ? Value[At] : 0;
  }
  Instruction Plain;
  Plain.Op[0] = I.Op[0];
  result(W, Plain, 0, Out);
}

//===----------------------------------------------------------------------===//

template <class T, auto F>
static void addAtomic(Table &To, std::initializer_list<const char *> Names) {
  for (std::string Name : Names) {
    To.add(keep("ds_" + Name), {atomic<T, F, false>, {}, ModOffset});
    size_t Kind = Name.rfind('_');
    To.add(keep("ds_" + Name.substr(0, Kind) + "_rtn" + Name.substr(Kind)),
           {atomic<T, F, true>, {}, ModOffset});
  }
}

static void addAtomics(Table &T) {
  addAtomic<u32, [](u32 A, u32 B) { return A + B; }>(T, {"add_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return A + B; }>(T, {"add_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return A - B; }>(T, {"sub_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return A - B; }>(T, {"sub_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return B - A; }>(T, {"rsub_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return B - A; }>(T, {"rsub_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return Increment(A, B); }>(T, {"inc_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return Increment(A, B); }>(T, {"inc_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return Decrement(A, B); }>(T, {"dec_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return Decrement(A, B); }>(T, {"dec_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return std::min(A, B); }>(T, {"min_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return std::min(A, B); }>(T, {"min_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return std::max(A, B); }>(T, {"max_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return std::max(A, B); }>(T, {"max_u64"});
  addAtomic<i32, [](i32 A, i32 B) { return std::min(A, B); }>(T, {"min_i32"});
  addAtomic<i64, [](i64 A, i64 B) { return std::min(A, B); }>(T, {"min_i64"});
  addAtomic<i32, [](i32 A, i32 B) { return std::max(A, B); }>(T, {"max_i32"});
  addAtomic<i64, [](i64 A, i64 B) { return std::max(A, B); }>(T, {"max_i64"});
  addAtomic<u32, [](u32 A, u32 B) { return A & B; }>(T, {"and_b32"});
  addAtomic<u64, [](u64 A, u64 B) { return A & B; }>(T, {"and_b64"});
  addAtomic<u32, [](u32 A, u32 B) { return A | B; }>(T, {"or_b32"});
  addAtomic<u64, [](u64 A, u64 B) { return A | B; }>(T, {"or_b64"});
  addAtomic<u32, [](u32 A, u32 B) { return A ^ B; }>(T, {"xor_b32"});
  addAtomic<u64, [](u64 A, u64 B) { return A ^ B; }>(T, {"xor_b64"});
  addAtomic<float, [](float A, float B) { return arith(A + B); }>(T,
                                                                  {"add_f32"});
  addAtomic<double, [](double A, double B) { return arith(A + B); }>(
      T, {"add_f64"});
  addAtomic<float, [](float A, float B) { return minNum(A, B); }>(
      T, {"min_f32", "min_num_f32"});
  addAtomic<float, [](float A, float B) { return maxNum(A, B); }>(
      T, {"max_f32", "max_num_f32"});
  addAtomic<double, [](double A, double B) { return minNum(A, B); }>(
      T, {"min_f64", "min_num_f64"});
  addAtomic<double, [](double A, double B) { return maxNum(A, B); }>(
      T, {"max_f64", "max_num_f64"});
  auto Swap32 = atomic<u32, [](u32, u32 B) { return B; }, true>;
  auto Swap64 = atomic<u64, [](u64, u64 B) { return B; }, true>;
  T.add("ds_wrxchg_rtn_b32 ds_storexchg_rtn_b32", {Swap32, {}, ModOffset});
  T.add("ds_wrxchg_rtn_b64 ds_storexchg_rtn_b64", {Swap64, {}, ModOffset});
  T.add("ds_cmpst_b32", {compareStore<u32, false, false>, {}, ModOffset});
  T.add("ds_cmpst_b64", {compareStore<u64, false, false>, {}, ModOffset});
  T.add("ds_cmpst_rtn_b32", {compareStore<u32, true, false>, {}, ModOffset});
  T.add("ds_cmpst_rtn_b64", {compareStore<u64, true, false>, {}, ModOffset});
  T.add("ds_cmpstore_b32", {compareStore<u32, false, true>, {}, ModOffset});
  T.add("ds_cmpstore_b64", {compareStore<u64, false, true>, {}, ModOffset});
  T.add("ds_cmpstore_rtn_b32", {compareStore<u32, true, true>, {}, ModOffset});
  T.add("ds_cmpstore_rtn_b64", {compareStore<u64, true, true>, {}, ModOffset});
}

void addLds(Table &T) {
  auto Add = [&](std::string_view Names, Handler Run) {
    T.add(Names, {Run, {}, ModOffset});
  };
  Add("ds_read_b32 ds_load_b32", read<4, Form::Words>);
  Add("ds_read_b64 ds_load_b64", read<8, Form::Words>);
  Add("ds_read_b96 ds_load_b96", read<12, Form::Words>);
  Add("ds_read_b128 ds_load_b128", read<16, Form::Words>);
  Add("ds_read_u8 ds_load_u8", read<1, Form::Zero>);
  Add("ds_read_i8 ds_load_i8", read<1, Form::Sign>);
  Add("ds_read_u16 ds_load_u16", read<2, Form::Zero>);
  Add("ds_read_i16 ds_load_i16", read<2, Form::Sign>);
  Add("ds_read_u16_d16 ds_load_u16_d16", read<2, Form::Low>);
  Add("ds_read_u16_d16_hi ds_load_u16_d16_hi", read<2, Form::High>);
  Add("ds_read_u8_d16 ds_load_u8_d16", read<1, Form::LowZero>);
  Add("ds_read_i8_d16 ds_load_i8_d16", read<1, Form::LowSign>);
  Add("ds_read_u8_d16_hi ds_load_u8_d16_hi", read<1, Form::HighZero>);
  Add("ds_read_i8_d16_hi ds_load_i8_d16_hi", read<1, Form::HighSign>);
  Add("ds_write_b32 ds_store_b32", write<4, Form::Words>);
  Add("ds_write_b64 ds_store_b64", write<8, Form::Words>);
  Add("ds_write_b96 ds_store_b96", write<12, Form::Words>);
  Add("ds_write_b128 ds_store_b128", write<16, Form::Words>);
  Add("ds_write_b8 ds_store_b8", write<1, Form::Low>);
  Add("ds_write_b16 ds_store_b16", write<2, Form::Low>);
  Add("ds_write_b8_d16_hi ds_store_b8_d16_hi", write<1, Form::High>);
  Add("ds_write_b16_d16_hi ds_store_b16_d16_hi", write<2, Form::High>);
  auto Two = [&](std::string_view Names, Handler Run) {
    T.add(Names, {Run, {}, ModOffsets});
  };
  Two("ds_read2_b32 ds_load_2addr_b32", readTwo<4, 1>);
  Two("ds_read2_b64 ds_load_2addr_b64", readTwo<8, 1>);
  Two("ds_read2st64_b32 ds_load_2addr_stride64_b32", readTwo<4, 64>);
  Two("ds_read2st64_b64 ds_load_2addr_stride64_b64", readTwo<8, 64>);
  Two("ds_write2_b32 ds_store_2addr_b32", writeTwo<4, 1>);
  Two("ds_write2_b64 ds_store_2addr_b64", writeTwo<8, 1>);
  Two("ds_write2st64_b32 ds_store_2addr_stride64_b32", writeTwo<4, 64>);
  Two("ds_write2st64_b64 ds_store_2addr_stride64_b64", writeTwo<8, 64>);
  addAtomics(T);
  Add("ds_bpermute_b32", permuteBack);
  Add("ds_permute_b32", permuteForth);
  Add("ds_swizzle_b32", swizzle);
  Add("ds_nop", [](Wave &, const Instruction &) {});
}

} // namespace amdgcn
