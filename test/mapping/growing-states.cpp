// Containers in all states, changed by all operations: the same in a kernel and on
// the host.
// RUN: %everywhere
#include "Inputs/check.h"

#include <algorithm>
#include <array>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

/// Short for even numbers, else with memory of its own.
template <class T> T made(int i) {
  if constexpr (std::is_same_v<T, int>)
    return i * 7;
  else if constexpr (std::is_same_v<T, std::string>)
    return std::string(i % 2 ? 40 : 3, char('a' + i % 26));
  else
    return T(std::size_t(i % 3), made<typename T::value_type>(i));
}

/// A class of the user's.
struct User {
  int number = 0;
  std::string name;
  std::vector<std::string> notes;
  std::unique_ptr<std::string> owned;

  User() = default;
  User(int i) : number(i), name(made<std::string>(i)), notes(i % 4, name) {
    if (i % 3)
      owned = std::make_unique<std::string>(name);
  }
  User(User &&) = default;
  User &operator=(User &&) = default;
  User(const User &o)
      : number(o.number), name(o.name), notes(o.notes),
        owned(o.owned ? std::make_unique<std::string>(*o.owned) : nullptr) {}
  User &operator=(const User &o) { return *this = User(o); }
  bool operator==(const User &o) const {
    return number == o.number && name == o.name && notes == o.notes &&
           !owned == !o.owned && (!owned || *owned == *o.owned);
  }
  bool operator<(const User &o) const { return name < o.name; }
};
template <> User made<User>(int i) { return User(i); }

/// Fills a container: it is empty, has few elements, many, or is moved from.
template <class C, class Add> C inState(int state, const Add &add) {
  C c;
  for (int i = 0; i != (state == 1 ? 3 : state == 2 ? 20 : state ? 5 : 0); ++i)
    add(c, i);
  if (state == 3)
    C other(std::move(c));
  return c;
}

constexpr int States = 4;

/// All states and operations, each with an object of its own, in one kernel.
template <class C, class Add, class Change>
void check(int operations, const Add &add, const Change &change) {
  std::vector<C> here, there;
  for (int i = 0; i != States * operations; ++i) {
    here.push_back(inState<C>(i % States, add));
    there.push_back(inState<C>(i % States, add));
  }
  for (int round = 0; round != 2; ++round) {
    for (int i = 0; i != States * operations; ++i)
      change(here[i], i / States, round);
    xcc::parallel_for(there.size(), [&there, change, round](std::size_t i) {
      change(there[i], int(i) / States, round);
    });
    xcc::synchronize();
    for (int i = 0; i != States * operations; ++i)
      if (!(here[i] == there[i])) {
        std::fprintf(stderr, "%s: state %d, operation %d, round %d\n",
                     __PRETTY_FUNCTION__, i % States, i / States, round);
        std::exit(1);
      }
  }
  // The host goes on with both.
  for (int i = 0; i != States * operations; ++i) {
    change(there[i], 0, 2);
    change(here[i], 0, 2);
    CHECK(here[i] == there[i]);
  }
}

/// vector and deque.
template <class C> void sequence() {
  using T = typename C::value_type;
  check<C>(
      14, [](C &c, int i) { c.push_back(made<T>(i)); },
      [](C &c, int what, int round) {
        const int n = int(c.size()), seed = n + 3 * round;
        switch (what) {
        case 0:
          c.push_back(made<T>(seed));
          break;
        case 1:
          c.insert(c.begin() + n / 2, 5, made<T>(seed));
          break;
        case 2:
          c.emplace(c.begin(), made<T>(seed));
          break;
        case 3:
          if (n)
            c.erase(c.begin() + n / 2);
          break;
        case 4:
          c.resize(std::size_t(n) * 2 + 1);
          break;
        case 5:
          c.resize(n / 2);
          c.shrink_to_fit();
          break;
        case 6:
          c.clear();
          break;
        case 7: {
          C other(3, made<T>(seed));
          c.swap(other);
          break;
        }
        case 8: {
          C other(4, made<T>(seed));
          c = std::move(other);
          break;
        }
        case 9:
          c.assign(6, made<T>(seed + 1));
          break;
        case 10: {
          C other = c;
          other.insert(other.end(), c.begin(), c.end());
          c = other;
          break;
        }
        case 11:
          if constexpr (!std::is_same_v<C, std::vector<bool>>)
            std::sort(c.begin(), c.end());
          break;
        case 12: {
          C other(std::move(c));
          other.push_back(made<T>(seed));
          c = std::move(other);
          break;
        }
        case 13:
          c = C();
          for (int i = 0; i != 30; ++i)
            c.push_back(made<T>(i));
          break;
        }
      });
}
template <> bool made<bool>(int i) { return i % 3 == 0; }

template <class S> void text() {
  using Char = typename S::value_type;
  check<S>(
      9, [](S &s, int i) { s.append(2, Char('a' + i)); },
      [](S &s, int what, int round) {
        switch (what) {
        case 0:
          s += Char('x');
          break;
        case 1:
          s.insert(0, S(20 + round, Char('y')));
          break;
        case 2:
          s.erase(s.size() / 2);
          s.shrink_to_fit();
          break;
        case 3:
          s.resize(s.size() * 2 + 30, Char('z'));
          break;
        case 4:
          s.clear();
          break;
        case 5: {
          S other(50, Char('o'));
          s.swap(other);
          break;
        }
        case 6: {
          S other(std::move(s));
          s = other + other;
          break;
        }
        case 7:
          s.reserve(100);
          break;
        case 8:
          s = S(s.rbegin(), s.rend()) + s;
          break;
        }
      });
}

/// list and forward_list: what both have, and what is list's.
template <class C> void linked() {
  using T = typename C::value_type;
  constexpr bool Both = std::is_same_v<C, std::list<T>>;
  check<C>(
      10, [](C &c, int i) { c.push_front(made<T>(i)); },
      [](C &c, int what, int round) {
        switch (what) {
        case 0:
          c.push_front(made<T>(round));
          break;
        case 1: {
          C other(3, made<T>(5));
          if constexpr (Both)
            c.splice(c.begin(), other);
          else
            c.splice_after(c.before_begin(), other);
          break;
        }
        case 2:
          c.sort();
          break;
        case 3: {
          C other(3, made<T>(5));
          c.sort();
          c.merge(other);
          break;
        }
        case 4:
          c.reverse();
          c.unique();
          break;
        case 5:
          c.resize(7);
          break;
        case 6:
          c.clear();
          break;
        case 7: {
          C other(std::move(c));
          c = other;
          break;
        }
        case 8: {
          C other(2, made<T>(9));
          c.swap(other);
          break;
        }
        case 9:
          if (!c.empty())
            c.pop_front();
          c.remove(made<T>(1));
          break;
        }
      });
}

/// Maps and sets, ordered or not.
template <class C, class Value> void keyed(const Value &value) {
  check<C>(
      8, [value](C &c, int i) { c.insert(value(i)); },
      [value](C &c, int what, int round) {
        const int n = int(c.size());
        switch (what) {
        case 0:
          c.insert(value(n + round));
          break;
        case 1:
          for (int i = 0; i != 40; ++i)
            c.emplace(value(3 * i));
          break;
        case 2:
          if (n)
            c.erase(c.begin());
          break;
        case 3:
          c.clear();
          break;
        case 4: {
          C other;
          other.insert(value(50));
          c.swap(other);
          break;
        }
        case 5: {
          C other;
          other.insert(value(60));
          other.insert(value(1));
          c.merge(other);
          break;
        }
        case 6:
          if (n) {
            auto node = c.extract(c.begin());
            C other;
            other.insert(std::move(node));
            c = std::move(other);
          }
          break;
        case 7: {
          C other(std::move(c));
          other.insert(value(70));
          c = other;
          break;
        }
        }
      });
}

/// What owns one value, or none.
struct Holder {
  std::optional<std::string> note;
  std::variant<int, std::string, std::vector<std::string>> value;
  std::unique_ptr<User> owned;
  std::pair<std::string, std::vector<int>> pair;
  std::tuple<int, std::string, std::list<std::string>> tuple;
  std::array<std::string, 2> array;
  std::queue<std::string> queue;
  std::stack<std::string, std::vector<std::string>> stack;
  std::priority_queue<std::string> priority;
  std::optional<std::vector<std::map<int, std::string>>> deep;
  std::shared_ptr<std::string> shared =
      std::make_shared<std::string>("the text of all owners");

  bool operator==(const Holder &o) const {
    auto a = priority, b = o.priority;
    while (!a.empty() && !b.empty() && a.top() == b.top())
      a.pop(), b.pop();
    return note == o.note && value == o.value && !owned == !o.owned &&
           (!owned || *owned == *o.owned) && pair == o.pair &&
           tuple == o.tuple && array == o.array && queue == o.queue &&
           stack == o.stack && a.empty() && b.empty() && deep == o.deep &&
           !shared == !o.shared && (!shared || *shared == *o.shared) &&
           shared.use_count() == o.shared.use_count();
  }
};

static void holders() {
  check<Holder>(
      10,
      [](Holder &h, int i) {
        h.note = made<std::string>(i);
        h.value = made<std::vector<std::string>>(i);
        h.owned = std::make_unique<User>(i);
        h.queue.push(made<std::string>(i));
        h.stack.push(made<std::string>(i));
        h.priority.push(made<std::string>(i));
        h.deep.emplace(2)[1][i] = made<std::string>(i);
      },
      [](Holder &h, int what, int round) {
        if (!h.shared) // it is moved from
          return;
        const std::string word = made<std::string>(2 * round + 1);
        switch (what) {
        case 0:
          h.note = word;
          h.value = word;
          break;
        case 1:
          h.note.reset();
          h.value = int(round);
          break;
        case 2:
          h.owned = std::make_unique<User>(round + 1);
          break;
        case 3:
          h.owned.reset();
          break;
        case 4:
          h.pair = {word, std::vector<int>(30, round)};
          std::get<2>(h.tuple).push_back(word);
          std::get<1>(h.tuple) += word;
          break;
        case 5:
          h.array[1] += word;
          std::swap(h.array[0], h.array[1]);
          break;
        case 6:
          h.queue.push(word);
          h.stack.push(word);
          h.priority.push(word);
          break;
        case 7:
          if (!h.queue.empty())
            h.queue.pop(), h.stack.pop(), h.priority.pop();
          break;
        case 8:
          if (!h.deep)
            h.deep.emplace();
          h.deep->resize(4);
          for (auto &each : *h.deep)
            each[round] += word;
          break;
        case 9: {
          auto other = h.shared;
          *other += word;
          h.owned = std::make_unique<User>(9);
          h.owned->notes.insert(h.owned->notes.begin(), *other);
          break;
        }
        }
      });
}

int main() {
  auto word = [](int i) { return made<std::string>(i); };
  sequence<std::vector<std::vector<std::vector<std::string>>>>();
  sequence<std::vector<User>>();
  sequence<std::vector<bool>>();
  sequence<std::deque<std::string>>();
  text<std::string>();
  text<std::u16string>();
  linked<std::list<User>>();
  linked<std::forward_list<std::string>>();
  keyed<std::map<int, std::vector<std::string>>>([](int i) {
    return std::pair<const int, std::vector<std::string>>(
        i % 9, std::vector<std::string>(i % 3, made<std::string>(i)));
  });
  keyed<std::multiset<std::string>>(word);
  keyed<std::unordered_set<std::string>>(word);
  keyed<std::unordered_multimap<std::string, User>>([](int i) {
    return std::pair<const std::string, User>(made<std::string>(i % 5), i);
  });
  holders();
}
