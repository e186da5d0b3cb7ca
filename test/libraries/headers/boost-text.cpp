// Boost.Spirit X3, Tokenizer, String algorithms, Hana, MP11, Range, LexicalCast in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <boost/algorithm/string.hpp>
#include <boost/hana.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <boost/mp11.hpp>
#include <boost/range/adaptors.hpp>
#include <boost/range/numeric.hpp>
#include <boost/spirit/home/x3.hpp>
#include <boost/tokenizer.hpp>
namespace x3 = boost::spirit::x3;
int main() {
  both("parse", std::vector<double>(32, 3), [](double *p) {
    std::string t = "1, 2.5,-3e2 ,4";
    std::vector<double> v;
    auto b = t.begin();
    p[0] = x3::phrase_parse(b, t.end(), x3::double_ % ',', x3::space, v);
    for (std::size_t i = 0; i < v.size(); ++i)
      p[1 + i] = v[i];
  });
  both("strings", std::vector<int>(32, 3), [](int *p) {
    std::string s = "a-b-cc-ddd";
    boost::char_separator<char> d("-");
    int n = 0;
    for (auto &t : boost::tokenizer<boost::char_separator<char>>(s, d))
      p[n++] = (int)t.size();
    std::vector<int> v{1, 2, 3, 4, 5, 6};
    p[10] = boost::accumulate(
        v | boost::adaptors::filtered([](int x) { return x % 2; }) |
            boost::adaptors::transformed([](int x) { return x * x; }),
        0);
    auto h = boost::hana::make_tuple(1, 2.5, 'c');
    boost::hana::for_each(h, [&](auto x) { p[11] += int(x); });
    boost::mp11::mp_for_each<boost::mp11::mp_iota_c<5>>(
        [&](auto i) { p[12] += int(i) * 2; });
    p[13] = boost::algorithm::starts_with(s, "a-b");
    p[14] = (int)boost::algorithm::find_first(s, "cc").size();
  });
  both("split", std::vector<int>(32, 3), [](int *p) {
    std::string s = "x,y;z";
    std::vector<std::string> v;
    boost::split(v, s, boost::is_any_of(",;"));
    p[0] = (int)v.size();
    int k = 0;
    boost::conversion::try_lexical_convert(std::string("42"), k);
    p[1] = k;
  });
}
