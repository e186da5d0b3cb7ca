// Variables whose initial values name each other, or themselves, and other
// initial values that are addresses.
// RUN: %xcc -std=c++20 -Wno-offload-globals -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -Wno-offload-globals -O2 %s -o %t && %t | FileCheck %s
// CHECK: 48 values, 0 wrong
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>
struct Node {
  Node *next;
  int value;
};
extern Node b;
Node a{&b, 1}, b{&a, 2};
Node self{&self, 3};
void *own = &own;

extern Node third;
static Node first{&third, 4};
Node second{&first, 5};
Node third{&second, 6};

namespace {
Node ring[5] = {
    {&ring[1], 10}, {&ring[2], 11}, {&ring[3], 12}, {&ring[4], 13}, {&ring[0], 14}};
}

// Two circles that share a variable, and one that leads into them.
struct Fork {
  Fork *left, *right;
  int value;
};
extern Fork fork1, fork2;
Fork fork0{&fork1, &fork2, 20}, fork1{&fork0, &fork1, 21}, fork2{&fork0, &fork1, 22};
Fork outside{&fork0, &fork2, 23};

template <class T> struct Held {
  static Held one, two;
  Held *other;
  T value;
};
template <class T> Held<T> Held<T>::one{&Held<T>::two, T(30)};
template <class T> Held<T> Held<T>::two{&Held<T>::one, T(31)};

struct Chain {
  const Chain *next;
  int value;
};
struct Members {
  static const Chain head, tail;
  static constexpr Chain lone{&lone, 40};
};
inline constexpr Chain Members::head{&Members::tail, 41};
inline constexpr Chain Members::tail{&Members::head, 42};
inline Node everywhere{&everywhere, 43};

// Tables of functions, of pointers to tables, and back.
struct Table;
using Step = int (*)(const Table &, int);
struct Table {
  Step step;
  const Table *const *tables;
};
int up(const Table &, int x) { return x + 1; }
int twice(const Table &, int x) { return 2 * x; }
int both(const Table &t, int x) {
  return t.tables[1]->step(*t.tables[1], t.tables[0]->step(*t.tables[0], x));
}
extern const Table *const tables[3];
const Table upTable{up, tables}, twiceTable{twice, tables}, bothTable{both, tables};
const Table *const tables[3] = {&upTable, &twiceTable, &bothTable};

#pragma pack(push, 1)
struct Packed {
  char before;
  Packed *self;
  int *middle;
  short after;
};
#pragma pack(pop)
int numbers[] = {50, 51, 52, 53, 54, 55, 56, 57};
Packed packed{60, &packed, &numbers[3], 61};

struct Span {
  int *begin, *end;
  const char *text;
  const char *const *names;
};
const char *const names[] = {"alpha", "beta", nullptr, "gamma"};
Span span{&numbers[1], numbers + 8, &"hello"[1], &names[1]};

// An object that knows its class, which knows its objects.
struct Object {
  virtual int number() const { return 70; }
  const Object *buddy;
  constexpr explicit Object(const Object *buddy) : buddy(buddy) {}
};
struct Better : Object {
  int number() const override { return 71; }
  constexpr explicit Better(const Object *buddy) : Object(buddy) {}
};
extern const Better better;
constinit const Object plain(&better);
constinit const Better better(&plain);

struct Log {
  int n;
  int v[64];
};
[[gnu::noinline]] inline Node *counted(int turns) {
  static Node s{&s, 80}, t{&s, 81};
  Node *at = &t;
  while (turns--)
    at = at->next;
  ++at->value;
  return at;
}
inline void work(Log &l) {
  l.n = 0;
  auto put = [&](long v) { l.v[l.n++] = int(v); };
  Node *volatile start[] = {&a, &b, &self, &first, &second, &ring[2], &everywhere};
  for (Node *volatile &slot : start) {
    Node *at = slot;
    put(at->value), put(at->next->value), put(at->next->next->next->value);
  }
  put(*static_cast<void **volatile>(static_cast<void **>(own)) == &own);
  Fork *volatile fork = &outside;
  put(fork->left->left->value), put(fork->left->right->value);
  put(fork->right->left->right->value), put(fork->right->right->right->left->value);
  put(Held<int>::one.other->value), put(Held<int>::one.other->other->value);
  put(long(Held<double>::two.other->value)), put(Held<double>::one.other->other == &Held<double>::one);
  const Chain *volatile chain = &Members::lone;
  put(chain->next->next->value);
  chain = &Members::head;
  put(chain->next->value), put(chain->next->next->value);
  const Table *volatile table = &bothTable;
  put(table->step(*table, 7)), put(tables[2]->tables[0]->step(*table, 8));
  Packed *volatile p = &packed;
  put(p->self->self->after), put(*p->middle), put(p->middle - numbers);
  Span *volatile s = &span;
  put(s->end - s->begin), put(*s->begin), put(s->text[0]), put(s->names[0][0]);
  const Object *volatile object = &plain;
  put(object->number()), put(object->buddy->number()), put(object->buddy->buddy == &plain);
  // Written on the device: what is one variable is one.
  a.next->next->value += 100;
  put(a.value);
  put(counted(0)->value), put(counted(5)->value);
}
void k(Log *out) { work(*out); }

int main() {
  xcc::buffer<Log> log(1);
  xcc::launch({1, 1}, k, log.data());
  Log got;
  log.copy_to(&got, 1);
  // The CPU device works on these very variables.
  a.value = 1, counted(0)->value = 81, counted(1)->value = 80;
  Log want;
  work(want);
  int wrong = got.n != want.n;
  for (int i = 0; i < want.n; ++i)
    if (got.v[i] != want.v[i]) {
      ++wrong;
      std::printf("%d: %d, host %d\n", i, got.v[i], want.v[i]);
    }
  std::printf("%d values, %d wrong\n", want.n, wrong);
}
