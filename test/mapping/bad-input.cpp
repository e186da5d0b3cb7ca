// Bad input: each is a clear error or works, and what the host has is never lost.
// RUN: %everywhere
#include "Inputs/check.h"

#include <atomic>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static void unmapped() {
  std::vector<int> v(10, 1);
  int local = 5;
  int *p = v.data(), *q = &local;
  struct {
    int *a;
    int *b[2];
  } record{p, {nullptr, q}};
  CHECK(fails([&] { xcc::launch({{1}, {1}}, [p] { *p = 2; }); },
              "'p' points to host memory", "bad-input.cpp:", "std::span"));
  CHECK(fails([&] { xcc::launch({{1}, {1}}, [&v, q] { *q = v[0]; }); },
              "'q' points to"));
  CHECK(fails(
      [&] { xcc::launch({{1}, {1}}, [&v, &record] { *record.b[1] = v[0]; }); },
      "'record.b[1]' points to"));
  CHECK(v == std::vector<int>(10, 1) && local == 5 && record.a == p);
}

struct Head {
  int numbers[2] = {1, 2};
};

/// Behind what is mapped, and before it.
static void beside() {
  int three[3] = {1, 2, 3};
  int &middle = three[1];
  int *before = &three[0], *after = &three[2];
  CHECK(fails(
      [&] { xcc::launch({{1}, {1}}, [&middle, after] { *after = middle; }); },
      "'after' points to"));
  CHECK(fails(
      [&] { xcc::launch({{1}, {1}}, [&middle, before] { *before = middle; }); },
      "'before' points to"));
  // A reference is to one object: elements beside it belong to something that
  // has to be named, too.
  std::vector<int> w(100, 1);
  int &first = w[0];
  CHECK(fails(
      [&] {
        xcc::parallel_for(100, [&first](std::size_t i) { (&first)[i] += 1; });
      },
      "the kernel uses memory outside 'first'", "4 bytes", "std::span"));
  // At offsets that are constant too, in front of it, and of classes.
  CHECK(fails([&] { xcc::launch({{1}, {1}}, [&first] { (&first)[2] = 8; }); },
              "the kernel uses memory outside 'first'", "4 bytes"));
  struct Body {
    Head head;
    int rest = 1;
  } body;
  Head &head = body.head;
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [&head] {
          reinterpret_cast<Body *>(&head)->rest = head.numbers[1];
        });
      },
      "the kernel uses memory outside 'head'", "8 bytes"));
  int &rest = body.rest;
  CHECK(fails([&] { xcc::launch({{1}, {1}}, [&rest] { (&rest)[-1] = rest; }); },
              "the kernel uses memory outside 'rest'", "4 bytes"));
  xcc::launch({{1}, {1}}, [&body, &head, &rest, &one = head.numbers[0]] {
    (&one)[1] = reinterpret_cast<Body *>(&head)->rest + body.rest + rest;
  });
  xcc::synchronize();
  CHECK(head.numbers[1] == 3);
  {
    xcc::map scope(w);
    xcc::parallel_for(100, [&first](std::size_t i) { (&first)[i] += 1; });
  }
  xcc::parallel_for(100, [&](std::size_t i) { (&first)[i] += w[99 - i] > 0; });
  xcc::synchronize();
  CHECK(w[0] == 3 && w[99] == 3);
  std::vector<int> v(8, 1);
  int *end = v.data() + 8;
  std::vector<int>::iterator last = v.end();
  std::span<int> part(v.data() + 2, 3);
  int *beyond = v.data() + 6;
  {
    // One past a range is its own.
    int count = 0;
    xcc::launch({{1}, {1}}, [&, end, last] {
      for (int *p = v.data(); p != end; ++p)
        count += *p;
      for (auto i = v.begin(); i != last; ++i)
        ++*i;
    });
    xcc::synchronize();
    CHECK(count == 8 && v[7] == 2);
  }
  {
    xcc::map scope(part, middle);
    CHECK(fails([&] { xcc::launch({{1}, {1}}, [beyond] { *beyond = 1; }); },
                "'beyond' points to"));
    CHECK(fails([&] { xcc::launch({{1}, {1}}, [after] { *after = 1; }); },
                "'after' points to"));
    int *partEnd = v.data() + 5, *first = v.data() + 2;
    xcc::launch({{1}, {1}}, [=] {
      for (int *p = first; p != partEnd; ++p)
        *p = 50;
    });
  }
  CHECK(v[2] == 50 && v[4] == 50 && v[5] == 2 && v[1] == 2);
  CHECK(three[0] == 1 && three[1] == 2 && three[2] == 3);
}

static void sizes() {
  std::vector<int> v(100, 1);
  std::span<int> low = std::span(v).first(60), high = std::span(v).last(60);
  // Of one launch: their union.
  xcc::parallel_for(60, [=](std::size_t i) {
    if (i < 40)
      low[i] += 1;
    high[i] += 10;
  });
  xcc::synchronize();
  CHECK(v[0] == 2 && v[39] == 2);
  CHECK(v[40] == 11 && v[99] == 11);
  // Of one after the other, while the first is in flight.
  xcc::parallel_for(60, [=](std::size_t i) { low[i] = 5; });
  xcc::parallel_for(60, [=](std::size_t i) { high[i] += 1; });
  xcc::parallel_for(100, [&v](std::size_t i) { v[i] += 100; });
  xcc::synchronize();
  CHECK(v[0] == 105 && v[39] == 105 && v[40] == 106 && v[59] == 106 &&
        v[60] == 112 && v[99] == 112);
  // In a scope, which holds only a part.
  {
    xcc::map scope(low);
    CHECK(fails(
        [&] { xcc::parallel_for(60, [=](std::size_t i) { high[i] = 0; }); },
        "'high' is 240 bytes", "only a part is mapped", "240 bytes at",
        "bad-input.cpp:"));
    CHECK(fails([&] { xcc::map more(v); }, "only a part is mapped",
                "bad-input.cpp:"));
    CHECK(fails([&] { xcc::map more(high); }, "only a part is mapped"));
    xcc::map inside(low.first(10));
    xcc::parallel_for(10, [=](std::size_t i) { low[i] += 1; });
  }
  CHECK(v[0] == 106 && v[10] == 105 && v[99] == 112);
}

/// A trait that throws, at any of its steps.
struct Chain {
  std::vector<int> *links;
  int count;
};
static int allowed;
template <> struct xcc::transfer<Chain> {
  static void map(xcc::mapper &m, Chain &c) {
    for (int i = 0; i < c.count; ++i) {
      if (--allowed < 0)
        throw std::runtime_error("no more links");
      m.range(&c.links[i], 1);
    }
  }
};
static void traitThrows() {
  std::vector<int> links[3] = {{1}, {2, 3}, {4, 5, 6}}, other(4, 9);
  Chain chain{links, 3};
  int thrown = 0;
  auto launch = [&] {
    xcc::launch({{1}, {1}}, [&] {
      for (int i = 0; i < chain.count; ++i)
        for (int &v : chain.links[i])
          v += other[0];
    });
  };
  for (int at = 0; at < 3 && separate(); ++at) {
    allowed = at;
    try {
      launch();
    } catch (const std::runtime_error &e) {
      thrown += std::strcmp(e.what(), "no more links") == 0;
    }
    allowed = at;
    try {
      xcc::map scope(other, chain);
    } catch (const std::runtime_error &e) {
      ++thrown;
    }
  }
  CHECK(thrown == (separate() ? 6 : 0));
  CHECK(links[0][0] == 1 && links[2][2] == 6);
  allowed = 3;
  launch();
  allowed = 100;
  {
    xcc::map scope(chain);
    launch();
    allowed = 0;
    if (separate()) {
      try {
        scope.to_host(chain);
        CHECK(false);
      } catch (const std::runtime_error &e) {
      }
    }
    allowed = 100;
  }
  xcc::synchronize();
  CHECK(links[0][0] == 19 && links[2][2] == 24 && other[0] == 9);
}

/// Many threads, the same objects.
static void threads() {
  struct Shared {
    std::vector<std::vector<int>> rows =
        std::vector<std::vector<int>>(8, std::vector<int>(4));
    std::string name = "a name that is too long to be in the object";
  } shared;
  std::atomic<int> wrong{0};
  auto work = [&](unsigned number) {
    xcc::stream s;
    for (int turn = 0; turn < 6; ++turn) {
      unsigned length = 0;
      xcc::launch({{1}, {4}, 0, &s}, [&shared, &length, number] {
        unsigned i = xcc::thread_idx().x;
        shared.rows[number][i] += int(i);
        if (!i)
          length = unsigned(shared.name.size());
      });
      s.synchronize();
      wrong += length != shared.name.size();
    }
  };
  // Threads do not look at what others write meanwhile.
  xcc::map scope(shared);
  if (const char *mode = std::getenv("XCC_CPU_SEPARATE");
      mode && *mode == '1') {
    // Where launches of others hide the host's objects: one after the other.
    for (unsigned i = 0; i < 8; ++i)
      work(i);
  } else {
    std::vector<std::thread> all;
    for (unsigned i = 0; i < 8; ++i)
      all.emplace_back(work, i);
    for (auto &t : all)
      t.join();
  }
  scope.end();
  CHECK(wrong == 0);
  for (auto &row : shared.rows)
    CHECK(row == std::vector<int>({0, 6, 12, 18}));
}

/// Freed, resized, moved from.
static void goneObjects() {
  std::vector<int> v(10, 1), w(10, 2);
  {
    xcc::map scope(v);
    xcc::launch({{1}, {1}}, [&] { v[0] = 5; });
    xcc::synchronize();
    std::vector<int> taken = std::move(v);
    CHECK(fails([&] { xcc::launch({{1}, {1}}, [&] { v[0] = 6; }); },
                "the host changed what 'v'"));
    v = std::move(taken);
    xcc::launch({{1}, {1}}, [&] { v[1] = 7; });
  }
  CHECK(v[0] == 5 && v[1] == 7);
  {
    xcc::map scope(v);
    xcc::launch({{1}, {1}}, [&] { v[2] = 8; });
    xcc::synchronize();
    v.shrink_to_fit();
    v.push_back(1);
    CHECK(fails([&] { xcc::launch({{1}, {1}}, [&] { v[0] = 6; }); },
                "the host changed what 'v'"));
    CHECK(fails([&] { scope.end(); }, "the end of a mapping"));
  }
  v = {1, 2, 3};
  xcc::map onV(v);
  std::vector<int> none = std::move(w);
  xcc::launch({{1}, {1}}, [&] { v[0] += int(w.size()) + int(none.size()); });
  onV.end();
  CHECK(v[0] == 11);
  // A vector that is gone, whose memory another has now.
  auto gone = std::make_unique<std::vector<int>>(64, 1);
  auto scope = std::make_unique<xcc::map>(*gone);
  auto *p = gone.get();
  xcc::launch({{1}, {1}}, [p] { (*p)[0] = 3; });
  xcc::synchronize();
  scope.reset();
  CHECK((*gone)[0] == 3);
  gone.reset();
  CHECK(fails([&] { xcc::launch({{1}, {1}}, [p] { (*p)[0] = 3; }); },
              "'p' points to"));
}

/// Scopes that end in another order, moved scopes, and ones that exceptions end.
static void orders() {
  std::vector<int> a(10, 1), b(10, 2);
  auto touch = [&] {
    xcc::parallel_for(10, [&](std::size_t i) {
      a[i] += 1;
      b[i] += 1;
    });
  };
  auto outer = std::make_unique<xcc::map>(a, b);
  auto inner = std::make_unique<xcc::map>(a);
  touch();
  outer.reset();
  CHECK(b[9] == 3 && a[9] == (separate() ? 1 : 2));
  touch();
  xcc::synchronize();
  CHECK(b[9] == 4);
  xcc::map moved = std::move(*inner);
  inner.reset();
  touch();
  moved.end();
  moved.end();
  CHECK(a[9] == 4);
  xcc::synchronize();
  CHECK(b[9] == 5);
  try {
    xcc::map scope(a, b);
    touch();
    throw std::runtime_error("in the middle");
  } catch (const std::runtime_error &) {
  }
  CHECK(a[9] == 5 && b[9] == 6);
  // A scope that takes another's place.
  std::optional<xcc::map> slot;
  slot.emplace(a);
  touch();
  slot.emplace(b);
  touch();
  slot.reset();
  xcc::synchronize();
  CHECK(a[9] == 7 && b[9] == 8);
  xcc::map first(a);
  first = xcc::map(b);
  touch();
  first.end();
  xcc::synchronize();
  CHECK(a[9] == 8 && b[9] == 9);
}

/// Exceptions between launches: what is in flight still comes back.
static void exceptionsBetween() {
  std::vector<int> v(10, 1);
  int *unmapped = new int(3);
  try {
    xcc::parallel_for(10, [&](std::size_t i) { v[i] += 1; });
    if (!separate())
      throw std::runtime_error("as if");
    xcc::parallel_for(10, [&, unmapped](std::size_t i) { v[i] += *unmapped; });
  } catch (const std::exception &) {
  }
  xcc::parallel_for(10, [&](std::size_t i) { v[i] *= 2; });
  xcc::synchronize();
  CHECK(v == std::vector<int>(10, 4));
  delete unmapped;
}

int main() {
  unmapped();
  beside();
  sizes();
  traitThrows();
  threads();
  goneObjects();
  orders();
  exceptionsBetween();
}
