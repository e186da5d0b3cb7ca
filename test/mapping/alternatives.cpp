// Bytes of a variant that nothing lives in, and padding, look like addresses of
// what is mapped, as a number may: what does live there stays as it is.
// RUN: %everywhere
#include "Inputs/check.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <variant>
#include <vector>

struct Number {
  double value;
};
struct List {
  std::vector<int> items;
};
struct Counted {
  int *first;
  int count; // and padding
};
struct Bits {
  std::uintptr_t value;
};
using Any = std::variant<Number, List, Counted, Bits>;

int main() {
  std::vector<int> base(64, 5);
  alignas(Any) char memory[4 * sizeof(Any)];
  // An index, or a count, is the low byte of such a word.
  for (int low = 0; low < 256; low += 5) {
    const char *stale = reinterpret_cast<char *>(base.data()) + low;
    for (std::size_t i = 0; i + sizeof(stale) <= sizeof(memory); i += 8)
      std::memcpy(memory + i, &stale, sizeof(stale));
    Any *any = reinterpret_cast<Any *>(memory);
    asm volatile("" : "+r"(any)::"memory");
    new (any) Any(Number{2.5});
    new (any + 1) Any(Counted{base.data() + 3, 7});
    new (any + 2) Any(List{{1, 2, 3}});
    const auto bits = reinterpret_cast<std::uintptr_t>(base.data() + 9);
    new (any + 3) Any(Bits{bits});
    std::span<Any> all(any, 4);
    std::size_t index[4];
    std::uintptr_t seen = 0;
    double value = 0;
    int count = 0, item = 0, sum = 0;
    xcc::launch({{1}, {1}}, [&] {
      for (int i = 0; i < 4; ++i)
        index[i] = all[i].index();
      if (auto *n = std::get_if<Number>(&all[0]))
        value = n->value, n->value = 3.5;
      if (auto *c = std::get_if<Counted>(&all[1]))
        count = c->count++, sum = *c->first + base[1];
      if (auto *l = std::get_if<List>(&all[2]))
        item = l->items[2], l->items[0] = 9;
      if (auto *b = std::get_if<Bits>(&all[3]))
        seen = b->value;
    });
    xcc::synchronize();
    CHECK(index[0] == 0 && index[1] == 2 && index[2] == 1);
    CHECK(index[3] == 3 && seen == bits && std::get<Bits>(any[3]).value == bits);
    CHECK(value == 2.5 && count == 7 && item == 3 && sum == 10);
    CHECK(std::get<Number>(any[0]).value == 3.5);
    CHECK(std::get<Counted>(any[1]).count == 8);
    CHECK(std::get<Counted>(any[1]).first == base.data() + 3);
    CHECK(std::get<List>(any[2]).items[0] == 9);
    any[2].~Any();
  }
}
