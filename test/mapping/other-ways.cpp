// What kernels make of addresses: where the host had none, of memory that is named
// as const as well, and of memory that is nobody's copy.
// RUN: %everywhere
// RUN: %xcc -std=c++20 -O0 -Wno-offload-host-memory %s -o %t-O0 && env XCC_CPU_SEPARATE=1 %t-O0
#include "Inputs/check.h"

#include <cstddef>
#include <cstdlib>
#include <deque>
#include <initializer_list>
#include <list>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

/// Into objects that had no address yet.
static void whereNoneWas() {
  std::vector<int> full(5, 1), empty;
  std::string text = "a text that is longer than what fits in itself";
  std::string_view whole = text, word, second;
  std::span<int> part;
  std::optional<std::span<int>> maybe, engaged = std::span(full);
  std::variant<double, std::string_view, std::span<int>> either = .5,
                                                         other = whole;
  std::unique_ptr<int> from = std::make_unique<int>(7), to;
  int *plain = nullptr;
  xcc::launch({{1}, {1}}, [&] {
    word = whole.substr(7, 4);
    second = word.substr(1, 2);
    part = std::span(full).subspan(1, 3);
    maybe = part.first(2);
    engaged.reset();
    either = word;
    other = part;
    plain = part.data() + 1;
    std::swap(full, empty);
    std::swap(from, to);
  });
  xcc::synchronize();
  CHECK(full.empty() && empty == std::vector<int>(5, 1));
  CHECK(word == "that" && word.data() == text.data() + 7 &&
        second.data() == text.data() + 8);
  CHECK(part.data() == empty.data() + 1 && part.size() == 3 &&
        plain == empty.data() + 2);
  CHECK(maybe && maybe->data() == empty.data() + 1 && maybe->size() == 2 &&
        !engaged);
  CHECK(std::get<1>(either).data() == text.data() + 7);
  CHECK(std::get<2>(other).data() == empty.data() + 1);
  CHECK(!from && *to == 7);
  full.push_back(3);
  empty.resize(100);
}

/// Whose ends are the begins of others, if the device puts them so.
static void pagesOfElements() {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 6; ++i)
    rows.emplace_back(std::size_t(2048 << i % 2), i);
  auto *first = rows[0].data();
  xcc::launch({{1}, {1}}, [&] {
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
      std::swap(rows[i], rows[i + 1]);
  });
  xcc::synchronize();
  CHECK(rows[5].data() == first);
  for (int i = 0; i < 6; ++i) {
    std::size_t was = std::size_t(i + 1) % 6;
    CHECK(rows[std::size_t(i)].size() == 2048u << was % 2 &&
          rows[std::size_t(i)].back() == int(was));
  }
}

struct Holder {
  std::vector<int> *whole;
  int *first;
  mutable int looks = 0;
  mutable std::vector<int> seen = std::vector<int>(2);
};
static void writtenInAnotherWay() {
  std::vector<int> v(20, 2);
  const std::vector<int> &same = v;
  int *p = v.data();
  xcc::launch({{1}, {1}}, [&same, p] { p[3] = same[4] + 1; });
  xcc::synchronize();
  CHECK(v[3] == 3);
  std::span<const int> part(v.data() + 5, 5);
  {
    xcc::map scope(same);
    auto *whole = &v;
    xcc::launch({{1}, {1}}, [whole, part] { (*whole)[19] = part[0]; });
    Holder holder{&v, v.data()};
    xcc::launch({{1}, {1}}, [&holder, part] {
      (*holder.whole)[18] = part[0];
      holder.first[6] = 9;
    });
    xcc::synchronize();
  }
  CHECK(v[19] == 2 && v[18] == 2 && v[6] == 9);
}

struct Cached {
  int value = 5;
  mutable int uses = 0;
  int get() const { return ++uses, value; }
};
static void mutableMembers() {
  const Holder holder{nullptr, nullptr};
  const Cached cached;
  const std::vector<Cached> several(3);
  int sum = 0;
  xcc::launch({{1}, {1}}, [&] {
    sum = cached.get() + several[1].get();
    ++holder.looks;
    holder.seen[1] = 4;
  });
  xcc::synchronize();
  CHECK(sum == 10 && holder.looks == 1 && holder.seen[1] == 4);
  CHECK(cached.uses == 1 && several[1].uses == 1 && several[0].uses == 0);
}

/// Memory of devices, and the page-locked, in the host's objects.
struct Links {
  int *device, *locked, *none = nullptr;
};
static void memoryOfDevices() {
  xcc::buffer<int> device(8);
  xcc::host_buffer<int> locked(8);
  device.fill(0);
  Links a{device.data(), locked.data()}, b{};
  xcc::launch({{1}, {1}}, [&] {
    a.device[2] = 5;
    a.locked[2] = 6;
    std::swap(a, b);
    b.device += 2;
  });
  xcc::synchronize();
  CHECK(b.device == device.data() + 2 && !a.device && !a.locked);
  CHECK(b.locked == locked.data() && locked[2] == 6);
}

/// Addresses of no elements.
struct Numbers {
  int *data;
  int count;
};
template <> struct xcc::transfer<Numbers> {
  static void map(xcc::mapper &m, Numbers &n) {
    m.range(n.data, std::size_t(n.count));
  }
};
static void ofNothing() {
  std::unique_ptr<int[]> memory(new int[10]());
  std::span<int> none(memory.get() + 4, 0), kept;
  Numbers numbers{memory.get() + 3, 0};
  std::valarray<int> values;
  std::string_view text("");
  std::vector<std::span<int>> spans(3, std::span<int>(memory.get() + 1, 0));
  std::size_t sizes = 1;
  xcc::launch({{1}, {1}}, [&] {
    kept = none;
    sizes =
        none.size() + std::size_t(numbers.count) + values.size() + text.size();
    for (auto &s : spans)
      for (int &v : s)
        v = 1;
  });
  xcc::synchronize();
  CHECK(sizes == 0 && kept.data() == none.data() &&
        numbers.data == memory.get() + 3);
}

/// Arrays of which the heap tells how large they are, about.
struct Pair {
  int *a, *b;
};
static void arraysOfAddresses() {
  int values[8] = {};
  for (std::size_t n : {1u, 2u, 3u, 4u, 7u, 8u}) {
    // What was there before stays there.
    std::vector<std::unique_ptr<int *[]>> garbage;
    for (int i = 0; i < 20; ++i) {
      garbage.emplace_back(new int *[n]);
      for (std::size_t k = 0; k < n; ++k)
        garbage.back()[k] = reinterpret_cast<int *>(0x1234567812345678);
    }
    garbage.clear();
    std::unique_ptr<int *[]> all(new int *[n]);
    std::unique_ptr<Pair[]> pairs(new Pair[n]);
    for (std::size_t i = 0; i < n; ++i) {
      all[i] = &values[i];
      pairs[i] = {&values[i], nullptr};
    }
    xcc::parallel_for(n, [&](std::size_t i) {
      *all[i] += int(n) + int(values[i] & 0);
      pairs[i].b = pairs[i].a;
    });
    xcc::synchronize();
    for (std::size_t i = 0; i < n; ++i)
      CHECK(pairs[i].b == &values[i]);
  }
  CHECK(values[0] == 25 && values[7] == 8);
}

/// Iterators, views and references that objects hold.
static void heldWays() {
  std::list<int> list{1, 2, 3, 4};
  std::vector<std::list<int>::iterator> places;
  for (auto i = list.begin(); i != list.end(); ++i)
    places.push_back(i);
  std::unordered_map<int, std::list<int>::iterator> where{{3, places[2]}};
  std::deque<int> deque(300, 1);
  auto middle = deque.begin() + 200;
  std::vector<int> values{5, 6, 7, 8};
  std::vector<std::span<int>> rows{std::span(values).first(2),
                                   std::span(values).last(2)};
  std::span<std::span<int>> all = rows;
  std::vector<std::string> texts{
      "one", "a text that is longer than what fits in itself"};
  std::vector<std::string_view> words{
      texts[0], std::string_view(texts[1]).substr(2), "literal"};
  std::pair<std::vector<int>, std::vector<int>> pair{{1, 2}, {3, 4}};
  auto &[left, right] = pair;
  auto [first, number] = std::tie(values, left[0]);
  struct Self {
    int own[4] = {1, 2, 3, 4};
    int *at = own;
  };
  std::vector<Self> selves(2);
  for (Self &self : selves)
    self.at = &self.own[2];
  int read = 0;
  xcc::launch({{1}, {1}}, [&] {
    *places[1] = 20;
    list.splice(list.begin(), list, where.at(3));
    *where.find(3)->second = 33;
    middle[5] = deque[0] + 8;
    all[1][0] += 10;
    read = words[1][0] + words[2][0] + int(words[0].size());
    left[1] += right[1];
    first[3] = number + 1;
    *selves[1].at = 9;
    selves[0].at = selves[0].own + 3;
  });
  xcc::synchronize();
  CHECK(list == std::list<int>({33, 1, 20, 4}) && *places[1] == 20);
  CHECK(deque[205] == 9 && values[2] == 17 && values[3] == 2 &&
        read == 't' + 'l' + 3);
  CHECK(pair.first[1] == 6 && selves[1].own[2] == 9 &&
        selves[0].at == selves[0].own + 3);
}

/// Classes that have operators of their own where others have the language's.
struct Odd {
  std::vector<int> v{1, 2, 3};
  Odd *operator&() const { return nullptr; }
  static void *operator new(std::size_t bytes) {
    return std::malloc(bytes + 8);
  }
  static void operator delete(void *at) { std::free(at); }
  Odd() = default;
  Odd(const Odd &) = delete;
};
struct [[gnu::packed]] Packed {
  char c;
  int i;
  double d;
};
static void oddClasses() {
  Odd one;
  auto owned = std::make_unique<Odd>();
  std::vector<Packed> packed(3, Packed{'a', 5, 1.5});
  std::vector<std::byte> bytes(3 * sizeof(Pair));
  std::initializer_list<int> given = {4, 5, 6};
  xcc::launch({{1}, {1}}, [&] {
    one.v[1] += 7;
    owned->v[2] = given.begin()[2];
    packed[1].i += 1000;
    packed[2].d += packed[2].c;
    ::new (static_cast<void *>(&bytes[sizeof(Pair)])) Pair{&one.v[0], nullptr};
  });
  xcc::synchronize();
  CHECK(one.v[1] == 9 && owned->v[2] == 6 && packed[1].i == 1005 &&
        packed[2].d == 1.5 + 'a');
}

int main() {
  heldWays();
  oddClasses();
  whereNoneWas();
  pagesOfElements();
  writtenInAnotherWay();
  mutableMembers();
  memoryOfDevices();
  ofNothing();
  arraysOfAddresses();
}
