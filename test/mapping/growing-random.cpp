// Random operations on containers, in a kernel and on the host: the same results.
// Node containers, which kernels read, change and grow.
// RUN: %everywhere
// RUN: %sanitized -std=c++17 %s -o %t-asan && env XCC_CPU_SEPARATE=1 %t-asan
#include "Inputs/check.h"

#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

struct State {
  std::string text;
  std::vector<std::string> names;
  std::vector<std::vector<int>> rows;
  std::vector<bool> bits;
  std::list<std::string> list;
  std::forward_list<int> forward;
  std::map<int, std::string> map;
  std::multiset<int> set;
  std::unordered_map<int, std::string> table;
  std::deque<std::string> deque;
  std::optional<std::string> note;
  std::variant<int, std::string, std::vector<int>> value;
  std::unique_ptr<std::string> owned;
  std::map<int, std::list<std::vector<std::string>>> nested;
  std::shared_ptr<std::string> shared = std::make_shared<std::string>("shared");
  std::vector<std::shared_ptr<std::string>> owners;

  State() = default;
  State(const State &o)
      : text(o.text), names(o.names), rows(o.rows), bits(o.bits), list(o.list),
        forward(o.forward), map(o.map), set(o.set), table(o.table),
        deque(o.deque), note(o.note), value(o.value),
        owned(o.owned ? std::make_unique<std::string>(*o.owned) : nullptr),
        nested(o.nested), shared(std::make_shared<std::string>(*o.shared)),
        owners(o.owners.size(), shared) {}
  bool operator==(const State &o) const {
    return text == o.text && names == o.names && rows == o.rows &&
           bits == o.bits && list == o.list && forward == o.forward &&
           map == o.map && set == o.set && table == o.table &&
           deque == o.deque && note == o.note && value == o.value &&
           !owned == !o.owned && (!owned || *owned == *o.owned) &&
           nested == o.nested && *shared == *o.shared &&
           owners.size() == o.owners.size() &&
           shared.use_count() == long(owners.size() + 1);
  }
};

struct Random {
  unsigned state;
  unsigned operator()(unsigned below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  }
};

static std::string word(Random &r) {
  return std::string(r(40), char('a' + r(26)));
}

static void stepSequences(State &s, Random &r, unsigned what) {
  switch (what) {
  case 0:
    s.text += word(r);
    break;
  case 1:
    s.text.erase(s.text.size() / 2);
    s.text.shrink_to_fit();
    break;
  case 2:
    s.names.insert(s.names.begin() + r(unsigned(s.names.size()) + 1), word(r));
    break;
  case 3:
    if (!s.names.empty())
      s.names.erase(s.names.begin() + r(unsigned(s.names.size())));
    break;
  case 4:
    s.names.shrink_to_fit();
    break;
  case 5:
    s.rows.emplace_back(r(20), int(r(100)));
    break;
  case 6:
    if (!s.rows.empty())
      s.rows[r(unsigned(s.rows.size()))].resize(r(60), 7);
    break;
  case 7:
    if (s.rows.size() > 6)
      s.rows.erase(s.rows.begin(), s.rows.begin() + 3);
    break;
  case 8:
    s.bits.resize(r(300), r(2));
    break;
  case 9:
    s.list.push_back(word(r));
    s.list.push_front(word(r));
    break;
  case 10:
    if (!s.list.empty())
      s.list.erase(s.list.begin());
    break;
  case 11:
    s.list.reverse();
    break;
  case 12:
    s.forward.push_front(int(r(50)));
    break;
  case 13:
    s.deque.push_back(word(r));
    s.deque.push_front(word(r));
    break;
  default:
    if (!s.deque.empty())
      s.deque.pop_front();
  }
}

/// Three deep, shared, and what a handler has seen.
static void stepDeep(State &s, Random &r, unsigned what) {
  switch (what) {
  case 0:
    s.nested[int(r(5))].emplace_back(r(4), word(r));
    break;
  case 1:
    for (auto &[key, list] : s.nested)
      if (!list.empty())
        list.front().push_back(word(r));
    break;
  case 2:
    s.nested.erase(int(r(5)));
    break;
  case 3:
    s.owners.push_back(s.shared);
    break;
  case 4:
    if (!s.owners.empty())
      s.owners.pop_back();
    break;
  case 5:
    *s.shared += word(r);
    break;
  case 6:
    try {
      s.rows.at(r(9)).at(r(9)) += 1;
    } catch (const std::out_of_range &) {
      s.text += "!";
    }
    break;
  default:
    s.names.swap(s.nested[1].emplace_back());
  }
}

static void stepOthers(State &s, Random &r, unsigned what) {
  switch (what) {
  case 0:
  case 1:
    s.map[int(r(40))] += word(r);
    break;
  case 2:
    s.map.erase(int(r(40)));
    break;
  case 3:
    s.set.insert(int(r(30)));
    break;
  case 4:
    s.set.erase(int(r(30)));
    break;
  case 5:
  case 6:
    s.table[int(r(60))] = word(r);
    break;
  case 7:
    s.table.erase(int(r(60)));
    break;
  case 8:
    s.note = word(r);
    break;
  case 9:
    s.note.reset();
    break;
  case 10:
    s.value = int(r(9));
    break;
  case 11:
    s.value = word(r);
    break;
  case 12:
    s.value = std::vector<int>(r(9), 3);
    break;
  case 13:
    s.owned = std::make_unique<std::string>(word(r));
    break;
  case 14:
    s.owned.reset();
    break;
  case 15:
    s.text = std::string(s.names.empty() ? "none" : s.names.back());
    break;
  default:
    if (!s.list.empty())
      s.text = std::move(s.list.front());
  }
}

static void run(State &s, unsigned seed, unsigned steps) {
  Random r{seed * 2654435761u + 1};
  for (unsigned i = 0; i != steps; ++i)
    switch (r(3)) {
    case 0:
      stepSequences(s, r, r(15));
      break;
    case 1:
      stepOthers(s, r, r(17));
      break;
    default:
      stepDeep(s, r, r(8));
    }
}

static void random(unsigned seed) {
  std::vector<State> states(3);
  for (unsigned i = 0; i != states.size(); ++i)
    run(states[i], seed + i, 30);
  std::vector<State> expected = states;
  for (unsigned round = 0; round != 3; ++round) {
    const unsigned from = seed + 10 * round, steps = 5 + 20 * round;
    for (unsigned i = 0; i != states.size(); ++i)
      run(expected[i], from + i, steps);
    xcc::parallel_for(states.size(), [&](std::size_t i) {
      run(states[i], from + unsigned(i), steps);
    });
    xcc::synchronize();
    CHECK(states == expected);
  }
  // The host goes on with what a kernel left.
  for (State &s : states)
    run(s, seed, 20);
  for (State &s : expected)
    run(s, seed, 20);
  CHECK(states == expected);
}

/// Kernels that allocate nothing.
static void changed() {
  std::map<int, std::string> map{{1, "one"}, {2, "two"}, {7, "seven"}};
  std::list<int> list{1, 2, 3}, empty;
  std::deque<int> deque(300, 1);
  std::unordered_map<int, int> table{{1, 10}, {2, 20}};
  int sum = 0;
  xcc::launch({{1}, {1}}, [&] {
    for (auto &[key, value] : map)
      value[0] = 'X';
    for (int &x : list)
      sum += x++;
    for (int &x : deque)
      sum += x++;
    for (auto &[key, value] : table)
      sum += value++;
    sum += 1000 * int(empty.size());
  });
  xcc::synchronize();
  CHECK(map[1] == "Xne" && map[7] == "Xeven" && sum == 6 + 300 + 30);
  CHECK(list == std::list<int>({2, 3, 4}) && deque[299] == 2);
  CHECK(table[1] == 11 && table[2] == 21);
  list.push_back(1), map.erase(2), deque.clear(), table[5] = 1;
}

int main(int argc, char **argv) {
  changed();
  // More: how many, from which on.
  const unsigned from = argc > 2 ? unsigned(std::atoi(argv[2])) : 0,
                 seeds = argc > 1 ? unsigned(std::atoi(argv[1])) : 12;
  for (unsigned seed = from; seed != from + seeds; ++seed)
    random(100 * seed + 1);
}
