// A set that numbers its keys
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch mostly refers to few objects, and they are collected anew for each
// launch. So this set costs nothing to make, and keeps its memory for the next
// launch.

#ifndef XCC_SRC_MAPPING_NUMBERS_H
#define XCC_SRC_MAPPING_NUMBERS_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace xcc::rt {

/// Holds each key once, in the order of insertion. Few keys are compared one by
/// one; more are in a hash table. A key of class type needs a hash().
template <class Key> class Numbers {
public:
  /// Adds a key. Returns its number and whether it is new.
  std::pair<uint32_t, bool> add(const Key &key) {
    if (table.empty()) {
      for (size_t i = 0; i != keys.size(); ++i)
        if (keys[i] == key)
          return {uint32_t(i), false};
      keys.push_back(key);
      if (keys.size() > Few)
        makeTable(8 * Few);
      return {uint32_t(keys.size() - 1), true};
    }
    uint32_t &slot = slotOf(key);
    if (slot)
      return {slot - 1, false};
    keys.push_back(key);
    slot = uint32_t(keys.size());
    if (2 * keys.size() > table.size())
      makeTable(2 * table.size());
    return {uint32_t(keys.size() - 1), true};
  }
  /// The key's number, or None.
  uint32_t find(const Key &key) const {
    if (!table.empty())
      return const_cast<Numbers *>(this)->slotOf(key) - 1;
    for (size_t i = 0; i != keys.size(); ++i)
      if (keys[i] == key)
        return uint32_t(i);
    return None;
  }
  static constexpr uint32_t None = ~0u;
  Key operator[](size_t number) const { return keys[number]; }
  size_t size() const { return keys.size(); }
  void clear() {
    keys.clear();
    table.clear();
  }
  /// Reserves room for \p count keys. Call it while the set is empty.
  void reserve(size_t count) {
    keys.reserve(count);
    if (count > Few)
      makeTable(std::bit_ceil(2 * count + 2));
  }
  size_t capacity() const { return keys.capacity() + table.capacity(); }

private:
  static constexpr size_t Few = 16;

  static uint64_t hashOf(const Key &key) {
    if constexpr (std::is_integral_v<Key>)
      return uint64_t(key) * 0x9e3779b97f4a7c15;
    else
      return key.hash();
  }
  /// \p size is a power of two.
  void makeTable(size_t size) {
    table.assign(size, 0);
    for (size_t i = 0; i != keys.size(); ++i)
      slotOf(keys[i]) = uint32_t(i + 1);
  }
  /// The key's slot, or a free one for it.
  uint32_t &slotOf(const Key &key) {
    for (size_t at = hashOf(key) >> 32;; ++at) {
      uint32_t &slot = table[at & (table.size() - 1)];
      if (!slot || keys[slot - 1] == key)
        return slot;
    }
  }

  std::vector<Key> keys;
  std::vector<uint32_t> table; ///< number + 1, or 0; empty for few keys
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_NUMBERS_H
