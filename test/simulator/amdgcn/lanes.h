// One operation for all lanes of a wave
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector instruction is written as a function of one lane's values, whose
// types say how operands are read:
//
//     vector<[](float A, float B) { return arith(A + B); }>()
//
// Sources become arrays of 64 values with modifiers, DPP and SDWA applied, the
// function runs over all of them (so that the compiler vectorises it; what
// inactive lanes compute is dropped), and results go to the active lanes.

#ifndef XCC_TEST_SIMULATOR_AMDGCN_LANES_H
#define XCC_TEST_SIMULATOR_AMDGCN_LANES_H

#include "instruction.h"
#include "numbers.h"
#include "wave.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace amdgcn {

/// A source or result that is a bit for each lane.
struct Bit {
  bool Set;
};
/// Two floats in two registers.
struct TwoFloats {
  float Lo, Hi;
};

template <class T> constexpr Type typeOf() {
  if constexpr (std::is_same_v<T, float>)
    return Type::F32;
  else if constexpr (std::is_same_v<T, double>)
    return Type::F64;
  else if constexpr (std::is_same_v<T, Half>)
    return Type::F16;
  else if constexpr (std::is_same_v<T, int64_t>)
    return Type::I64;
  else if constexpr (std::is_same_v<T, Bit>)
    return Type::Any;
  else if constexpr (sizeof(T) == 8)
    return Type::B64;
  else if constexpr (sizeof(T) == 2)
    return Type::B16;
  else
    return Type::B32;
}

/// A scalar operand's value, 64 bits of it.
uint64_t scalarValue(const Wave &W, const Operand &O);
inline uint64_t scalarValue(const Wave &W, const Instruction &I, unsigned N) {
  return scalarValue(W, I.Op[N]);
}
/// A mask operand: as many bits as there are lanes.
uint64_t maskValue(const Wave &W, const Operand &O);
void setMaskValue(Wave &W, const Operand &O, uint64_t Value);
/// Writes a scalar register or pair.
void setScalar(Wave &W, const Operand &O, uint64_t Value, bool Wide);

/// Applies DPP to 32-bit values, and sets the wave's DppMask.
void permute(Wave &W, const Instruction &I, const uint32_t *From, uint32_t *To);

/// The 32 bits of a register as a source's modifiers make them.
inline uint32_t selected(uint32_t V, const Operand &O) {
  switch (O.Select) {
  case Sel::Byte0:
  case Sel::Byte1:
  case Sel::Byte2:
  case Sel::Byte3:
    V = V >> (8 * unsigned(O.Select)) & 0xff;
    return O.Sext ? uint32_t(int8_t(V)) : V;
  case Sel::Word0:
  case Sel::Word1:
    V = V >> (16 * (unsigned(O.Select) - 4)) & 0xffff;
    return O.Sext ? uint32_t(int16_t(V)) : V;
  case Sel::Dword:
    return V;
  }
  return V;
}

/// Sources of type \p T for every lane. \p Own is used when the register's row
/// cannot be.
template <class T>
const T *source(Wave &W, const Instruction &I, unsigned N, T *Own) {
  const Operand &O = I.Op[N];
  const unsigned Lanes = W.Lanes;
  if constexpr (std::is_same_v<T, Bit>) {
    uint64_t M = maskValue(W, O);
    for (unsigned L = 0; L != 64; ++L)
      Own[L].Set = M >> L & 1;
    return Own;
  } else if constexpr (sizeof(T) == 8) {
    if (!O.isVector()) {
      T V = std::bit_cast<T>(scalarValue(W, O));
      if constexpr (std::is_same_v<T, double>) {
        if (O.Abs)
          V = std::fabs(V);
        if (O.Neg)
          V = -V;
      }
      std::fill_n(Own, Lanes, V);
      return Own;
    }
    const uint32_t *Lo = W.row(O.Reg), *Hi = W.row(O.Reg + 1);
    alignas(64) uint32_t Moved[2][64];
    if (I.DppSources >> N & 1) {
      permute(W, I, Lo, Moved[0]);
      permute(W, I, Hi, Moved[1]);
      Lo = Moved[0];
      Hi = Moved[1];
    }
    for (unsigned L = 0; L != Lanes; ++L)
      Own[L] = std::bit_cast<T>(uint64_t(Hi[L]) << 32 | Lo[L]);
    if constexpr (std::is_same_v<T, double>) {
      if (O.Abs)
        for (unsigned L = 0; L != Lanes; ++L)
          Own[L] = std::fabs(Own[L]);
      if (O.Neg)
        for (unsigned L = 0; L != Lanes; ++L)
          Own[L] = -Own[L];
    }
    return Own;
  } else {
    alignas(64) uint32_t Bits[64];
    const uint32_t *P;
    if (O.isVector()) {
      P = W.row(O.Reg);
      if (I.DppSources >> N & 1) {
        permute(W, I, P, Bits);
        P = Bits;
      }
    } else {
      std::fill_n(Bits, Lanes, uint32_t(scalarValue(W, O)));
      P = Bits;
    }
    if constexpr (sizeof(T) == 4) {
      if (P != Bits && !O.modified())
        return reinterpret_cast<const T *>(P);
      for (unsigned L = 0; L != Lanes; ++L) {
        uint32_t V = selected(P[L], O);
        if constexpr (std::is_same_v<T, float>) {
          if (O.Abs)
            V &= 0x7fffffff;
          if (O.Neg)
            V ^= 0x80000000;
        }
        Own[L] = std::bit_cast<T>(V);
      }
    } else {
      for (unsigned L = 0; L != Lanes; ++L) {
        uint32_t V = selected(P[L], O);
        if (O.High)
          V >>= 16;
        auto H = uint16_t(V);
        if constexpr (std::is_same_v<T, Half>) {
          if (O.Abs)
            H &= 0x7fff;
          if (O.Neg)
            H ^= 0x8000;
          Own[L] = Half{H};
        } else {
          Own[L] = T(H);
        }
      }
    }
    return Own;
  }
}

inline float omod(float F, int Power) {
  return Power == 1 ? F * 2 : Power == 2 ? F * 4 : F * 0.5f;
}
inline double omod(double D, int Power) {
  return Power == 1 ? D * 2 : Power == 2 ? D * 4 : D * 0.5;
}
template <class T> T clampFloat(T F) {
  return F > T(1) ? T(1) : F > T(0) ? F : T(0); // NaN becomes 0
}

/// Writes 32-bit results with what SDWA says of the destination.
void writeSelected(Wave &W, const Instruction &I, uint32_t *To,
                   const uint32_t *Value, uint64_t Active);

/// Writes results of type \p T to operand \p N for the active lanes.
template <class T>
void result(Wave &W, const Instruction &I, unsigned N, T *Value) {
  const Operand &O = I.Op[N];
  const unsigned Lanes = W.Lanes;
  uint64_t Active = W.exec();
  if (I.DppKind != Dpp::None)
    Active &= W.DppMask;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    if (I.Omod)
      for (unsigned L = 0; L != Lanes; ++L)
        Value[L] = omod(Value[L], I.Omod);
    if (I.Clamp)
      for (unsigned L = 0; L != Lanes; ++L)
        Value[L] = clampFloat(Value[L]);
  }
  if constexpr (std::is_same_v<T, Half>) {
    if (I.Clamp || I.Omod)
      for (unsigned L = 0; L != Lanes; ++L) {
        float F = floatFromHalf(Value[L].Bits);
        if (I.Omod)
          F = omod(F, I.Omod);
        Value[L].Bits = halfFromDouble(I.Clamp ? clampFloat(F) : F);
      }
  }
  if constexpr (sizeof(T) == 8) {
    uint32_t *Lo = W.row(O.Reg), *Hi = W.row(O.Reg + 1);
    for (unsigned L = 0; L != Lanes; ++L)
      if (Active >> L & 1) {
        auto V = std::bit_cast<uint64_t>(Value[L]);
        Lo[L] = uint32_t(V);
        Hi[L] = uint32_t(V >> 32);
      }
  } else if constexpr (sizeof(T) == 4) {
    uint32_t *To = W.row(O.Reg);
    auto *From = reinterpret_cast<const uint32_t *>(Value);
    if (I.Modifiers & ModSdwa)
      return writeSelected(W, I, To, From, Active);
    if (Active == W.Full) {
      memcpy(To, From, Lanes * 4);
      return;
    }
    for (unsigned L = 0; L != Lanes; ++L)
      To[L] = Active >> L & 1 ? From[L] : To[L];
  } else {
    uint32_t *To = W.row(O.Reg);
    if (I.Modifiers & ModSdwa) {
      uint32_t Wide[64];
      for (unsigned L = 0; L != Lanes; ++L)
        Wide[L] = std::bit_cast<uint16_t>(Value[L]);
      return writeSelected(W, I, To, Wide, Active);
    }
    extern bool keepsHalf(const Wave &W, const Instruction &I);
    bool Keep = O.Half || O.High || keepsHalf(W, I);
    for (unsigned L = 0; L != Lanes; ++L) {
      if (!(Active >> L & 1))
        continue;
      uint32_t V = std::bit_cast<uint16_t>(Value[L]);
      To[L] = O.High ? (To[L] & 0xffff) | V << 16
              : Keep ? (To[L] & 0xffff0000) | V
                     : V;
    }
  }
}

/// Sets the host's rounding and flushing as the wave's mode says, while any of
/// it differs from the usual.
class FloatMode {
public:
  FloatMode(const Wave &W, bool Single) {
    unsigned Round = Single ? W.Mode & 3 : W.Mode >> 2 & 3;
    unsigned Denormals = Single ? W.Mode >> 4 & 3 : W.Mode >> 6 & 3;
    if (Round || Denormals != 3) [[unlikely]]
      set(Round, Denormals);
  }
  ~FloatMode() {
    if (Changed) [[unlikely]]
      restore();
  }

private:
  void set(unsigned Round, unsigned Denormals);
  void restore();
  bool Changed = false;
  unsigned Before = 0;
};

//===----------------------------------------------------------------------===//
// From a function of one lane to a handler
//===----------------------------------------------------------------------===//

template <class F>
struct Signature : Signature<decltype(&std::remove_cv_t<F>::operator())> {};
template <class C, class R, class... A> struct Signature<R (C::*)(A...) const> {
  using Result = R;
  static constexpr unsigned Count = sizeof...(A);
  template <unsigned N>
  using Argument = std::tuple_element_t<N, std::tuple<A...>>;
};

template <class T>
constexpr bool IsFloat = std::is_same_v<T, float> ||
                         std::is_same_v<T, double> || std::is_same_v<T, Half>;

template <auto F, bool Slow, class R, class... A, size_t... N>
void apply(Wave &W, const Instruction &I, std::index_sequence<N...>) {
  alignas(64) R Out[64];
  FloatMode Mode(W,
                 (std::is_same_v<A, float> || ...) || std::is_same_v<R, float>);
  [&]<class... B>(B &&...Own) {
    auto Sources = std::make_tuple(source<A>(W, I, N + 1, Own.Lane)...);
    if constexpr (Slow) {
      for (uint64_t M = W.exec(); M; M &= M - 1) {
        unsigned L = unsigned(__builtin_ctzll(M));
        Out[L] = F(std::get<N>(Sources)[L]...);
      }
    } else {
      for (unsigned Half = 0; Half != W.Lanes; Half += 32)
        for (unsigned L = Half; L != Half + 32; ++L)
          Out[L] = F(std::get<N>(Sources)[L]...);
    }
  }([] {
    struct Buffer {
      alignas(64) A Lane[64];
    };
    return Buffer();
  }()...);
  result(W, I, 0, Out);
}

template <auto F, bool Slow> struct VectorOf {
  using S = Signature<decltype(F)>;
  static void run(Wave &W, const Instruction &I) {
    [&]<size_t... N>(std::index_sequence<N...> Sequence) {
      apply<F, Slow, typename S::Result, typename S::template Argument<N>...>(
          W, I, Sequence);
    }(std::make_index_sequence<S::Count>());
  }
  static constexpr Semantics semantics(uint32_t Modifiers) {
    Semantics Out{run, {}, Modifiers, 1};
    Out.Types[0] = typeOf<typename S::Result>();
    [&]<size_t... N>(std::index_sequence<N...>) {
      ((Out.Types[N + 1] = typeOf<typename S::template Argument<N>>()), ...);
      if constexpr ((IsFloat<typename S::template Argument<N>> || ...) ||
                    IsFloat<typename S::Result>)
        Out.Modifiers |= ModClamp | ModOmod;
      if constexpr (((sizeof(typename S::template Argument<N>) == 2) || ...) ||
                    sizeof(typename S::Result) == 2)
        Out.Modifiers |= ModOpSel;
    }(std::make_index_sequence<S::Count>());
    return Out;
  }
};

/// "v_op dst, src0, src1, ...".
template <auto F> Semantics vector(uint32_t More = 0) {
  return VectorOf<F, false>::semantics(ModDpp | ModSdwa | More);
}
/// The same, for functions that are too dear to run for inactive lanes.
template <auto F> Semantics vectorSlow(uint32_t More = 0) {
  return VectorOf<F, true>::semantics(ModDpp | ModSdwa | More);
}

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_LANES_H
