// Thirty programs that let containers grow: in classes, in each other, by exceptions,
// in circles, in streams. Each is computed by a kernel, and by the host.
// RUN: %everywhere
// RUN: %sanitized -std=c++20 %s -o %t-asan && env XCC_CPU_SEPARATE=1 %t-asan
#include "Inputs/check.h"

#include <algorithm>
#include <array>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace {

const char *const Long = "a text that is too long for a short string's room";
using Text = std::string;

/// Changes one copy of an object in a kernel and another one on the host, in as many
/// kernels as there are rounds, and compares.
template <class T, class Change, class Equal = std::equal_to<>>
void program(const char *name, const T &start, const Change &change,
             Equal equal = {}) {
  T here = start, there = start;
  for (int round = 0; round != 3; ++round) {
    change(here, round);
    xcc::launch({{1}, {1}}, [&there, change, round] { change(there, round); });
    xcc::synchronize();
    if (!equal(here, there)) {
      std::fprintf(stderr, "%s differs after round %d (on %s)\n", name, round,
                   xcc::device::current().id());
      std::exit(1);
    }
  }
}

struct Person {
  Text name;
  std::vector<Text> aliases;
  std::map<int, Text> years;
  std::optional<Text> title;
  std::variant<int, Text, std::vector<int>> id;
  auto operator<=>(const Person &) const = default;
  bool operator==(const Person &) const = default;
};

struct Tree {
  int key = 0;
  Text text;
  std::unique_ptr<Tree> left, right;
  Tree() = default;
  explicit Tree(int key) : key(key), text(key % 5 + 20, char('a' + key % 26)) {}
  Tree(const Tree &o)
      : key(o.key), text(o.text),
        left(o.left ? std::make_unique<Tree>(*o.left) : nullptr),
        right(o.right ? std::make_unique<Tree>(*o.right) : nullptr) {}
  bool operator==(const Tree &o) const {
    auto same = [](const auto &a, const auto &b) {
      return !a == !b && (!a || *a == *b);
    };
    return key == o.key && text == o.text && same(left, o.left) &&
           same(right, o.right);
  }
  void insert(int k) {
    std::unique_ptr<Tree> *at = k < key ? &left : &right;
    while (*at)
      at = k < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = std::make_unique<Tree>(k);
  }
};

struct Descending {
  bool operator()(const Text &a, const Text &b) const { return b < a; }
};

/// Throws when it is copied for the nth time.
struct Brittle {
  Text text;
  int *left = nullptr;
  Brittle(const char *text, int *left) : text(text), left(left) {}
  Brittle(const Brittle &o) : text(o.text), left(o.left) {
    if (left && --*left == 0)
      throw std::runtime_error("copied");
  }
  Brittle &operator=(const Brittle &) = default;
};

void sequences() {
  using Deep = std::vector<std::vector<std::vector<Text>>>;
  program("nested three deep", Deep(2), [](Deep &v, int round) {
    v.resize(v.size() + 2);
    for (std::size_t i = 0; i != v.size(); ++i) {
      v[i].emplace_back(round + 1, Long);
      v[i].back().push_back(Text(i + 10, 'x'));
      v[i].front().insert(v[i].front().begin(), "first");
      if (i % 3 == 2)
        v[i].clear();
    }
  });
  program("rotated and erased", std::vector<Text>(9, Long),
          [](std::vector<Text> &v, int round) {
            v.insert(v.begin() + 2, {"one", Long, "three"});
            std::rotate(v.begin(), v.begin() + 4, v.end());
            v.erase(v.begin() + 1, v.begin() + 3);
            v[0] += v[1] + Text(round, '.');
          });
  program("sorted and unique", std::vector<Text>(), [](auto &v, int round) {
    for (int i = 0; i != 20; ++i)
      v.push_back(Text(i * 7 % 5 + 14, char('a' + i * round % 7)));
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
  });
  program("bits", std::vector<bool>(3, true), [](auto &v, int round) {
    for (int i = 0; i != 70 * (round + 1); ++i)
      v.push_back(i % 3 == round);
    v.erase(v.begin() + 1);
  });
  program("both ends", std::deque<Text>(), [](auto &d, int round) {
    for (int i = 0; i != 40; ++i) {
      d.push_front(Text(i + 1, 'f'));
      d.emplace_back(Long);
      if (i % 4 == round)
        d.pop_back(), d.pop_front();
    }
  });
  program("a text in itself", Text("short"), [](Text &s, int) {
    s += s;
    s.insert(3, s);
    s.replace(1, 2, s.substr(0, 9));
    s = s.substr(1) + Long;
  });
  program("wide texts", std::pair(std::wstring(L"w"), std::u32string()),
          [](auto &p, int round) {
            p.first.append(20 * round + 7, L'x');
            p.second += U"some text of 32 bits";
            if (round == 2)
              p.first.clear(), p.first.shrink_to_fit();
          });
  program("moved from",
          std::pair(std::vector<Text>(5, Long), std::vector<Text>()),
          [](auto &p, int round) {
            (round % 2 ? p.first : p.second) =
                std::move(round % 2 ? p.second : p.first);
            p.first.push_back("after");
          });
  program("an array of containers", std::array<std::vector<Text>, 4>(),
          [](auto &a, int round) {
            for (auto &v : a)
              v.push_back(Text(v.size() * 9 + round, 'a'));
            std::swap(a[0], a[3]);
          });
}

void linked() {
  program("spliced lists", std::pair(std::list<Text>(4, Long), std::list<Text>()),
          [](auto &p, int round) {
            auto &[a, b] = p;
            b.splice(b.begin(), a, a.begin());
            a.push_back("new");
            b.emplace_front(Long);
            b.sort();
            if (round == 1)
              a.merge(b);
            a.remove_if([](const Text &t) { return t.size() == 3; });
          });
  program("a forward list", std::forward_list<Text>{"a", Long},
          [](auto &l, int) {
            l.push_front(Long);
            l.insert_after(l.begin(), "b");
            l.reverse();
            l.unique();
          });
  program("a map of vectors", std::map<Text, std::vector<Text>>(),
          [](auto &m, int round) {
            for (int i = 0; i != 8; ++i)
              m[Text(i % 3 + round + 12, char('a' + i))].push_back(Long);
            m.erase(m.begin());
            if (auto node = m.extract(std::prev(m.end())); !node.empty()) {
              node.key() += "!";
              m.insert(std::move(node));
            }
          });
  program("sets in descending order", std::multiset<Text, Descending>{Long},
          [](auto &s, int round) {
            for (int i = 0; i != 6; ++i)
              s.insert(Text(i + 12, 'm'));
            s.erase(s.find(Text(12 + round, 'm')));
          });
  using Hashed = std::unordered_map<Text, std::vector<int>>;
  program("rehashed", Hashed(), [](Hashed &m, int round) {
    for (int i = 0; i != 40; ++i)
      m[Text(i % 13 + 10, 'h')].push_back(i * round);
    m.rehash(400);
    m.erase(Text(11, 'h'));
  });
  program("a map of maps", std::map<int, std::map<int, std::set<Text>>>(),
          [](auto &m, int round) {
            for (int i = 0; i != 12; ++i)
              m[i % 3][i % 4 + round].insert(Text(i + 10, 's'));
            m.erase(round);
          });
  program("adaptors",
          std::tuple(std::stack<Text>(), std::queue<Text, std::list<Text>>(),
                     std::vector<int>()),
          [](auto &t, int round) {
            auto &[stack, queue, heap] = t;
            for (int i = 0; i != 9; ++i) {
              stack.push(Text(i, 's'));
              queue.push(Long);
              heap.push_back(i * 7 % 9);
              std::push_heap(heap.begin(), heap.end());
            }
            for (int i = 0; i != round + 2; ++i)
              stack.pop(), queue.pop();
          });
}

void owners() {
  program("a class of all", std::vector<Person>(3),
          [](std::vector<Person> &v, int round) {
            for (Person &p : v) {
              p.name += Long;
              p.aliases.insert(p.aliases.begin(), 2, p.name);
              p.years[round * 10] = p.aliases.back();
              p.title = round % 2 ? std::nullopt : std::optional<Text>(Long);
              if (round == 0)
                p.id = Text(Long);
              else if (round == 1)
                p.id = std::vector<int>(30, 4);
              else
                p.id = 7;
            }
            v.push_back(v[round]);
          });
  program("a tree", Tree(50), [](Tree &t, int round) {
    for (int i = 0; i != 20; ++i)
      t.insert((i * 37 + round * 11) % 100);
    if (round == 1)
      t.left = std::move(t.left->right);
    if (round == 2)
      t.right.reset();
  });
  program("optional containers", std::optional<std::vector<std::optional<Text>>>(),
          [](auto &o, int round) {
            if (!o)
              o.emplace(3);
            o->push_back(Long);
            (*o)[round].reset();
            (*o)[2 - round] = Text(50, 'o');
          });
  struct Shared {
    std::shared_ptr<std::vector<Text>> a, b;
    std::weak_ptr<std::vector<Text>> w;
  };
  Shared s;
  s.a = s.b = std::make_shared<std::vector<Text>>(2, Long);
  s.w = s.a;
  for (int round = 0; round != 3; ++round) {
    xcc::launch({{1}, {1}}, [&s, round] {
      s.a->push_back(Text(30, 'a'));
      s.b->front() += "!";
      if (auto locked = s.w.lock())
        locked->emplace_back("locked");
      if (round == 1)
        s.b.reset();
      else if (round == 2)
        s.b = s.a;
      else
        s.a.swap(s.b);
    });
    xcc::synchronize();
    CHECK(s.a->size() == std::size_t(2 * round + 4));
    CHECK(s.a.use_count() == (round == 1 ? 1 : 2) && s.w.lock() == s.a);
    if (round == 1)
      s.b = s.a;
  }
  CHECK(s.a->back() == "locked" && (*s.a)[0] == Text(Long) + "!!!");
}

void byExceptions() {
  using Parts = std::vector<Text>;
  program("grown in handlers", Parts(), [](Parts &v, int round) {
    for (int i = 0; i != 6; ++i)
      try {
        v.push_back(Long);
        v.at(i * 2) += "reached";
        throw Text(20 + i, 't');
      } catch (const std::out_of_range &e) {
        v.emplace_back("out of range");
      } catch (Text &t) {
        v.push_back(std::move(t));
        if (round == 2)
          v.erase(v.begin());
      }
  });
  program("a strong guarantee", std::vector<Brittle>(), [](auto &v, int round) {
    int left = 1000;
    for (int i = 0; i != 4; ++i)
      v.emplace_back(Long, &left);
    left = int(v.size()) / 2;
    v.shrink_to_fit();
    for (Brittle &b : v)
      b.left = &left;
    left = 2;
    try {
      v.insert(v.end(), 3, Brittle(v[0]));
    } catch (const std::runtime_error &) {
      v[0].text += "kept";
    }
    for (Brittle &b : v)
      b.left = nullptr;
  }, [](const auto &a, const auto &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](auto &x, auto &y) { return x.text == y.text; });
  });
  program("undone by destructors", std::map<int, Text>{{1, Long}},
          [](auto &m, int round) {
            struct Undo {
              std::map<int, Text> &m;
              std::map<int, Text> kept = m;
              ~Undo() { m.swap(kept); }
            };
            try {
              Undo undo{m};
              for (int i = 0; i != 9; ++i)
                m[i] = Long;
              throw round;
            } catch (int n) {
              m[n * 10] += Text(30, 'u');
            }
          });
  program("no memory", std::vector<Text>(2, Long), [](auto &v, int) {
#if !__has_feature(address_sanitizer) // ends the process
    try {
      v[0].reserve(std::size_t(1) << 45);
    } catch (const std::bad_alloc &) {
      v[0] += "caught";
    }
    try {
      v.reserve(v.max_size() + 1);
    } catch (const std::length_error &) {
      v.push_back("too long");
    }
#endif
    v[1] += Long;
  });
}

/// A circle of owners. One of plain pointers is refused by the compiler.
struct Ring {
  Text name;
  std::shared_ptr<Ring> next;
};

void circles() {
  std::vector<std::shared_ptr<Ring>> ring;
  for (int i = 0; i != 5; ++i)
    ring.push_back(std::make_shared<Ring>(Ring{Text(i * 8, char('a' + i)), {}}));
  for (int i = 0; i != 5; ++i)
    ring[i]->next = ring[(i + 1) % 5];
  xcc::launch({{1}, {1}}, [&] {
    Ring *at = ring[0].get();
    for (int i = 0; i != 12; ++i, at = at->next.get())
      at->name += Long;
    ring[1]->next.swap(ring[3]->next);
  });
  xcc::synchronize();
  for (int i = 0; i != 5; ++i)
    CHECK(ring[i]->name.size() == i * 8 + (i < 2 ? 3 : 2) * std::strlen(Long));
  CHECK(ring[1]->next == ring[4] && ring[3]->next == ring[2]);
  for (auto &r : ring)
    r->next.reset();

  // Iterators of a list, which stay valid, beside it.
  std::list<Text> list = {"a", Long, "c"};
  std::vector<std::list<Text>::iterator> places = {std::next(list.begin()),
                                                   list.begin()};
  xcc::launch({{1}, {1}}, [&] {
    list.insert(places[0], "between");
    *places[1] += Long;
    list.splice(list.begin(), list, places[0]);
  });
  xcc::synchronize();
  CHECK(list == std::list<Text>{Long, Text("a") + Long, "between", "c"});
  CHECK(*places[0] == Long && *places[1] == Text("a") + Long);
}

template <class T> struct Counting {
  using value_type = T;
  Counting() = default;
  template <class U> Counting(const Counting<U> &) {}
  T *allocate(std::size_t n) {
    return static_cast<T *>(::operator new(n * sizeof(T)));
  }
  void deallocate(T *p, std::size_t) { ::operator delete(p); }
  bool operator==(const Counting &) const { return true; }
};

void allocatorsAndStreams() {
  using OwnText = std::basic_string<char, std::char_traits<char>, Counting<char>>;
  using Own = std::vector<OwnText, Counting<OwnText>>;
  program("an allocator without a state", Own(3), [](Own &v, int round) {
    v.resize(v.size() * 2, OwnText(Long));
    v[round] += Long;
    v.erase(v.begin() + 1);
  });

  std::vector<Text> names(4, "n");
  xcc::stream a, b;
  for (int round = 0; round != 4; ++round) {
    xcc::parallel_for(a, 4, [&](std::size_t i) { names[i] += Long; });
    if (!separate()) // others do not order streams
      a.synchronize();
    xcc::parallel_for(b, 4, [&](std::size_t i) { names[i] += "-"; });
    if (!separate())
      b.synchronize();
  }
  a.synchronize();
  b.synchronize();
  for (const Text &n : names)
    CHECK(n.size() == 1 + 4 * (std::strlen(Long) + 1) && n.back() == '-');

  // Many rounds, with a map that ends in between.
  std::vector<std::vector<Text>> rows(8);
  for (int round = 0; round != 30; ++round) {
    auto held = round % 3 == 2 ? std::optional<int>(round) : std::nullopt;
    if (held) {
      xcc::map scope(rows);
      xcc::parallel_for(8, [&](std::size_t i) { rows[i].push_back(Long); });
      scope.end();
    } else {
      xcc::parallel_for(8, [&](std::size_t i) {
        if (rows[i].size() > 9)
          rows[i].erase(rows[i].begin(), rows[i].begin() + 5);
        rows[i].emplace_back(i + 10, 'r');
      });
      xcc::synchronize();
    }
    for (auto &row : rows) // the host goes on with what came home
      row.push_back("host");
  }
  CHECK(std::all_of(rows.begin(), rows.end(), [](const auto &row) {
    return row.size() > 5 && row.back() == "host";
  }));

  // By locks: threads of a block add to one container, one after the other.
  std::vector<Text> shared;
  int turn = 0;
  xcc::launch({{1}, {32}}, [&] {
    for (unsigned i = 0; i != 32; ++i) {
      if (xcc::thread_idx().x == i)
        shared.push_back(Text(i + 5, 'l')), ++turn;
      xcc::sync_block();
    }
  });
  xcc::synchronize();
  CHECK(turn == 32 && shared.size() == 32 && shared[31] == Text(36, 'l'));
}

} // namespace

int main() {
  sequences();
  linked();
  owners();
  byExceptions();
  circles();
  allocatorsAndStreams();
}
