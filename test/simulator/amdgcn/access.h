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
constexpr bool isHigh(Form f) { return f >= Form::High; }

/// The rows of registers that a value of so many bytes takes, looked up once for
/// all lanes.
template <unsigned Bytes> struct Rows {
  Rows(Wave &w, unsigned first) {
    for (unsigned i = 0; i != Count; ++i)
      row[i] = w.row(first + i);
  }
  static constexpr unsigned Count = (Bytes + 3) / 4;
  uint32_t *row[Count];
};

/// Memory of one lane into its registers.
template <unsigned Bytes, Form F>
void loadLane(const Rows<Bytes> &to, unsigned lane, const uint8_t *from,
              bool keepHalf) {
  if constexpr (F == Form::Words) {
    for (unsigned i = 0; i != Bytes / 4; ++i) {
      uint32_t v;
      memcpy(&v, from + 4 * i, 4);
      to.row[i][lane] = v;
    }
  } else {
    uint32_t v;
    if constexpr (Bytes == 1)
      v = *from;
    else {
      uint16_t h;
      memcpy(&h, from, 2);
      v = h;
    }
    if constexpr (F == Form::Sign || F == Form::LowSign || F == Form::HighSign)
      v = Bytes == 1 ? uint32_t(int8_t(v)) : uint32_t(int16_t(v));
    uint32_t &word = to.row[0][lane];
    if constexpr (F == Form::Zero || F == Form::Sign)
      word = v;
    else if constexpr (isHigh(F))
      word = (keepHalf ? word & 0xffff : 0) | v << 16;
    else
      word = (keepHalf ? word & 0xffff0000 : 0) | (v & 0xffff);
  }
}

/// A lane's registers into memory. True when that changed something.
template <unsigned Bytes, Form F>
bool storeLane(const Rows<Bytes> &from, unsigned lane, uint8_t *to) {
  uint8_t data[16];
  if constexpr (F == Form::Words) {
    for (unsigned i = 0; i != Bytes / 4; ++i)
      memcpy(data + 4 * i, &from.row[i][lane], 4);
  } else {
    uint32_t v = from.row[0][lane];
    if (isHigh(F))
      v >>= 16;
    memcpy(data, &v, Bytes);
  }
  if (memcmp(to, data, Bytes) == 0)
    return false;
  // Others may look at it: no wider value is seen in pieces.
  if constexpr (Bytes == 8 || Bytes == 16) {
    if (reinterpret_cast<uintptr_t>(to) % 8 == 0) {
      for (unsigned i = 0; i != Bytes; i += 8) {
        uint64_t v;
        memcpy(&v, data + i, 8);
        __atomic_store_n(reinterpret_cast<uint64_t *>(to + i), v,
                         __ATOMIC_RELEASE);
      }
      return true;
    }
  }
  memcpy(to, data, Bytes);
  return true;
}

/// Replaces a value by F(it, \p data) in one step; gives the old one.
template <class T, auto F> T update(uint8_t *at, T data, bool &changed) {
  auto *p = reinterpret_cast<
      std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t> *>(at);
  auto old = __atomic_load_n(p, __ATOMIC_ACQUIRE);
  while (true) {
    auto wanted =
        std::bit_cast<decltype(old)>(T(F(std::bit_cast<T>(old), data)));
    if (__atomic_compare_exchange_n(p, &old, wanted, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      changed |= wanted != old;
      return std::bit_cast<T>(old);
    }
  }
}

template <class T>
T compareAndSwap(uint8_t *at, T wanted, T expected, bool &changed) {
  T old = expected;
  if (__atomic_compare_exchange_n(reinterpret_cast<T *>(at), &old, wanted,
                                  false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    changed |= wanted != expected;
  return old;
}

/// A value of one or two registers.
template <class T> T laneValue(Wave &w, unsigned row, unsigned lane) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(uint64_t(w.row(row + 1)[lane]) << 32 |
                            w.row(row)[lane]);
  else
    return std::bit_cast<T>(w.row(row)[lane]);
}
template <class T>
void setLaneValue(Wave &w, unsigned row, unsigned lane, T value) {
  if constexpr (sizeof(T) == 8) {
    auto v = std::bit_cast<uint64_t>(value);
    w.row(row)[lane] = uint32_t(v);
    w.row(row + 1)[lane] = uint32_t(v >> 32);
  } else {
    w.row(row)[lane] = std::bit_cast<uint32_t>(value);
  }
}

/// Calls F for each active lane, the lowest first.
template <class F> void forActive(const Wave &w, F body) {
  uint64_t m = w.exec();
  if (m == w.full)
    for (unsigned l = 0; l != w.lanes; ++l)
      body(l);
  else
    for (; m; m &= m - 1)
      body(unsigned(__builtin_ctzll(m)));
}

/// Where many lanes' accesses lead to, when all of them may go there. False when
/// they have to be looked at one by one: to say what is wrong, or because each
/// access is of interest.
struct Reached {
  uint64_t shift = 0;   ///< of an address
  uint64_t perLane = 0; ///< more for each lane
  uint8_t *of(uint64_t at, unsigned lane) const {
    return reinterpret_cast<uint8_t *>(at + shift + perLane * lane);
  }
};
bool reachLds(Wave &w, const uint64_t *at, unsigned bytes, Reached &out);
bool reachScratch(Wave &w, const uint64_t *at, unsigned bytes, Reached &out);
bool reachGlobal(Wave &w, const uint64_t *at, unsigned bytes, Access how,
                 Reached &out);
/// Any address.
bool reachFlat(Wave &w, const uint64_t *at, unsigned bytes, Access how,
               Reached &out);
/// Loads words of shared memory where all lanes are active. False if that has to
/// be done lane by lane.
bool readSharedWords(Wave &w, const uint32_t *at, uint32_t offset,
                     uint32_t *to);
/// The place of lane 0's word where all lanes are active, and their words lie one
/// behind the other; else null.
uint8_t *wholeRow(const Wave &w, const uint64_t *at, const Reached &all);
/// Whether it is worth it to look at all of them together.
inline bool areMany(const Wave &w) {
  const uint64_t e = w.exec();
  return e & (e - 1) && __builtin_popcountll(e) > 6;
}

/// Whether a store tells of red zones, and is done.
template <unsigned Bytes, Form F>
bool tellsZones(Wave &w, unsigned row, const uint64_t *at, bool flat,
                bool shared) {
  if constexpr (Bytes == 4 && F == Form::Words)
    if (const uint64_t e = w.exec()) {
      const uint32_t word = w.row(row)[__builtin_ctzll(e)];
      if (simulator::RedZones::mayTell(word)) [[unlikely]]
        return w.tellZones(at, word, flat, shared);
    }
  return false;
}

/// Notes that memory others see has changed.
void noteChange(Wave &w);

/// Loads from where \p all leads to.
template <unsigned Bytes, Form F>
void loadAll(Wave &w, unsigned row, const uint64_t *at, const Reached &all,
             bool keepHalf) {
  const Rows<Bytes> rows(w, row);
  if constexpr (Bytes == 4 && F == Form::Words)
    if (const uint8_t *from = wholeRow(w, at, all)) {
      memcpy(rows.row[0], from, w.lanes * 4);
      return;
    }
  forActive(w, [&](unsigned l) {
    loadLane<Bytes, F>(rows, l, all.of(at[l], l), keepHalf);
  });
}
/// True when that changed something.
template <unsigned Bytes, Form F>
bool storeAll(Wave &w, unsigned row, const uint64_t *at, const Reached &all) {
  const Rows<Bytes> rows(w, row);
  bool changed = false;
  if constexpr (Bytes == 4 && F == Form::Words)
    if (uint8_t *to = wholeRow(w, at, all)) {
      changed = memcmp(to, rows.row[0], w.lanes * 4) != 0;
      if (changed)
        memcpy(to, rows.row[0], w.lanes * 4);
      return changed;
    }
  forActive(w, [&](unsigned l) {
    changed |= storeLane<Bytes, F>(rows, l, all.of(at[l], l));
  });
  return changed;
}

// The operations that atomic instructions have, on registers' types.
inline constexpr auto Increment = [](auto old, auto limit) {
  return old >= limit ? decltype(old)(0) : decltype(old)(old + 1);
};
inline constexpr auto Decrement = [](auto old, auto limit) {
  return old == 0 || old > limit ? limit : decltype(old)(old - 1);
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_ACCESS_H
