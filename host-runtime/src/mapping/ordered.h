// A sorted map of addresses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys are stored in sorted chunks. Addresses mostly come in ascending order,
// and the next query is mostly near the last one: neither needs a search.
// std::map would need an allocation and several cache misses for each.

#ifndef XCC_SRC_MAPPING_ORDERED_H
#define XCC_SRC_MAPPING_ORDERED_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace xcc::rt {

/// How many of \p n items, sorted by keyOf(item), are at or before \p key. \p
/// hint is the last result; the new one is mostly equal to it or one more.
template <class Item, class KeyOf>
size_t countUpTo(const Item *items, size_t n, uint64_t key, size_t &hint,
                 KeyOf keyOf) {
  for (size_t i = hint; i <= n && i <= hint + 1; ++i)
    if ((!i || keyOf(items[i - 1]) <= key) && (i == n || key < keyOf(items[i])))
      return hint = i;
  const Item *next = std::upper_bound(
      items, items + n, key,
      [&](uint64_t at, const Item &item) { return at < keyOf(item); });
  return hint = size_t(next - items);
}

template <class Value> class Ordered {
public:
  struct Item {
    uint64_t key;
    Value value;
  };

  bool empty() const { return chunks.empty(); }
  /// The last item at or before \p key; null if none. Valid until the next add.
  Item *atOrBefore(uint64_t key) {
    Chunk *c = chunkOf(key);
    return c ? c->upper(key) - 1 : nullptr;
  }
  /// The item with this key; null if there is none.
  Item *find(uint64_t key) {
    Item *i = atOrBefore(key);
    return i && i->key == key ? i : nullptr;
  }
  /// Adds a key that is not there yet.
  void add(uint64_t key, const Value &value) {
    Chunk *c = chunkOf(key);
    if (!c) {
      if (chunks.empty())
        chunks.push_back({key, std::make_unique_for_overwrite<Chunk>()});
      latest = 0;
      chunks[0].first = key;
      c = chunks[0].chunk.get();
    }
    if (c->size == MostItems)
      c = split(key);
    Item *at = c->upper(key);
    std::move_backward(at, c->end(), c->end() + 1);
    *at = {key, value};
    ++c->size;
  }
  /// Calls \p f for each item, in order.
  template <class F> void each(F &&f) const {
    for (const First &c : chunks)
      for (const Item *i = c.chunk->items; i != c.chunk->end(); ++i)
        f(*i);
  }

private:
  static constexpr size_t MostItems = 256;
  struct Chunk {
    size_t size = 0;
    size_t hint = 0; ///< the last result of upper()
    Item items[MostItems];
    Item *end() { return items + size; }
    const Item *end() const { return items + size; }
    /// The first item after \p key.
    Item *upper(uint64_t key) {
      return items + countUpTo(items, size, key, hint,
                               [](const Item &i) { return i.key; });
    }
  };
  struct First {
    uint64_t first; ///< smallest key
    std::unique_ptr<Chunk> chunk;
  };

  /// The last chunk that begins at or before \p key; null if there is none.
  Chunk *chunkOf(uint64_t key) {
    if (latest < chunks.size() && chunks[latest].first <= key &&
        (latest + 1 == chunks.size() || key < chunks[latest + 1].first))
      return chunks[latest].chunk.get();
    auto next = std::upper_bound(
        chunks.begin(), chunks.end(), key,
        [](uint64_t at, const First &c) { return at < c.first; });
    if (next == chunks.begin())
      return nullptr;
    latest = size_t(next - chunks.begin()) - 1;
    return chunks[latest].chunk.get();
  }
  /// Splits the latest chunk. Returns the chunk in which \p key belongs.
  Chunk *split(uint64_t key) {
    Chunk &full = *chunks[latest].chunk;
    auto fresh = std::make_unique_for_overwrite<Chunk>();
    // If the key comes after all others, keep the chunk full: keys mostly
    // ascend.
    const size_t stay =
        key > full.items[MostItems - 1].key ? MostItems : MostItems / 2;
    std::move(full.items + stay, full.end(), fresh->items);
    fresh->size = MostItems - stay;
    const uint64_t first = fresh->size ? fresh->items[0].key : key;
    chunks.insert(chunks.begin() + ptrdiff_t(latest) + 1,
                  {first, std::move(fresh)});
    full.size = stay;
    full.hint = 0;
    latest += key >= first;
    return chunks[latest].chunk.get();
  }

  std::vector<First> chunks; ///< sorted; no chunk is empty
  size_t latest = 0;         ///< the last result of chunkOf()
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_ORDERED_H
