// Moving data between registers and memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_ACCESS_H
#define XCC_TEST_SIMULATOR_AMDGCN_ACCESS_H

#include "lanes.h"

namespace amdgcn {

/// What a load makes of the bytes, and where a store takes them.
enum class Form : uint8_t {
  Words,   ///< one to four registers
  Zero,    ///< extended with zeros to 32 bits
  Sign,    ///< with the sign
  Low,     ///< 16 bits into the lower half
  LowZero, ///< 8 bits, extended to 16, into the lower half
  LowSign,
  High, ///< likewise into the upper half
  HighZero,
  HighSign
};
constexpr bool isHigh(Form F) { return F >= Form::High; }

/// Memory of one lane into its registers from \p Row on.
template <unsigned Bytes, Form F>
void loadLane(Wave &W, unsigned Row, unsigned Lane, const uint8_t *From,
              bool KeepHalf) {
  if constexpr (F == Form::Words) {
    for (unsigned I = 0; I != Bytes / 4; ++I) {
      uint32_t V;
      memcpy(&V, From + 4 * I, 4);
      W.row(Row + I)[Lane] = V;
    }
  } else {
    uint32_t V;
    if constexpr (Bytes == 1)
      V = *From;
    else {
      uint16_t H;
      memcpy(&H, From, 2);
      V = H;
    }
    if constexpr (F == Form::Sign || F == Form::LowSign || F == Form::HighSign)
      V = Bytes == 1 ? uint32_t(int8_t(V)) : uint32_t(int16_t(V));
    uint32_t &To = W.row(Row)[Lane];
    if constexpr (F == Form::Zero || F == Form::Sign)
      To = V;
    else if constexpr (isHigh(F))
      To = (KeepHalf ? To & 0xffff : 0) | V << 16;
    else
      To = (KeepHalf ? To & 0xffff0000 : 0) | (V & 0xffff);
  }
}

/// A lane's registers into memory. True when that changed something.
template <unsigned Bytes, Form F>
bool storeLane(Wave &W, unsigned Row, unsigned Lane, uint8_t *To) {
  uint8_t Data[16];
  if constexpr (F == Form::Words) {
    for (unsigned I = 0; I != Bytes / 4; ++I)
      memcpy(Data + 4 * I, &W.row(Row + I)[Lane], 4);
  } else {
    uint32_t V = W.row(Row)[Lane];
    if (isHigh(F))
      V >>= 16;
    memcpy(Data, &V, Bytes);
  }
  if (memcmp(To, Data, Bytes) == 0)
    return false;
  // Others may look at it: no wider value is seen in pieces.
  if constexpr (Bytes == 8 || Bytes == 16) {
    if (reinterpret_cast<uintptr_t>(To) % 8 == 0) {
      for (unsigned I = 0; I != Bytes; I += 8) {
        uint64_t V;
        memcpy(&V, Data + I, 8);
        __atomic_store_n(reinterpret_cast<uint64_t *>(To + I), V,
                         __ATOMIC_RELEASE);
      }
      return true;
    }
  }
  memcpy(To, Data, Bytes);
  return true;
}

/// Replaces a value by F(it, \p Data) in one step; gives the old one.
template <class T, auto F> T update(uint8_t *At, T Data, bool &Changed) {
  auto *P = reinterpret_cast<
      std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t> *>(At);
  auto Old = __atomic_load_n(P, __ATOMIC_ACQUIRE);
  while (true) {
    auto New = std::bit_cast<decltype(Old)>(T(F(std::bit_cast<T>(Old), Data)));
    if (__atomic_compare_exchange_n(P, &Old, New, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      Changed |= New != Old;
      return std::bit_cast<T>(Old);
    }
  }
}

template <class T>
T compareAndSwap(uint8_t *At, T New, T Expected, bool &Changed) {
  T Old = Expected;
  if (__atomic_compare_exchange_n(reinterpret_cast<T *>(At), &Old, New, false,
                                  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    Changed |= New != Expected;
  return Old;
}

/// A value of one or two registers.
template <class T> T laneValue(Wave &W, unsigned Row, unsigned Lane) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(uint64_t(W.row(Row + 1)[Lane]) << 32 |
                            W.row(Row)[Lane]);
  else
    return std::bit_cast<T>(W.row(Row)[Lane]);
}
template <class T>
void setLaneValue(Wave &W, unsigned Row, unsigned Lane, T Value) {
  if constexpr (sizeof(T) == 8) {
    auto V = std::bit_cast<uint64_t>(Value);
    W.row(Row)[Lane] = uint32_t(V);
    W.row(Row + 1)[Lane] = uint32_t(V >> 32);
  } else {
    W.row(Row)[Lane] = std::bit_cast<uint32_t>(Value);
  }
}

/// Calls F for each active lane, the lowest first.
template <class F> void forActive(const Wave &W, F Body) {
  for (uint64_t M = W.exec(); M; M &= M - 1)
    Body(unsigned(__builtin_ctzll(M)));
}

/// Notes that memory others see has changed.
void noteChange(Wave &W);

// The operations that atomic instructions have, on registers' types.
inline constexpr auto Increment = [](auto Old, auto Limit) {
  return Old >= Limit ? decltype(Old)(0) : decltype(Old)(Old + 1);
};
inline constexpr auto Decrement = [](auto Old, auto Limit) {
  return Old == 0 || Old > Limit ? Limit : decltype(Old)(Old - 1);
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_ACCESS_H
