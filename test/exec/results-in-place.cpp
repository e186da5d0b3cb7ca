// Results that a function makes where its caller wants them: in global memory, in
// parts of other results, by placement new.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <new>
#include <optional>
#include <string>
#include <vector>
#include <xcc/xcc.h>

#define NOT_INLINED [[gnu::noinline]]

template <int Bytes> struct bytes {
  unsigned char at[Bytes];
};
template <int Bytes> NOT_INLINED bytes<Bytes> make_bytes(int first) {
  bytes<Bytes> out;
  for (int i = 0; i < Bytes; ++i)
    out.at[i] = first + i;
  return out;
}

// It knows where it is.
struct located {
  located *self;
  int values[30];
  explicit located(int first) : self(this) {
    for (int &value : values)
      value = first++;
  }
  located(const located &other) : self(this) {
    for (int i = 0; i < 30; ++i)
      values[i] = other.values[i];
  }
  ~located() {}
  bool is(int first) const { return self == this && values[29] == first + 29; }
};
NOT_INLINED located make(int first) { return located(first); }
NOT_INLINED located make_twice(int first) { return make(first * 2); }
NOT_INLINED located either(int first) {
  return first % 2 ? make(first) : make_twice(first);
}
NOT_INLINED std::optional<located> perhaps(int first) {
  if (first % 2)
    return std::optional<located>(std::in_place, first);
  return {};
}
NOT_INLINED std::string text(int length) {
  std::string out;
  for (int i = 0; i < length; ++i)
    out += char('a' + i % 26);
  return out;
}

struct maker {
  virtual located get(int) const = 0;
  virtual ~maker() = default;
};
struct squares : maker {
  located get(int first) const override { return make(first * first); }
};
struct doubles : maker {
  located get(int first) const override { return make_twice(first); }
};

struct one {
  int value;
  one(int value = 7) : value(value) {}
  one(const one &other) : value(other.value) {}
};
struct parts {
  int before;
  bytes<100> some;
  located inside;
  one many[50];
  int after;
};
NOT_INLINED parts all_parts(int first) {
  return parts{first, make_bytes<100>(first), make(first), {1, 2}, -first};
}

template <int Bytes> bool bytes_are_there(void *memory, int first) {
  auto *out = new (memory) bytes<Bytes>(make_bytes<Bytes>(first));
  bytes<Bytes> (*made_by)(int) = make_bytes<Bytes>;
  static_cast<bytes<Bytes> *>(memory)[1] = made_by(first + 1);
  for (int i = 0; i < Bytes; ++i)
    if (out->at[i] != static_cast<unsigned char>(first + i) ||
        out[1].at[i] != static_cast<unsigned char>(first + i + 1))
      return false;
  return true;
}

void check(int *wrong, char *memory, int count) {
  const int i = int(xcc::global_id());
  if (i >= count)
    return;
  char *at = memory + i * 1024;
  int bits = 0, next = 0;
  auto expect = [&](bool holds) { bits |= !holds << next++; };
  expect(bytes_are_there<3>(at, i));
  expect(bytes_are_there<16>(at, i));
  expect(bytes_are_there<65>(at, i));
  expect(bytes_are_there<200>(at, i));
  expect((new (at) located(make(i)))->is(i));
  expect((new (at) located(make_twice(i)))->is(2 * i));
  expect((new (at) located(either(i)))->is(i % 2 ? i : 2 * i));
  auto *maybe = new (at) std::optional<located>(perhaps(i));
  expect(maybe->has_value() == (i % 2 == 1) && (!*maybe || (*maybe)->is(i)));
  auto *string = new (at) std::string(text(i % 40));
  expect(*string == text(i % 40));
  string->~basic_string();
  const squares square;
  const doubles twice;
  const maker &by = i % 3 ? static_cast<const maker &>(square) : twice;
  expect((new (at) located(by.get(i)))->is(i % 3 ? i * i : 2 * i));
  auto *whole = new (at) parts(all_parts(i));
  expect(whole->before == i && whole->after == -i && whole->inside.is(i) &&
         whole->some.at[99] == static_cast<unsigned char>(i + 99) &&
         whole->many[1].value == 2 && whole->many[49].value == 7);
  located (*pointer)(int) = i % 5 ? make : make_twice;
  expect((new (at) located(pointer(i)))->is(i % 5 ? i : 2 * i));
  const located here = either(i);
  expect(here.is(i % 2 ? i : 2 * i));
  wrong[i] = bits;
}

int main() {
  const int count = 100;
  xcc::buffer<char> memory(count * 1024);
  xcc::buffer<int> wrong(count);
  wrong.fill(-1);
  xcc::launch({{1}, {128}}, check, wrong, memory, count);
  int bits = 0;
  for (int each : wrong.to<std::vector>())
    bits |= each;
  std::printf("wrong: %x\n", bits); // CHECK: wrong: 0
}
