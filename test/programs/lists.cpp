// Containers and algorithms: an LRU cache, a heap, permutations, a trie
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <vector>

class Cache {
public:
  explicit Cache(size_t most) : most(most) {}
  const std::string *find(int key) {
    auto at = places.find(key);
    if (at == places.end())
      return nullptr;
    entries.splice(entries.begin(), entries, at->second);
    return &at->second->second;
  }
  void put(int key, std::string value) {
    if (places.size() == most) {
      places.erase(entries.back().first);
      entries.pop_back();
    }
    entries.emplace_front(key, std::move(value));
    places[key] = entries.begin();
  }

private:
  size_t most;
  std::list<std::pair<int, std::string>> entries;
  std::map<int, std::list<std::pair<int, std::string>>::iterator> places;
};
struct Trie {
  std::array<std::unique_ptr<Trie>, 26> next;
  bool end = false;
  void add(const char *word) {
    if (!*word) {
      end = true;
      return;
    }
    auto &child = next[*word - 'a'];
    if (!child)
      child = std::make_unique<Trie>();
    child->add(word + 1);
  }
  int count() const {
    int n = end;
    for (auto &child : next)
      n += child ? child->count() : 0;
    return n;
  }
};

int main() {
  Cache cache(3);
  for (int i = 0; i < 6; ++i) {
    cache.put(i, std::string(size_t(i) * 8 + 1, char('a' + i)));
    cache.find(1);
  }
  for (int i = 0; i < 6; ++i)
    std::printf("%d: %s\n", i, cache.find(i) ? cache.find(i)->c_str() : "gone");
  std::priority_queue<int, std::vector<int>, std::greater<int>> heap;
  for (int i : {5, 3, 8, 1, 9, 2})
    heap.push(i);
  for (; !heap.empty(); heap.pop())
    std::printf("%d ", heap.top());
  std::string letters = "abcd";
  int permutations = 0;
  do
    ++permutations;
  while (std::next_permutation(letters.begin(), letters.end()));
  std::vector<int> numbers(20);
  std::iota(numbers.begin(), numbers.end(), 1);
  auto odd = std::stable_partition(numbers.begin(), numbers.end(), [](int n) { return n % 3 == 0; });
  std::set<int> few(odd, numbers.end());
  std::function<int(int)> twice = [&](int n) { return n * int(few.size()); };
  std::printf("\n%d %d %zu %d\n", permutations, int(odd - numbers.begin()), few.size(), twice(3));
  Trie trie;
  for (const char *word : {"tea", "ten", "to", "inn", "in", "ten"})
    trie.add(word);
  return trie.count();
}
