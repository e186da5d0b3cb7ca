// Containers that grow: on the host between launches, and in a kernel.
// RUN: %everywhere
// RUN: %sanitized -std=c++17 %s -o %t-asan && env XCC_CPU_SEPARATE=1 %t-asan
#include "Inputs/check.h"

#include <cstdlib>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

static void hostBetween() {
  std::vector<int> v(10, 0);
  for (int k = 0; k < 5; ++k) {
    xcc::parallel_for(10, [&](std::size_t i) { v[i] += 1; });
    xcc::synchronize();
    v[k] += 100;
    v.push_back(k);
  }
  for (int i = 0; i < 5; ++i)
    CHECK(v[i] == 105);
  CHECK(v[10] == 0 && v.size() == 15);
}

static void resized() {
  std::vector<int> v(10, 1);
  for (int k = 0; k < 6; ++k) {
    v.resize(v.size() * 3, 1);
    xcc::parallel_for(v.size(), [&](std::size_t i) { v[i] *= 2; });
    xcc::synchronize();
  }
  CHECK(v[0] == 64);
  CHECK(v.back() == 2);
}

static void added() {
  std::vector<int> v;
  v.reserve(16);
  v.push_back(1);
  xcc::launch({{1}, {1}}, [&] {
    v.push_back(2);
    v.push_back(3);
  });
  xcc::synchronize();
  CHECK(v.size() == 3 && v[2] == 3);
  v.push_back(4);
  CHECK(v[3] == 4);
}

static const char Long[] = "a text that is longer than a string holds itself";

static void objectsAdded() {
  std::vector<std::string> words;
  words.reserve(2);
  words.push_back("first");
  xcc::launch({{1}, {1}}, [&] { words.emplace_back(Long); });
  xcc::synchronize();
  CHECK(words.size() == 2 && words[0] == "first" && words[1] == Long);
  words.assign(2, "more");
}

/// A kernel allocates, and frees what the host allocated.
static void stringsGrow() {
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i)
    names.push_back(std::string(i, char('a' + i % 26)));
  for (int round = 0; round < 3; ++round) {
    xcc::parallel_for(names.size(), [&](std::size_t i) { names[i] += Long; });
    xcc::synchronize();
  }
  for (int i = 0; i < 40; ++i)
    CHECK(names[i] == std::string(i, char('a' + i % 26)) + Long + Long + Long);
}

static void vectorsGrow() {
  std::vector<int> numbers{1, 2, 3};
  std::vector<std::vector<std::string>> rows(2);
  std::vector<bool> bits(70, true);
  std::vector<double> room;
  room.reserve(100);
  std::vector<std::string> gone(5, Long);
  xcc::launch({{1}, {1}}, [&] {
    for (int i = 0; i < 100; ++i)
      numbers.push_back(i);
    numbers.erase(numbers.begin());
    rows.push_back({"short", Long});
    rows[0].resize(3, "filled");
    rows.insert(rows.begin(), rows[1]);
    for (int i = 0; i < 100; ++i)
      bits.push_back(i % 3 == 0);
    room.push_back(1.5);
    room.shrink_to_fit();
    gone.clear();
    gone.shrink_to_fit();
  });
  xcc::synchronize();
  CHECK(numbers.size() == 102 && numbers[0] == 2 && numbers[101] == 99);
  CHECK(rows.size() == 4 && rows[0].empty() && rows[1].size() == 3);
  CHECK(rows[1][2] == "filled" && rows[3][0] == "short" && rows[3][1] == Long);
  CHECK(bits.size() == 170 && bits[69] && bits[70] && !bits[71]);
  CHECK(room == std::vector<double>{1.5} && room.capacity() == 1);
  CHECK(gone.capacity() == 0);
  rows.clear();
}

struct Node {
  std::string name;
  std::vector<std::unique_ptr<Node>> kids;
};
struct Job {
  std::optional<std::string> note;
  std::variant<int, std::string, std::vector<double>> value;
  std::unique_ptr<std::string> owned;
};

static void ownersChange() {
  std::vector<Job> jobs(6);
  std::string a = Long, b = "b", from(40, 'f'), to;
  for (int i = 0; i < 6; ++i) {
    if (i % 2)
      jobs[i].note = Long, jobs[i].owned = std::make_unique<std::string>(Long);
    if (i % 3 == 1)
      jobs[i].value = Long;
    if (i % 3 == 2)
      jobs[i].value = std::vector<double>(i, 1.5);
  }
  xcc::parallel_for(jobs.size(), [&](std::size_t i) {
    Job &job = jobs[i];
    if (job.note)
      job.note.reset(), job.owned.reset();
    else
      job.note = Long, job.owned = std::make_unique<std::string>("made");
    if (job.value.index() == 0)
      job.value = std::string(Long);
    else if (job.value.index() == 1)
      job.value = std::vector<double>(3, 2.5);
    else
      job.value = 7;
    if (i == 0) {
      std::swap(a, b);
      to = std::move(from);
      from = std::string(50, 'n');
    }
  });
  xcc::synchronize();
  for (int i = 0; i < 6; ++i) {
    CHECK(jobs[i].note.has_value() == (i % 2 == 0));
    CHECK((jobs[i].owned != nullptr) == (i % 2 == 0));
    CHECK(i % 2 || (*jobs[i].note == Long && *jobs[i].owned == "made"));
    CHECK(jobs[i].value.index() == std::size_t((i + 1) % 3));
  }
  CHECK(std::get<1>(jobs[0].value) == Long);
  CHECK(std::get<2>(jobs[1].value) == std::vector<double>(3, 2.5));
  CHECK(a == "b" && b == Long);
  CHECK(to == std::string(40, 'f') && from == std::string(50, 'n'));
}

/// On the CPU device the new object may be where the freed copy was.
static void sameSizeAgain() {
  auto owned = std::make_unique<std::string>(Long);
  std::unique_ptr<std::string> other;
  std::vector<int> read(8, 1), filled(8, 2);
  int sum = 0;
  xcc::launch({{1}, {1}}, [&] {
    other = std::move(owned);
    other.reset();
    owned = std::make_unique<std::string>("new");
    for (int x : read)
      sum += x;
    read = std::vector<int>();
    filled = std::vector<int>(8, 9);
  });
  xcc::synchronize();
  CHECK(!other && *owned == "new" && sum == 8);
  CHECK(read.empty() && filled == std::vector<int>(8, 9));
}

static void treesGrow() {
  Node root;
  root.name = "root";
  root.kids.push_back(std::make_unique<Node>());
  root.kids[0]->name = Long;
  xcc::launch({{1}, {1}}, [&] {
    Node *at = &root;
    for (int i = 0; i < 10; ++i) {
      at->kids.push_back(std::make_unique<Node>());
      at = at->kids.back().get();
      at->name = i % 2 ? "odd" : Long;
    }
    root.kids.erase(root.kids.begin());
  });
  xcc::synchronize();
  const Node *at = &root;
  for (int i = 0; i < 10; ++i) {
    CHECK(at->kids.size() == 1);
    at = at->kids[0].get();
    CHECK(at->name == (i % 2 ? "odd" : Long));
  }
  CHECK(at->kids.empty());
}

static void inScopes() {
  std::vector<std::string> names(3, "x");
  xcc::map scope(names);
  for (int round = 0; round < 3; ++round)
    xcc::parallel_for(3, [&](std::size_t i) { names[i] += Long; });
  CHECK(fails([&] { scope.to_host(names); }, "allocated memory for 'names'",
              "comes back when that ends"));
  scope.end();
  CHECK(names[2] == std::string("x") + Long + Long + Long);

  // Until its elements can come back, the vector has those that it had.
  std::vector<std::string> words;
  words.reserve(2);
  words.push_back("first");
  xcc::map more(words);
  xcc::launch({{1}, {1}}, [&] { words.emplace_back("more"); });
  CHECK(fails([&] { more.to_host(words); }, "added elements to 'words'",
              "come back when that ends"));
  CHECK(!separate() || words.size() == 1);
  more.end();
  CHECK(words.size() == 2 && words[1] == "more");
}

static void inTwoStreams() {
  std::vector<std::string> names(3, "x");
  xcc::stream a, b;
  if (separate()) // others do not order streams
    for (int round = 0; round < 3; ++round) {
      xcc::parallel_for(a, 3, [&](std::size_t i) { names[i] += Long; });
      xcc::parallel_for(b, 3, [&](std::size_t i) { names[i] += "-"; });
    }
  a.synchronize();
  b.synchronize();
  CHECK(!separate() ||
        names[2] == std::string("x") + Long + "-" + Long + "-" + Long + "-");
}

/// Of a plain pointer nothing says how much there is, and who frees it.
static void byPlainPointer() {
  if (!std::strcmp(xcc::device::current().kind(), "host"))
    return;
  int *pointer = nullptr;
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [&] { pointer = new int(5); });
        xcc::synchronize();
      },
      "stored an address in 'pointer", "refers to nothing on the host"));
  CHECK(!pointer);
}

/// Not what grew: room that moves with a vector.
static void roomSwapped() {
  std::vector<std::string> a, b;
  a.reserve(10), b.reserve(20);
  a.assign(2, "a"), b.assign(3, "b");
  xcc::launch({{1}, {1}}, [&] { std::swap(a, b); });
  xcc::synchronize();
  CHECK(a == std::vector<std::string>(3, "b") && a.capacity() == 20);
  CHECK(b == std::vector<std::string>(2, "a") && b.capacity() == 10);
  a.resize(20, "c");
}

/// More than a device's heap has: the host lends the rest, and gets it back.
static void moreThanTheHeap() {
  std::vector<std::string> all(700, std::string(60, 'a'));
  xcc::parallel_for(all.size(),
                    [&](std::size_t i) { all[i].append(400, 'b'); });
  xcc::synchronize();
  const std::string longer = std::string(60, 'a') + std::string(400, 'b');
  CHECK(all == std::vector<std::string>(700, longer));
  xcc::parallel_for(all.size(), [&](std::size_t i) {
    all[i].append(1000, 'c');
    if (i % 3)
      std::string().swap(all[i]);
  });
  xcc::synchronize();
  for (std::size_t i = 0; i != all.size(); ++i)
    CHECK(all[i] == (i % 3 ? "" : longer + std::string(1000, 'c')));
}

/// Who catches it goes on with what there was.
static void noMemory() {
// AddressSanitizer ends the process.
#if !__has_feature(address_sanitizer)
  std::vector<std::string> names(40, "short");
  xcc::parallel_for(names.size(), [&](std::size_t i) {
    names[i] += Long;
    try {
      names[i].reserve(std::size_t(1) << 45);
    } catch (const std::bad_alloc &) {
      names[i] += "!";
    }
  });
  xcc::synchronize();
  CHECK(names ==
        std::vector<std::string>(40, std::string("short") + Long + "!"));
#endif
}

/// Arrays of new[]: a kernel may free them, and give them to another owner.
static void arrays() {
  auto gone = std::make_unique<int[]>(10), kept = std::make_unique<int[]>(3);
  std::unique_ptr<int[]> other;
  kept[2] = 7;
  xcc::launch({{1}, {1}}, [&] {
    gone.reset();
    other = std::move(kept);
    ++other[2];
  });
  xcc::synchronize();
  CHECK(!gone && !kept && other[2] == 8);
  if (!std::strcmp(xcc::device::current().kind(), "host"))
    return;
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [&] { other.reset(new int[20]); });
        xcc::synchronize();
      },
      "'other' owns an array that a kernel allocated"));
  CHECK(other[2] == 8);
}

template <class T> struct Malloc {
  using value_type = T;
  Malloc() = default;
  template <class U> Malloc(const Malloc<U> &) {}
  T *allocate(std::size_t n) {
    return static_cast<T *>(std::malloc(n * sizeof(T)));
  }
  void deallocate(T *at, std::size_t) { std::free(at); }
  bool operator==(const Malloc &) const { return true; }
  bool operator!=(const Malloc &) const { return false; }
};

/// With another parameter, so that it says itself what it is for others.
template <class T, std::size_t Align> struct Aligned {
  using value_type = T;
  template <class U> struct rebind {
    using other = Aligned<U, Align>;
  };
  Aligned() = default;
  template <class U> Aligned(const Aligned<U, Align> &) {}
  T *allocate(std::size_t n) {
    return static_cast<T *>(
        std::aligned_alloc(Align, (n * sizeof(T) + Align - 1) / Align * Align));
  }
  void deallocate(T *at, std::size_t) { std::free(at); }
  bool operator==(const Aligned &) const { return true; }
  bool operator!=(const Aligned &) const { return false; }
};

template <class T> struct Newed : Malloc<T> {
  Newed() = default;
  template <class U> Newed(const Newed<U> &) {}
  T *allocate(std::size_t n) {
    return static_cast<T *>(::operator new(n * sizeof(T)));
  }
  void deallocate(T *at, std::size_t n) {
    ::operator delete(at, n * sizeof(T));
  }
};

struct alignas(64) Wide {
  float values[16];
  explicit Wide(float v = 0) {
    for (float &value : values)
      value = v;
  }
};

/// Elements that the operator new of a greater alignment allocates.
static void alignedElements() {
  std::vector<Wide> some(3, Wide(1)), none;
  std::vector<std::vector<Wide>> rows(4, std::vector<Wide>(2, Wide(5)));
  std::list<Wide> list(2, Wide(1));
  std::map<int, Wide> map{{1, Wide(2)}, {5, Wide(3)}};
  std::deque<Wide> deque(3, Wide(4));
  auto one = std::make_unique<Wide>(7.f);
  std::unique_ptr<Wide[]> array(new Wide[3]);
  auto shared = std::make_shared<Wide>(8.f);
  for (int round = 0; round != 2; ++round) {
    xcc::launch({{1}, {1}}, [&] {
      some.push_back(Wide(float(some.size())));
      none.resize(none.size() + 5, Wide(2));
      rows[1].resize(rows[1].size() + 3, Wide(9));
      rows[2].clear(), rows[2].shrink_to_fit();
      rows.push_back(rows[0]);
      list.push_front(Wide(9));
      map.emplace(int(map.size()) * 10, Wide(1));
      map.erase(5);
      deque.push_back(Wide(2)), deque.pop_front();
      one = std::make_unique<Wide>(one->values[3] + 1);
      array[1].values[3] += 2;
      shared->values[1] += 1;
    });
    xcc::synchronize();
  }
  double sum = one->values[0] + array[1].values[3] + shared->values[1];
  for (auto &row : rows)
    for (Wide &wide : row) {
      CHECK(reinterpret_cast<std::uintptr_t>(&wide) % alignof(Wide) == 0);
      sum += wide.values[5];
    }
  CHECK(some.size() == 5 && some[4].values[15] == 4 && none.size() == 10);
  CHECK(rows.size() == 6 && rows[1].size() == 8 && rows[2].empty());
  CHECK(list.size() == 4 && map.size() == 2 && deque.size() == 3);
  CHECK(sum == 9 + 4 + 10 + 4 * 2 * 5 + 2 * 5 + 6 * 9);
}

/// Of stateless allocators that are not the library's: the host's memory is
/// theirs, which AddressSanitizer looks at.
static void ownAllocators() {
  using Text = std::basic_string<char, std::char_traits<char>, Malloc<char>>;
  std::vector<Text, Newed<Text>> texts(5, Text(Long));
  std::vector<int, Aligned<int, 64>> wide(10, 1), gone(100, 2);
  std::map<int, Text, std::less<>, Malloc<std::pair<const int, Text>>> map;
  std::list<int, Newed<int>> list{1, 2, 3};
  std::deque<int, Malloc<int>> deque(300, 7);
  std::unordered_map<int, int, std::hash<int>, std::equal_to<>,
                     Malloc<std::pair<const int, int>>>
      table{{1, 1}, {2, 2}};
  std::vector<bool, Malloc<bool>> bits(70, true);
  map[1] = Long, map[7] = "seven";
  xcc::launch({{1}, {1}}, [&] {
    texts[0] += Long;
    texts.push_back("more");
    texts.erase(texts.begin() + 1);
    wide.resize(1000, 3);
    gone.clear(), gone.shrink_to_fit();
    for (int i = 0; i != 9; ++i) {
      map[i] += Long;
      table[i * 100] = i;
      list.push_front(-i);
    }
    map.erase(7);
    list.pop_back();
    deque.insert(deque.begin(), 500, 8);
    deque.resize(600);
    bits.resize(500);
  });
  xcc::synchronize();
  CHECK(texts.size() == 5 && texts[0] == (std::string(Long) + Long).c_str());
  CHECK(texts[4] == "more" && wide.size() == 1000 && wide[9] == 1);
  CHECK(wide[999] == 3 && gone.capacity() == 0);
  CHECK(map.size() == 8 && map[1] == (std::string(Long) + Long).c_str());
  CHECK(list.size() == 11 && list.front() == -8 && list.back() == 2);
  CHECK(deque.size() == 600 && deque[499] == 8 && deque[599] == 7);
  CHECK(table.size() == 11 && table[800] == 8);
  CHECK(bits.size() == 500 && bits[69] && !bits[499]);
  texts.clear(), wide.push_back(1), map.clear(), deque.clear();
  table[9] = 9, list.clear();
}

/// With a state, of which the host knows nothing.
template <class T> struct Stateful : Malloc<T> {
  int pool;
  explicit Stateful(int pool) : pool(pool) {}
  template <class U> Stateful(const Stateful<U> &o) : pool(o.pool) {}
};

/// Used as it is, and left as it was where a kernel changes its size.
static void statefulAllocators() {
  std::vector<int, Stateful<int>> v(10, 1, Stateful<int>(1));
  std::map<int, std::string, std::less<>,
           Stateful<std::pair<const int, std::string>>>
      map({}, Stateful<std::pair<const int, std::string>>(1));
  map[1] = Long;
  map[7] = "seven";
  std::string grows = Long;
  xcc::launch({{1}, {1}}, [&] {
    v[3] = 5;
    map.find(1)->second[0] = 'A';
    map.find(7)->second += grows;
    grows += grows;
  });
  xcc::synchronize();
  CHECK(v[3] == 5 && map[1][0] == 'A' && map[7] == std::string("seven") + Long);
  CHECK(grows == std::string(Long) + Long);
// What a kernel of the CPU device allocated stays there.
#if __has_feature(address_sanitizer)
  return;
#endif
  auto left = [&] {
    return v.size() == 10 && v[3] == 5 && map.size() == 2 && map[7].size() > 5;
  };
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [&] { v.resize(100); });
        xcc::synchronize();
      },
      "memory of 'v', which has a stateful allocator"));
  CHECK(left());
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [&] {
          for (int i = 0; i != 9; ++i)
            map[i] += Long;
        });
        xcc::synchronize();
      },
      "memory of 'map", "which has a stateful allocator"));
  CHECK(left());
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [&] { map.erase(1); });
        xcc::synchronize();
      },
      "memory of 'map", "which has a stateful allocator"));
  CHECK(left());
}

int main() {
  // A GPU's heap that is soon exhausted.
  if (std::strcmp(xcc::device::current().kind(), "host"))
    ::setenv("XCC_DEVICE_HEAP", "262144", 1);
  moreThanTheHeap();
  noMemory();
  alignedElements();
  ownAllocators();
  statefulAllocators();
  arrays();
  objectsAdded();
  stringsGrow();
  vectorsGrow();
  ownersChange();
  sameSizeAgain();
  treesGrow();
  inScopes();
  inTwoStreams();
  byPlainPointer();
  roomSwapped();
  hostBetween();
  resized();
  added();
}
