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
static void checkResource(Wave &W, const Operand &O) {
  u64 Base = W.pair(O.Reg) & 0xffffffffffff;
  if (Base != ScratchMark + W.ScratchOffset)
    W.stop(Stop::Illegal,
           "the buffer resource is not the wave's private segment buffer");
}

/// The lanes' addresses; of Scratch and Buffer within a lane's scratch.
template <Space In>
static void addresses(Wave &W, const Instruction &I, unsigned At,
                      unsigned Scalar, u64 *Out) {
  const Operand &V = I.Op[At];
  if constexpr (In == Space::Flat) {
    forActive(W, [&](unsigned L) {
      Out[L] = laneValue<u64>(W, V.Reg, L) + u64(i64(I.Offset));
    });
  } else if constexpr (In == Space::Global) {
    const Operand &S = I.Op[Scalar];
    if (S.K == Operand::Scalar) {
      u64 Base = W.pair(S.Reg) + u64(i64(I.Offset));
      forActive(W, [&](unsigned L) { Out[L] = Base + W.row(V.Reg)[L]; });
    } else {
      forActive(W, [&](unsigned L) {
        Out[L] = laneValue<u64>(W, V.Reg, L) + u64(i64(I.Offset));
      });
    }
  } else if constexpr (In == Space::Scratch) {
    const Operand &S = I.Op[Scalar];
    u32 Base = S.K == Operand::Scalar ? W.S[S.Reg] : 0;
    forActive(W, [&](unsigned L) {
      u32 Vector = V.isVector() ? W.row(V.Reg)[L] : 0;
      Out[L] = u32(Base + Vector + u32(I.Offset));
    });
  } else {
    checkResource(W, I.Op[Scalar]);
    // The scalar offset is one of the wave; its lanes lie side by side.
    u32 Base = u32(scalarValue(W, I, Scalar + 1));
    if (Base % W.Lanes)
      W.stop(Stop::Illegal, "the scalar offset " + std::to_string(Base) +
                                " is no multiple of the wave's size");
    Base = Base / W.Lanes + u32(I.Offset);
    forActive(W, [&](unsigned L) {
      Out[L] = u32(Base + (I.Offen ? W.row(V.Reg)[L] : 0));
    });
  }
}

template <Space In>
static uint8_t *reach(Wave &W, unsigned Lane, u64 At, unsigned Bytes,
                      Access How) {
  if constexpr (In == Space::Flat)
    return W.flat(Lane, At, Bytes, How);
  else if constexpr (In == Space::Global)
    return W.global(int(Lane), At, Bytes, How);
  else
    return W.scratch(Lane, At, Bytes);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

template <Space In, unsigned Bytes, Form F>
static void load(Wave &W, const Instruction &I) {
  u64 At[64];
  addresses<In>(W, I, 1, 2, At);
  bool Keep = archOf(W).LoadsKeepHalves;
  forActive(W, [&](unsigned L) {
    loadLane<Bytes, F>(W, I.Op[0].Reg, L,
                       reach<In>(W, L, At[L], Bytes, Access::Read), Keep);
  });
}

template <Space In, unsigned Bytes, Form F>
static void store(Wave &W, const Instruction &I) {
  constexpr bool DataFirst = In == Space::Buffer;
  u64 At[64];
  addresses<In>(W, I, DataFirst ? 1 : 0, 2, At);
  unsigned Row = I.Op[DataFirst ? 0 : 1].Reg;
  bool Changed = false;
  forActive(W, [&](unsigned L) {
    Changed |= storeLane<Bytes, F>(
        W, Row, L, reach<In>(W, L, At[L], Bytes, Access::Write));
  });
  if (Changed && (In == Space::Flat || In == Space::Global))
    noteChange(W);
}

constexpr uint32_t MemoryModifiers = ModOffset | ModCache;

template <unsigned Bytes, Form F>
static void addLoad(Table &T, std::initializer_list<const char *> Names) {
  for (const char *N : Names) {
    std::string Name(N);
    T.add(keep("flat_load_" + Name),
          {load<Space::Flat, Bytes, F>, {}, MemoryModifiers});
    T.add(keep("global_load_" + Name),
          {load<Space::Global, Bytes, F>, {}, MemoryModifiers});
    T.add(keep("scratch_load_" + Name),
          {load<Space::Scratch, Bytes, F>, {}, MemoryModifiers});
    T.add(keep("buffer_load_" + Name),
          {load<Space::Buffer, Bytes, F>,
           {Type::Any, Type::Any, Type::Any, Type::B32},
           MemoryModifiers | ModOffen});
  }
}
template <unsigned Bytes, Form F>
static void addStore(Table &T, std::initializer_list<const char *> Names) {
  for (const char *N : Names) {
    std::string Name(N);
    T.add(keep("flat_store_" + Name),
          {store<Space::Flat, Bytes, F>, {}, MemoryModifiers});
    T.add(keep("global_store_" + Name),
          {store<Space::Global, Bytes, F>, {}, MemoryModifiers});
    T.add(keep("scratch_store_" + Name),
          {store<Space::Scratch, Bytes, F>, {}, MemoryModifiers});
    T.add(keep("buffer_store_" + Name),
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
  explicit Places(const Instruction &I)
      : Returns(I.Operands == (In == Space::Flat ? 3 : 4)), Address(Returns),
        Data(Address + 1), Scalar(Address + 2) {}
  bool Returns;
  unsigned Address, Data, Scalar;
};

template <class T> static void checkAligned(Wave &W, u64 At, unsigned Lane) {
  if (At % sizeof(T))
    throw Stop{Stop::MemoryFault, "an atomic access that is not aligned", At, 1,
               int(Lane)};
}

template <Space In, class T, auto F>
static void atomic(Wave &W, const Instruction &I) {
  Places<In> P(I);
  u64 At[64];
  addresses<In>(W, I, P.Address, P.Scalar, At);
  bool Changed = false;
  forActive(W, [&](unsigned L) {
    checkAligned<T>(W, At[L], L);
    T Old = update<T, F>(reach<In>(W, L, At[L], sizeof(T), Access::Atomic),
                         laneValue<T>(W, I.Op[P.Data].Reg, L), Changed);
    if (P.Returns)
      setLaneValue(W, I.Op[0].Reg, L, Old);
  });
  if (Changed)
    noteChange(W);
}

/// The new value, then the expected one.
template <Space In, class T>
static void compareSwap(Wave &W, const Instruction &I) {
  Places<In> P(I);
  u64 At[64];
  addresses<In>(W, I, P.Address, P.Scalar, At);
  bool Changed = false;
  forActive(W, [&](unsigned L) {
    checkAligned<T>(W, At[L], L);
    unsigned Row = I.Op[P.Data].Reg;
    T Old = compareAndSwap<T>(reach<In>(W, L, At[L], sizeof(T), Access::Atomic),
                              laneValue<T>(W, Row, L),
                              laneValue<T>(W, Row + sizeof(T) / 4, L), Changed);
    if (P.Returns)
      setLaneValue(W, I.Op[0].Reg, L, Old);
  });
  if (Changed)
    noteChange(W);
}

template <class T, auto F>
static void addAtomic(Table &T_, std::initializer_list<const char *> Names) {
  for (const char *N : Names) {
    T_.add(keep(std::string("flat_atomic_") + N),
           {atomic<Space::Flat, T, F>, {}, MemoryModifiers});
    T_.add(keep(std::string("global_atomic_") + N),
           {atomic<Space::Global, T, F>, {}, MemoryModifiers});
  }
}

static void addAtomics(Table &T) {
  addAtomic<u32, [](u32 A, u32 B) { return A + B; }>(T, {"add", "add_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return A + B; }>(T, {"add_x2", "add_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return A - B; }>(T, {"sub", "sub_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return A - B; }>(T, {"sub_x2", "sub_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return A & B; }>(T, {"and", "and_b32"});
  addAtomic<u64, [](u64 A, u64 B) { return A & B; }>(T, {"and_x2", "and_b64"});
  addAtomic<u32, [](u32 A, u32 B) { return A | B; }>(T, {"or", "or_b32"});
  addAtomic<u64, [](u64 A, u64 B) { return A | B; }>(T, {"or_x2", "or_b64"});
  addAtomic<u32, [](u32 A, u32 B) { return A ^ B; }>(T, {"xor", "xor_b32"});
  addAtomic<u64, [](u64 A, u64 B) { return A ^ B; }>(T, {"xor_x2", "xor_b64"});
  addAtomic<u32, [](u32, u32 B) { return B; }>(T, {"swap", "swap_b32"});
  addAtomic<u64, [](u64, u64 B) { return B; }>(T, {"swap_x2", "swap_b64"});
  addAtomic<u32, [](u32 A, u32 B) { return std::min(A, B); }>(
      T, {"umin", "min_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return std::min(A, B); }>(
      T, {"umin_x2", "min_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return std::max(A, B); }>(
      T, {"umax", "max_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return std::max(A, B); }>(
      T, {"umax_x2", "max_u64"});
  addAtomic<i32, [](i32 A, i32 B) { return std::min(A, B); }>(
      T, {"smin", "min_i32"});
  addAtomic<i64, [](i64 A, i64 B) { return std::min(A, B); }>(
      T, {"smin_x2", "min_i64"});
  addAtomic<i32, [](i32 A, i32 B) { return std::max(A, B); }>(
      T, {"smax", "max_i32"});
  addAtomic<i64, [](i64 A, i64 B) { return std::max(A, B); }>(
      T, {"smax_x2", "max_i64"});
  addAtomic<u32, [](u32 A, u32 B) { return Increment(A, B); }>(
      T, {"inc", "inc_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return Increment(A, B); }>(
      T, {"inc_x2", "inc_u64"});
  addAtomic<u32, [](u32 A, u32 B) { return Decrement(A, B); }>(
      T, {"dec", "dec_u32"});
  addAtomic<u64, [](u64 A, u64 B) { return Decrement(A, B); }>(
      T, {"dec_x2", "dec_u64"});
  addAtomic<float, [](float A, float B) { return arith(A + B); }>(T,
                                                                  {"add_f32"});
  addAtomic<double, [](double A, double B) { return arith(A + B); }>(
      T, {"add_f64"});
  addAtomic<float, [](float A, float B) { return minNum(A, B); }>(
      T, {"fmin", "min_f32", "min_num_f32"});
  addAtomic<float, [](float A, float B) { return maxNum(A, B); }>(
      T, {"fmax", "max_f32", "max_num_f32"});
  addAtomic<double, [](double A, double B) { return minNum(A, B); }>(
      T, {"fmin_x2", "min_f64"});
  addAtomic<double, [](double A, double B) { return maxNum(A, B); }>(
      T, {"fmax_x2", "max_f64"});
  addAtomic<u32, [](u32 A, u32 B) {
    auto Sum = [](u32 X, u32 Y) {
      return u32(halfFromDouble(
          arith(floatFromHalf(uint16_t(X)) + floatFromHalf(uint16_t(Y)))));
    };
    return Sum(A, B) | Sum(A >> 16, B >> 16) << 16;
  }>(T, {"pk_add_f16"});
  Semantics S{nullptr, {}, MemoryModifiers};
  S.Run = compareSwap<Space::Flat, u32>;
  T.add("flat_atomic_cmpswap flat_atomic_cmpswap_b32", S);
  S.Run = compareSwap<Space::Flat, u64>;
  T.add("flat_atomic_cmpswap_x2 flat_atomic_cmpswap_b64", S);
  S.Run = compareSwap<Space::Global, u32>;
  T.add("global_atomic_cmpswap global_atomic_cmpswap_b32", S);
  S.Run = compareSwap<Space::Global, u64>;
  T.add("global_atomic_cmpswap_x2 global_atomic_cmpswap_b64", S);
}

//===----------------------------------------------------------------------===//
// Scalar loads
//===----------------------------------------------------------------------===//

/// "s_load dst, base, offset", where the offset is a constant or a register
/// with another constant behind it.
static u64 scalarAddress(Wave &W, const Instruction &I, u64 Align) {
  u64 Offset = scalarValue(W, I, 2);
  if (I.Op[2].K == Operand::Constant)
    Offset = u64(i64(i32(Offset))); // printed as the sign-extended value
  else
    Offset = u32(Offset);
  return (scalarValue(W, I, 1) + Offset + u64(i64(I.Offset))) & ~(Align - 1);
}

template <unsigned Words>
static void scalarLoad(Wave &W, const Instruction &I) {
  u64 At = scalarAddress(W, I, 4);
  const uint8_t *P = W.global(-1, At, Words * 4, Access::Read);
  if (I.Op[0].K == Operand::Scalar)
    memcpy(&W.S[I.Op[0].Reg], P, Words * 4);
}

template <class T> static void scalarLoadSmall(Wave &W, const Instruction &I) {
  u64 At = scalarAddress(W, I, sizeof(T));
  T V;
  memcpy(&V, W.global(-1, At, sizeof(T), Access::Read), sizeof(T));
  setScalar(W, I.Op[0], u32(i32(V)), false);
}

static void addScalarLoads(Table &T) {
  Semantics S{nullptr, {Type::Any, Type::B64, Type::B32}, MemoryModifiers, 1};
  auto Add = [&](std::string_view Names, Handler Run) {
    S.Run = Run;
    T.add(Names, S);
  };
  Add("s_load_dword s_load_b32", scalarLoad<1>);
  Add("s_load_dwordx2 s_load_b64", scalarLoad<2>);
  Add("s_load_dwordx3 s_load_b96", scalarLoad<3>);
  Add("s_load_dwordx4 s_load_b128", scalarLoad<4>);
  Add("s_load_dwordx8 s_load_b256", scalarLoad<8>);
  Add("s_load_dwordx16 s_load_b512", scalarLoad<16>);
  Add("s_load_u8", scalarLoadSmall<uint8_t>);
  Add("s_load_i8", scalarLoadSmall<int8_t>);
  Add("s_load_u16", scalarLoadSmall<uint16_t>);
  Add("s_load_i16", scalarLoadSmall<int16_t>);
}

void addGlobal(Table &T) {
  addScalarLoads(T);
  addAtomics(T);
  addLoad<4, Form::Words>(T, {"dword", "b32"});
  addLoad<8, Form::Words>(T, {"dwordx2", "b64"});
  addLoad<12, Form::Words>(T, {"dwordx3", "b96"});
  addLoad<16, Form::Words>(T, {"dwordx4", "b128"});
  addLoad<1, Form::Zero>(T, {"ubyte", "u8"});
  addLoad<1, Form::Sign>(T, {"sbyte", "i8"});
  addLoad<2, Form::Zero>(T, {"ushort", "u16"});
  addLoad<2, Form::Sign>(T, {"sshort", "i16"});
  addLoad<2, Form::Low>(T, {"short_d16", "d16_b16"});
  addLoad<2, Form::High>(T, {"short_d16_hi", "d16_hi_b16"});
  addLoad<1, Form::LowZero>(T, {"ubyte_d16", "d16_u8"});
  addLoad<1, Form::LowSign>(T, {"sbyte_d16", "d16_i8"});
  addLoad<1, Form::HighZero>(T, {"ubyte_d16_hi", "d16_hi_u8"});
  addLoad<1, Form::HighSign>(T, {"sbyte_d16_hi", "d16_hi_i8"});
  addStore<4, Form::Words>(T, {"dword", "b32"});
  addStore<8, Form::Words>(T, {"dwordx2", "b64"});
  addStore<12, Form::Words>(T, {"dwordx3", "b96"});
  addStore<16, Form::Words>(T, {"dwordx4", "b128"});
  addStore<1, Form::Low>(T, {"byte", "b8"});
  addStore<2, Form::Low>(T, {"short", "b16"});
  addStore<1, Form::High>(T, {"byte_d16_hi", "d16_hi_b8"});
  addStore<2, Form::High>(T, {"short_d16_hi", "d16_hi_b16"});
}

} // namespace amdgcn
