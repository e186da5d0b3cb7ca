// Objects that random kernels find each other's addresses in
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What access.py's programs share. Each object has pages of its own; a kernel
// runs while those that its image's table says it does not use cannot be read,
// and those that it only reads cannot be written, so that whatever the table
// leaves out is a fault.

#ifndef XCC_TEST_RANDOM_ACCESS_OBJECTS_H
#define XCC_TEST_RANDOM_ACCESS_OBJECTS_H

#include "formats/kernel_access.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <sys/mman.h>
#include <vector>
#include <xcc/xcc.h>

struct Node {
  long v;
  Node *a;
  int w;
  Node *b;
  Node *c[2];
  unsigned char bytes[8];
  double d;
};
struct [[gnu::packed]] Odd {
  char tag;
  Node *n;
  int x;
};

/// What a kernel gets. Pointers never are null.
struct Roots {
  int k;
  Node *r0;
  const Node *r1;
  Node **list;
  Odd *odd;
  Node own; ///< in the kernarg block itself
  Node *out;
};

namespace objects {

constexpr std::size_t Page = 4096;
struct Object {
  char *begin;
  std::vector<std::size_t> addresses; ///< where they lie
};
inline std::vector<Object> all;
inline std::vector<Node *> nodes;

inline char *make(std::vector<std::size_t> addresses) {
  void *page = mmap(nullptr, Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  all.push_back({static_cast<char *>(page), std::move(addresses)});
  return all.back().begin;
}

template <class T> void addressesOf(std::vector<std::size_t> &, std::size_t);
template <> inline void addressesOf<Node>(std::vector<std::size_t> &to, std::size_t at) {
  for (std::size_t member : {offsetof(Node, a), offsetof(Node, b), offsetof(Node, c), offsetof(Node, c) + 8})
    to.push_back(at + member);
}
template <> inline void addressesOf<Odd>(std::vector<std::size_t> &to, std::size_t at) {
  to.push_back(at + offsetof(Odd, n));
}
template <> inline void addressesOf<Node *>(std::vector<std::size_t> &to, std::size_t at) { to.push_back(at); }
template <class T> T *array(std::size_t count) {
  std::vector<std::size_t> addresses;
  for (std::size_t i = 0; i != count; ++i)
    addressesOf<T>(addresses, i * sizeof(T));
  return reinterpret_cast<T *>(make(std::move(addresses)));
}

/// Fresh contents for a kernel: all random, but valid addresses.
struct World {
  Roots roots;
  explicit World(unsigned seed) {
    std::mt19937 random(seed);
    for (Object &o : all)
      munmap(o.begin, Page);
    all.clear();
    nodes.clear();
    for (int i = 0; i != 9; ++i) {
      Node *four = array<Node>(4);
      for (int j = 0; j != 4; ++j)
        nodes.push_back(four + j);
    }
    auto any = [&] { return nodes[random() % nodes.size()]; };
    auto fill = [&](Node &n) {
      n = {long(random() % 100), any(), int(random() % 100), any(), {any(), any()}, {}, random() % 100 * 0.5};
      for (unsigned char &byte : n.bytes)
        byte = random();
    };
    for (Node *n : nodes)
      fill(*n);
    roots.k = random() % 100;
    roots.r0 = any();
    roots.r1 = any();
    roots.out = any();
    roots.list = array<Node *>(4);
    std::generate_n(roots.list, 4, any);
    roots.odd = array<Odd>(3);
    for (int i = 0; i != 3; ++i)
      roots.odd[i] = {char(random()), any(), int(random())};
    fill(roots.own);
  }
  ~World() {
    for (Object &o : all)
      mprotect(o.begin, Page, PROT_READ | PROT_WRITE);
  }

  /// As a launch on a device with memory of its own would find it out.
  void protect(const xcc::rt::KernelAccess &access) const {
    using State = xcc::rt::KernelAccess::State;
    std::vector<std::size_t> inRoots;
    for (std::size_t at : {offsetof(Roots, r0), offsetof(Roots, r1), offsetof(Roots, list), offsetof(Roots, odd),
                           offsetof(Roots, out)})
      inRoots.push_back(at);
    addressesOf<Node>(inRoots, offsetof(Roots, own));
    std::map<const Object *, int> use;
    std::set<std::pair<char *, State>> seen;
    std::vector<std::pair<char *, State>> work;
    auto reach = [&](const char *at, State state) {
      char *value;
      std::memcpy(&value, at, sizeof value);
      if (seen.insert({value, state}).second)
        work.push_back({value, state});
    };
    for (std::size_t at : inRoots)
      reach(reinterpret_cast<const char *>(&roots) + at, access.step(access.Block, at));
    while (!work.empty()) {
      auto [value, state] = work.back();
      work.pop_back();
      if (access.ends(state))
        continue;
      for (const Object &o : all)
        if (value >= o.begin && value < o.begin + Page) {
          use[&o] |= (access.reads(state) ? PROT_READ : 0) | (access.writes(state) ? PROT_READ | PROT_WRITE : 0);
          for (std::size_t at : o.addresses)
            reach(o.begin + at, access.step(state, o.begin + at - value));
        }
    }
    for (const Object &o : all)
      mprotect(o.begin, Page, use[&o]);
  }
};

/// The columns that the program's image has, from a file: "kernel_3 0:r,8:w".
inline std::map<std::string, std::string> columns(const char *path) {
  std::map<std::string, std::string> result;
  std::ifstream file(path);
  for (std::string name, column; file >> name >> column;)
    result[name] = column;
  return result;
}

inline int failures = 0;
template <class Launch>
void run(const std::map<std::string, std::string> &columns, const char *name, Launch launch) {
  auto column = columns.find(name);
  if (column == columns.end())
    return;
  xcc::rt::KernelAccess access(column->second);
  for (unsigned seed = 0; seed != 6; ++seed) {
    World world(seed);
    world.protect(access);
    try {
      launch(world.roots);
      xcc::synchronize();
    } catch (const std::exception &error) {
      std::printf("%s with objects %u: %s\n  access=%s\n", name, seed, error.what(), column->second.c_str());
      ++failures;
      return;
    }
  }
}

} // namespace objects

#endif // XCC_TEST_RANDOM_ACCESS_OBJECTS_H
