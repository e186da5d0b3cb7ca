// Instructions that reach memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar loads, and vector loads, stores and atomics in their four kinds: flat
// (any address), global, scratch (a lane's own, with and without buffer
// resources). How caches are to be used is of no matter here.

#include "access.h"
#include "semantics.h"

namespace amdgcn {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

enum class Space { Flat, Global, Scratch, Buffer };

/// What a private segment buffer's resource has to be: the kernel adds the
/// wave's offset to what it was given.
static void checkResource(Wave &w, const Operand &o) {
  u64 base = w.pair(o.reg) & 0xffffffffffff;
  if (base != ScratchMark + w.scratchOffset)
    w.stop(Stop::Illegal,
           "the buffer resource is not the wave's private segment buffer");
}

/// Those in two registers; inactive lanes' are not used.
static void wholeAddresses(Wave &w, const Operand &v, u64 offset, u64 *out) {
  const u32 *low = w.row(v.reg), *high = w.row(v.reg + 1);
  for (unsigned l = 0; l != w.lanes; ++l)
    out[l] = (u64(high[l]) << 32 | low[l]) + offset;
}

/// The lanes' addresses; of Scratch and Buffer within a lane's scratch.
template <Space In>
static void addresses(Wave &w, const Instruction &i, unsigned at,
                      unsigned scalar, u64 *out) {
  const Operand &v = i.op[at];
  if constexpr (In == Space::Flat) {
    wholeAddresses(w, v, u64(i64(i.offset)), out);
  } else if constexpr (In == Space::Global) {
    const Operand &s = i.op[scalar];
    if (s.k == Operand::Scalar) {
      u64 base = w.pair(s.reg) + u64(i64(i.offset));
      const u32 *row = w.row(v.reg);
      for (unsigned l = 0; l != w.lanes; ++l)
        out[l] = base + row[l];
    } else {
      wholeAddresses(w, v, u64(i64(i.offset)), out);
    }
  } else if constexpr (In == Space::Scratch) {
    const Operand &s = i.op[scalar];
    u32 base = s.k == Operand::Scalar ? w.s[s.reg] : 0;
    const u32 *row = v.isVector() ? w.row(v.reg) : nullptr;
    for (unsigned l = 0; l != w.lanes; ++l)
      out[l] = u32(base + (row ? row[l] : 0) + u32(i.offset));
  } else {
    checkResource(w, i.op[scalar]);
    // The scalar offset is one of the wave; its lanes lie side by side.
    u32 base = u32(scalarValue(w, i, scalar + 1));
    if (base % w.lanes)
      w.stop(Stop::Illegal, "the scalar offset " + std::to_string(base) +
                                " is no multiple of the wave's size");
    base = base / w.lanes + u32(i.offset);
    const u32 *row = i.offen ? w.row(v.reg) : nullptr;
    for (unsigned l = 0; l != w.lanes; ++l)
      out[l] = u32(base + (row ? row[l] : 0));
  }
}

template <Space In>
static uint8_t *reach(Wave &w, unsigned lane, u64 at, unsigned bytes,
                      Access how) {
  if constexpr (In == Space::Flat)
    return w.flat(lane, at, bytes, how);
  else if constexpr (In == Space::Global)
    return w.global(int(lane), at, bytes, how);
  else
    return w.scratch(lane, at, bytes);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Whether \p all leads to the places of all active lanes.
template <Space In>
static bool reachTogether(Wave &w, const u64 *at, unsigned bytes, Access how,
                          Reached &all) {
  if (!areMany(w))
    return false;
  if constexpr (In == Space::Flat)
    return reachFlat(w, at, bytes, how, all);
  else if constexpr (In == Space::Global)
    return reachGlobal(w, at, bytes, how, all);
  else
    return reachScratch(w, at, bytes, all);
}

template <Space In, unsigned Bytes, Form F>
static void load(Wave &w, const Instruction &i) {
  u64 at[64];
  addresses<In>(w, i, 1, 2, at);
  const bool keep = archOf(w).loadsKeepHalves;
  const unsigned row = i.op[0].reg;
  if (Reached all; reachTogether<In>(w, at, Bytes, Access::Read, all))
    return loadAll<Bytes, F>(w, row, at, all, keep);
  const Rows<Bytes> rows(w, row);
  forActive(w, [&](unsigned l) {
    loadLane<Bytes, F>(rows, l, reach<In>(w, l, at[l], Bytes, Access::Read),
                       keep);
  });
}

template <Space In, unsigned Bytes, Form F>
static void store(Wave &w, const Instruction &i) {
  constexpr bool dataFirst = In == Space::Buffer;
  u64 at[64];
  addresses<In>(w, i, dataFirst ? 1 : 0, 2, at);
  const unsigned row = i.op[dataFirst ? 0 : 1].reg;
  if constexpr (In != Space::Global)
    if (tellsZones<Bytes, F>(w, row, at, In == Space::Flat, /*shared=*/false))
      return;
  bool changed = false;
  if (Reached all; reachTogether<In>(w, at, Bytes, Access::Write, all)) {
    changed = storeAll<Bytes, F>(w, row, at, all);
  } else {
    const Rows<Bytes> rows(w, row);
    forActive(w, [&](unsigned l) {
      changed |= storeLane<Bytes, F>(
          rows, l, reach<In>(w, l, at[l], Bytes, Access::Write));
    });
  }
  if (changed && (In == Space::Flat || In == Space::Global))
    noteChange(w);
}

constexpr uint32_t MemoryModifiers = ModOffset | ModCache;

template <unsigned Bytes, Form F>
static void addLoad(Table &t, std::initializer_list<const char *> names) {
  for (const char *n : names) {
    std::string name(n);
    t.add(keep("flat_load_" + name),
          {load<Space::Flat, Bytes, F>, {}, MemoryModifiers});
    t.add(keep("global_load_" + name),
          {load<Space::Global, Bytes, F>, {}, MemoryModifiers});
    t.add(keep("scratch_load_" + name),
          {load<Space::Scratch, Bytes, F>, {}, MemoryModifiers});
    t.add(keep("buffer_load_" + name),
          {load<Space::Buffer, Bytes, F>,
           {Type::Any, Type::Any, Type::Any, Type::B32},
           MemoryModifiers | ModOffen});
  }
}
template <unsigned Bytes, Form F>
static void addStore(Table &t, std::initializer_list<const char *> names) {
  for (const char *n : names) {
    std::string name(n);
    t.add(keep("flat_store_" + name),
          {store<Space::Flat, Bytes, F>, {}, MemoryModifiers});
    t.add(keep("global_store_" + name),
          {store<Space::Global, Bytes, F>, {}, MemoryModifiers});
    t.add(keep("scratch_store_" + name),
          {store<Space::Scratch, Bytes, F>, {}, MemoryModifiers});
    t.add(keep("buffer_store_" + name),
          {store<Space::Buffer, Bytes, F>,
           {Type::Any, Type::Any, Type::Any, Type::B32},
           MemoryModifiers | ModOffen});
  }
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// "[dst,] address, data [, saddr]": with a result there is one operand more.
template <Space In> struct Places {
  explicit Places(const Instruction &i)
      : returns(i.operands == (In == Space::Flat ? 3 : 4)), address(returns),
        data(address + 1), scalar(address + 2) {}
  bool returns;
  unsigned address, data, scalar;
};

template <class T> static void checkAligned(Wave &w, u64 at, unsigned lane) {
  if (at % sizeof(T))
    throw Stop{Stop::MemoryFault, "an atomic access that is not aligned", at, 1,
               int(lane)};
}

template <Space In, class T, auto F>
static void atomic(Wave &w, const Instruction &i) {
  Places<In> p(i);
  u64 at[64];
  addresses<In>(w, i, p.address, p.scalar, at);
  bool changed = false;
  forActive(w, [&](unsigned l) {
    checkAligned<T>(w, at[l], l);
    T old = update<T, F>(reach<In>(w, l, at[l], sizeof(T), Access::Atomic),
                         laneValue<T>(w, i.op[p.data].reg, l), changed);
    if (p.returns)
      setLaneValue(w, i.op[0].reg, l, old);
  });
  if (changed)
    noteChange(w);
}

/// The new value, then the expected one.
template <Space In, class T>
static void compareSwap(Wave &w, const Instruction &i) {
  Places<In> p(i);
  u64 at[64];
  addresses<In>(w, i, p.address, p.scalar, at);
  bool changed = false;
  forActive(w, [&](unsigned l) {
    checkAligned<T>(w, at[l], l);
    unsigned row = i.op[p.data].reg;
    T old = compareAndSwap<T>(reach<In>(w, l, at[l], sizeof(T), Access::Atomic),
                              laneValue<T>(w, row, l),
                              laneValue<T>(w, row + sizeof(T) / 4, l), changed);
    if (p.returns)
      setLaneValue(w, i.op[0].reg, l, old);
  });
  if (changed)
    noteChange(w);
}

template <class T, auto F>
static void addAtomic(Table &table, std::initializer_list<const char *> names) {
  for (const char *n : names) {
    table.add(keep(std::string("flat_atomic_") + n),
              {atomic<Space::Flat, T, F>, {}, MemoryModifiers});
    table.add(keep(std::string("global_atomic_") + n),
              {atomic<Space::Global, T, F>, {}, MemoryModifiers});
  }
}

static void addAtomics(Table &t) {
  addAtomic<u32, [](u32 a, u32 b) { return a + b; }>(t, {"add", "add_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return a + b; }>(t, {"add_x2", "add_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return a - b; }>(t, {"sub", "sub_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return a - b; }>(t, {"sub_x2", "sub_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return a & b; }>(t, {"and", "and_b32"});
  addAtomic<u64, [](u64 a, u64 b) { return a & b; }>(t, {"and_x2", "and_b64"});
  addAtomic<u32, [](u32 a, u32 b) { return a | b; }>(t, {"or", "or_b32"});
  addAtomic<u64, [](u64 a, u64 b) { return a | b; }>(t, {"or_x2", "or_b64"});
  addAtomic<u32, [](u32 a, u32 b) { return a ^ b; }>(t, {"xor", "xor_b32"});
  addAtomic<u64, [](u64 a, u64 b) { return a ^ b; }>(t, {"xor_x2", "xor_b64"});
  addAtomic<u32, [](u32, u32 b) { return b; }>(t, {"swap", "swap_b32"});
  addAtomic<u64, [](u64, u64 b) { return b; }>(t, {"swap_x2", "swap_b64"});
  addAtomic<u32, [](u32 a, u32 b) { return std::min(a, b); }>(
      t, {"umin", "min_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return std::min(a, b); }>(
      t, {"umin_x2", "min_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return std::max(a, b); }>(
      t, {"umax", "max_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return std::max(a, b); }>(
      t, {"umax_x2", "max_u64"});
  addAtomic<i32, [](i32 a, i32 b) { return std::min(a, b); }>(
      t, {"smin", "min_i32"});
  addAtomic<i64, [](i64 a, i64 b) { return std::min(a, b); }>(
      t, {"smin_x2", "min_i64"});
  addAtomic<i32, [](i32 a, i32 b) { return std::max(a, b); }>(
      t, {"smax", "max_i32"});
  addAtomic<i64, [](i64 a, i64 b) { return std::max(a, b); }>(
      t, {"smax_x2", "max_i64"});
  addAtomic<u32, [](u32 a, u32 b) { return Increment(a, b); }>(
      t, {"inc", "inc_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return Increment(a, b); }>(
      t, {"inc_x2", "inc_u64"});
  addAtomic<u32, [](u32 a, u32 b) { return Decrement(a, b); }>(
      t, {"dec", "dec_u32"});
  addAtomic<u64, [](u64 a, u64 b) { return Decrement(a, b); }>(
      t, {"dec_x2", "dec_u64"});
  addAtomic<float, [](float a, float b) { return arith(a + b); }>(t,
                                                                  {"add_f32"});
  addAtomic<double, [](double a, double b) { return arith(a + b); }>(
      t, {"add_f64"});
  addAtomic<float, [](float a, float b) { return minNum(a, b); }>(
      t, {"fmin", "min_f32", "min_num_f32"});
  addAtomic<float, [](float a, float b) { return maxNum(a, b); }>(
      t, {"fmax", "max_f32", "max_num_f32"});
  addAtomic<double, [](double a, double b) { return minNum(a, b); }>(
      t, {"fmin_x2", "min_f64"});
  addAtomic<double, [](double a, double b) { return maxNum(a, b); }>(
      t, {"fmax_x2", "max_f64"});
  addAtomic<u32, [](u32 a, u32 b) {
    auto sum = [](u32 x, u32 y) {
      return u32(halfFromDouble(
          arith(floatFromHalf(uint16_t(x)) + floatFromHalf(uint16_t(y)))));
    };
    return sum(a, b) | sum(a >> 16, b >> 16) << 16;
  }>(t, {"pk_add_f16"});
  Semantics s{nullptr, {}, MemoryModifiers};
  s.run = compareSwap<Space::Flat, u32>;
  t.add("flat_atomic_cmpswap flat_atomic_cmpswap_b32", s);
  s.run = compareSwap<Space::Flat, u64>;
  t.add("flat_atomic_cmpswap_x2 flat_atomic_cmpswap_b64", s);
  s.run = compareSwap<Space::Global, u32>;
  t.add("global_atomic_cmpswap global_atomic_cmpswap_b32", s);
  s.run = compareSwap<Space::Global, u64>;
  t.add("global_atomic_cmpswap_x2 global_atomic_cmpswap_b64", s);
}

//===----------------------------------------------------------------------===//
// Scalar loads
//===----------------------------------------------------------------------===//

/// "s_load dst, base, offset", where the offset is a constant or a register
/// with another constant behind it.
static u64 scalarAddress(Wave &w, const Instruction &i, u64 align) {
  u64 offset = scalarValue(w, i, 2);
  if (i.op[2].k == Operand::Constant)
    offset = u64(i64(i32(offset))); // printed as the sign-extended value
  else
    offset = u32(offset);
  return (scalarValue(w, i, 1) + offset + u64(i64(i.offset))) & ~(align - 1);
}

template <unsigned Words>
static void scalarLoad(Wave &w, const Instruction &i) {
  u64 at = scalarAddress(w, i, 4);
  const uint8_t *p = w.global(-1, at, Words * 4, Access::Read);
  if (i.op[0].k == Operand::Scalar)
    memcpy(&w.s[i.op[0].reg], p, Words * 4);
}

template <class T> static void scalarLoadSmall(Wave &w, const Instruction &i) {
  u64 at = scalarAddress(w, i, sizeof(T));
  T v;
  memcpy(&v, w.global(-1, at, sizeof(T), Access::Read), sizeof(T));
  setScalar(w, i.op[0], u32(i32(v)), false);
}

static void addScalarLoads(Table &t) {
  Semantics s{nullptr, {Type::Any, Type::B64, Type::B32}, MemoryModifiers, 1};
  auto add = [&](std::string_view names, Handler run) {
    s.run = run;
    t.add(names, s);
  };
  add("s_load_dword s_load_b32", scalarLoad<1>);
  add("s_load_dwordx2 s_load_b64", scalarLoad<2>);
  add("s_load_dwordx3 s_load_b96", scalarLoad<3>);
  add("s_load_dwordx4 s_load_b128", scalarLoad<4>);
  add("s_load_dwordx8 s_load_b256", scalarLoad<8>);
  add("s_load_dwordx16 s_load_b512", scalarLoad<16>);
  add("s_load_u8", scalarLoadSmall<uint8_t>);
  add("s_load_i8", scalarLoadSmall<int8_t>);
  add("s_load_u16", scalarLoadSmall<uint16_t>);
  add("s_load_i16", scalarLoadSmall<int16_t>);
}

void addGlobal(Table &t) {
  addScalarLoads(t);
  addAtomics(t);
  addLoad<4, Form::Words>(t, {"dword", "b32"});
  addLoad<8, Form::Words>(t, {"dwordx2", "b64"});
  addLoad<12, Form::Words>(t, {"dwordx3", "b96"});
  addLoad<16, Form::Words>(t, {"dwordx4", "b128"});
  addLoad<1, Form::Zero>(t, {"ubyte", "u8"});
  addLoad<1, Form::Sign>(t, {"sbyte", "i8"});
  addLoad<2, Form::Zero>(t, {"ushort", "u16"});
  addLoad<2, Form::Sign>(t, {"sshort", "i16"});
  addLoad<2, Form::Low>(t, {"short_d16", "d16_b16"});
  addLoad<2, Form::High>(t, {"short_d16_hi", "d16_hi_b16"});
  addLoad<1, Form::LowZero>(t, {"ubyte_d16", "d16_u8"});
  addLoad<1, Form::LowSign>(t, {"sbyte_d16", "d16_i8"});
  addLoad<1, Form::HighZero>(t, {"ubyte_d16_hi", "d16_hi_u8"});
  addLoad<1, Form::HighSign>(t, {"sbyte_d16_hi", "d16_hi_i8"});
  addStore<4, Form::Words>(t, {"dword", "b32"});
  addStore<8, Form::Words>(t, {"dwordx2", "b64"});
  addStore<12, Form::Words>(t, {"dwordx3", "b96"});
  addStore<16, Form::Words>(t, {"dwordx4", "b128"});
  addStore<1, Form::Low>(t, {"byte", "b8"});
  addStore<2, Form::Low>(t, {"short", "b16"});
  addStore<1, Form::High>(t, {"byte_d16_hi", "d16_hi_b8"});
  addStore<2, Form::High>(t, {"short_d16_hi", "d16_hi_b16"});
}

} // namespace amdgcn
