// <ctype.h>, text without regard to case, and the C locale: kernels see what
// the host's program sees that never called setlocale.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// CHECK: 0 threads without their facets
// CHECK-NEXT: 0 differ
#include <cctype>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <locale>
#include <xcc/xcc.h>

// Through pointers, which are functions: calls may be what the header makes.
int kinds(int c) {
  using F = int (*)(int);
  const F all[] = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph,
                   islower, isprint, ispunct, isspace, isupper, isxdigit};
  int bits = 0;
  for (F is : all)
    bits = bits * 2 + (is(c) != 0);
  return bits;
}
int letters(int c) {
  const auto &ctype = std::use_facet<std::ctype<char>>(std::locale());
  std::locale copy = std::locale::classic();
  char x = char(c);
  return std::tolower(x, copy) + 256 * std::isspace(x, copy) +
         512 * ctype.is(std::ctype_base::punct, x) +
         1024 * (ctype.toupper(x) & 255) + (ctype.widen(x) == x) +
         (ctype.narrow(x, '?') == x);
}
int texts(int i) {
  char line[] = "one, two;;three", part[8] = {}, *rest = nullptr;
  int sum = 0;
  for (char *word = strtok_r(line, ",; ", &rest); word;
       word = strtok_r(nullptr, ",; ", &rest))
    sum = sum * 31 + int(strlen(word)) + *word;
  char more[] = "a,,b", *next = more;
  while (char *field = strsep(&next, ","))
    sum = sum * 7 + *field;
  char *copy = strdup("Copied"), *begin = strndup("Copied", 4);
  sum += int(strlen(begin)) + copy[5];
  std::free(copy);
  std::free(begin);
  auto sign = [](int x) { return (x > 0) - (x < 0); };
  sum = sum * 3 + sign(strcasecmp("Same", "sAmE"));
  sum = sum * 3 + sign(strcasecmp("same", "SAMF"));
  sum = sum * 3 + sign(strncasecmp("SAMe", "samX", 3));
  sum = sum * 3 + sign(strcoll("b", "a"));
  sum += int(strxfrm(part, "text", sizeof part)) + part[3];
  sum += int(strtoimax("-77x", &rest, 10)) + int(strtoumax("ff", nullptr, 16));
  return sum + *rest + i + std::uncaught_exceptions();
}
int numbers(int i) {
  std::locale here;
  const auto &form = std::use_facet<std::numpunct<char>>(here);
  std::string yes = form.truename(), no = form.falsename();
  return form.decimal_point() + 3 * form.thousands_sep() +
         7 * int(form.grouping().size()) + int(yes.size() + 11 * no.size()) +
         100 * yes[i % 4] + (here == std::locale::classic()) +
         std::has_facet<std::ctype<char>>(here);
}
int all(int i) {
  // A table is asked what the macros ask it.
  int table = (*__ctype_b_loc())[i - 128] + (*__ctype_tolower_loc())[i - 128] +
              (*__ctype_toupper_loc())[i - 128];
  return (i >= 127 ? kinds(i - 128) + toupper(i - 128) + tolower(i - 128) : 0) +
         31 * table + 17 * letters(i - 128) + texts(i) + numbers(i);
}

struct Own : std::locale::facet {
  static std::locale::id id;
  int value;
  Own(int v) : value(v) {}
};
std::locale::id Own::id;
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

// Threads make locales while other threads are the first to use a facet.
unsigned withoutFacet(int i) {
  std::locale own(std::locale::classic(), new Own(i));
  std::locale both(own, new Comma);
  auto in = [&]<class... F>(F *...) {
    return ((std::has_facet<F>(own) && std::has_facet<F>(both)) && ...);
  };
  using std::ctype, std::collate, std::num_put, std::num_get, std::messages;
  auto of = [&]<class First, class Next>(First *a, Next *b) {
    return in(a, b, static_cast<num_put<char> *>(nullptr),
              static_cast<num_get<char> *>(nullptr));
  };
  bool has = i & 4 ? of(static_cast<ctype<char> *>(nullptr),
                        static_cast<collate<char> *>(nullptr))
                   : of(static_cast<messages<char> *>(nullptr),
                        static_cast<ctype<char> *>(nullptr));
  return !has || std::use_facet<Own>(both).value != i ||
         std::use_facet<std::numpunct<char>>(both).decimal_point() != ',';
}

int main() {
  xcc::buffer<unsigned> without(1);
  without.fill(0);
  xcc::launch({{4}, {32}}, [without = without.data()] {
    unsigned one = withoutFacet(int(xcc::global_id()));
    __atomic_fetch_add(without, one, __ATOMIC_RELAXED);
  });
  unsigned wrong = 0;
  without.copy_to(&wrong, 1);
  std::printf("%u threads without their facets\n", wrong);

  constexpr unsigned N = 384;
  xcc::buffer<int> out(N);
  xcc::launch({{3}, {128}}, [out = out.data()] {
    unsigned i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
    out[i] = all(int(i));
  });
  static int is[N];
  out.copy_to(is, N);
  int differ = 0;
  for (unsigned i = 0; i < N; ++i)
    if (is[i] != all(int(i)) && ++differ < 5)
      std::printf("%u: %d, not %d\n", i, is[i], all(int(i)));
  std::printf("%d differ\n", differ);
}
