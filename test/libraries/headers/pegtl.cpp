// PEGTL in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <tao/pegtl.hpp>
namespace pegtl = tao::pegtl;
struct number : pegtl::plus<pegtl::digit> {};
struct list : pegtl::seq<pegtl::list<number, pegtl::one<','>, pegtl::space>,
                         pegtl::eof> {};
template <class R> struct action : pegtl::nothing<R> {};
template <> struct action<number> {
  template <class I> static void apply(const I &in, int *p) {
    int n = 0;
    for (char c : in.string_view())
      n = n * 10 + c - '0';
    p[++p[0]] = n;
  }
};
int main() {
  both("parse", std::vector<int>(16, 0), [](int *p) {
    const char t[] = "12, 345 ,6";
    pegtl::memory_input in(t, t + sizeof t - 1, "text");
    p[15] = pegtl::parse<list, action>(in, p);
  });
}
