// Objects that are shared: std::shared_ptr and std::weak_ptr in kernels.
// RUN: %everywhere
// RUN: %sanitized -std=c++17 %s -o %t-asan && env XCC_CPU_SEPARATE=1 %t-asan
#include "Inputs/check.h"

#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

static const char Long[] = "a text that is longer than a string holds itself";

/// Both kinds of control blocks, none, and one whose object is gone.
static void read() {
  auto made = std::make_shared<std::string>(Long);
  std::shared_ptr<int> newed(new int(5)), none;
  std::shared_ptr<const int> fixed(newed);
  std::weak_ptr<int> weak = newed, gone = std::make_shared<int>(1);
  long out[8] = {};
  xcc::launch({{1}, {1}}, [&] {
    (*made)[0] = 'A';
    *newed += 1;
    const auto copy = newed;
    out[0] = copy.use_count();
    out[1] = gone.expired() && !gone.lock();
    out[2] = *weak.lock();
    out[3] = !none;
    out[4] = *fixed;
    out[5] = made->size();
  });
  xcc::synchronize();
  CHECK(made->at(0) == 'A' && *newed == 6 && newed.use_count() == 2);
  CHECK(out[0] == 3 && out[1] && out[2] == 6 && out[3] && out[4] == 6);
  CHECK(out[5] == sizeof(Long) - 1);
}

struct Node {
  int value;
  std::shared_ptr<Node> next;
  std::weak_ptr<Node> back;
};

/// In containers and in each other, and a circle of weak ones.
static void nested() {
  auto shared = std::make_shared<std::vector<std::string>>(3, Long);
  std::vector<std::shared_ptr<std::vector<std::string>>> all(5, shared);
  all.push_back(std::make_shared<std::vector<std::string>>());
  auto list = std::make_shared<Node>(Node{1, nullptr, {}});
  list->next = std::make_shared<Node>(Node{2, nullptr, list});
  list->next->next = std::make_shared<Node>(Node{3, nullptr, list->next});
  int sum = 0;
  xcc::launch({{1}, {1}}, [&] {
    for (auto &each : all)
      for (auto &text : *each)
        sum += text[0] == 'a';
    for (Node *node = list.get(); node; node = node->next.get())
      sum += 100 * node->value++;
    sum += 1000 * list->next->back.lock()->value;
  });
  xcc::synchronize();
  CHECK(sum == 15 + 600 + 2000 && list->next->next->value == 4);
  CHECK(shared.use_count() == 6 && list.use_count() == 1);
}

/// What kernels change of who owns what, and of what is owned.
static void changed() {
  auto a = std::make_shared<std::string>("a"), b = a;
  std::shared_ptr<std::string> c(new std::string(Long)), none;
  std::weak_ptr<std::string> weak;
  std::vector<std::shared_ptr<std::string>> all(2, c);
  xcc::launch({{1}, {1}}, [&] {
    b = c;
    none = a;
    weak = c;
    *a += Long;
    std::swap(all[0], none);
    all.push_back(c);
    all.push_back(a);
  });
  xcc::synchronize();
  CHECK(b == c && none == c && weak.lock() == c &&
        *a == std::string("a") + Long);
  CHECK(all.size() == 4 && all[0] == a && all[1] == c && all[2] == c);
  CHECK(all[3] == a && a.use_count() == 3 && c.use_count() == 5);
}

/// The host has owners that no kernel knows of: what is shared stays, with what a
/// kernel made of it.
static void ownersOutside() {
  auto made = std::make_shared<std::string>("made"), outside = made;
  std::shared_ptr<std::string> newed(new std::string("new")), other = newed;
  std::weak_ptr<std::string> watches;
  auto list = std::make_shared<Node>(
      Node{1, std::make_shared<Node>(Node{2, nullptr, {}}), {}});
  std::shared_ptr<Node> next = list->next, head = list;
  std::weak_ptr<int> weak, last = std::make_shared<int>(1), same = last;
  xcc::launch({{1}, {1}}, [&] {
    *made += Long;
    made.reset();
    *newed += Long;
    newed = nullptr;
    list->next->value = 7;
    list->value = 8;
    list.reset();
    same.reset();
  });
  xcc::synchronize();
  CHECK(!made && *outside == std::string("made") + Long);
  CHECK(outside.use_count() == 1 && other.use_count() == 1);
  CHECK(!newed && *other == std::string("new") + Long);
  CHECK(!list && head.use_count() == 1 && next.use_count() == 2);
  CHECK(head->value == 8 && next->value == 7);
  CHECK(last.expired() && !same.lock());
}

/// The last owner goes.
static void lastOwners() {
  if (!std::strcmp(xcc::device::current().kind(), "host")) {
    auto made = std::make_shared<std::string>(Long);
    std::shared_ptr<std::string> newed(new std::string(Long));
    std::weak_ptr<std::string> weak = made;
    xcc::launch({{1}, {1}}, [&] {
      made.reset();
      newed.reset();
    });
    xcc::synchronize();
    CHECK(!made && !newed && weak.expired());
    return;
  }
  auto made = std::make_shared<int>(5);
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [&] {
          auto own = std::make_shared<int>(7); // a kernel's own may go
          own.reset();
          made.reset();
        });
        xcc::synchronize();
      },
      "the last owner (std::shared_ptr) of an object that the host made"));
}

struct Self : std::enable_shared_from_this<Self> {
  std::string name = Long;
};

static void fromThis() {
  auto self = std::make_shared<Self>();
  long count = 0;
  xcc::launch({{1}, {1}}, [&] {
    const auto other = self->shared_from_this();
    other->name[0] = 'S';
    count = other.use_count();
  });
  xcc::synchronize();
  CHECK(count == 2 && self->name[0] == 'S' && self.use_count() == 1);
}

/// Counts are atomic.
static void byThreads() {
  auto shared = std::make_shared<int>(3);
  std::vector<std::shared_ptr<int>> all(1000);
  xcc::parallel_for(all.size(), [&](std::size_t i) { all[i] = shared; });
  xcc::synchronize();
  CHECK(shared.use_count() == 1001 && all[999] == shared);
}

/// An owner of a part, in a control block that is of the same type.
static void aliases() {
  auto pair = std::make_shared<std::pair<int, int>>(1, 2);
  std::shared_ptr<std::pair<int, int>> same(pair, pair.get());
  int sum = 0;
  xcc::launch({{1}, {1}}, [&] { sum = same->first + pair->second++; });
  xcc::synchronize();
  CHECK(sum == 3 && same->second == 3);
}

struct alignas(64) Wide {
  double number = 1;
  std::string text = Long;
};

/// Elements whose memory no kernel can allocate for the host, but grow within.
static void wide() {
  auto shared = std::make_shared<Wide>();
  std::list<Wide> list(2);
  xcc::launch({{1}, {1}}, [&] {
    shared->text += Long;
    for (Wide &each : list)
      each.text += "!";
  });
  xcc::synchronize();
  CHECK(shared->text == std::string(Long) + Long);
  CHECK(list.front().text == std::string(Long) + "!");
}

struct Base {
  int value = 1;
};
struct Derived : Base {
  std::string text = Long;
};

/// What is not known is refused.
static void refused() {
  auto use = [](auto &owner) {
    return fails([&] { xcc::launch({{1}, {1}}, [&] { owner.use_count(); }); },
                 "'owner' shares an object that neither std::make_shared");
  };
  std::shared_ptr<Base> base = std::make_shared<Derived>();
  CHECK(use(base));
  auto pair = std::make_shared<std::pair<int, int>>(1, 2);
  std::shared_ptr<int> part(pair, &pair->second);
  CHECK(use(part));
  std::shared_ptr<int> deleter(new int(1), [](int *at) { delete at; });
  CHECK(use(deleter));
  // By kernels they are made for kernels.
  int sum = 0;
  xcc::launch({{1}, {1}}, [&] {
    auto own = std::make_shared<int>(7);
    auto other = own;
    sum = *other + int(own.use_count());
  });
  xcc::synchronize();
  CHECK(sum == 9);
// What a kernel made is nobody's then.
#if !__has_feature(address_sanitizer)
  std::shared_ptr<int> kept;
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [&] { kept = std::make_shared<int>(7); });
        xcc::synchronize();
      },
      "make it on the host"));
  CHECK(!separate() || !kept);
#endif
}

int main() {
  read();
  nested();
  changed();
  fromThis();
  byThreads();
  aliases();
  wide();
  ownersOutside();
  refused();
  lastOwners(); // no GPU works afterwards
}
