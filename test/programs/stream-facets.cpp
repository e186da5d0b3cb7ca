// Facets of a program's own, in the global locale and in streams; std::regex
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2
#include <algorithm>
#include <iostream>
#include <iterator>
#include <locale>
#include <regex>
#include <sstream>
#include <string>

struct Thousands : std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  std::string do_grouping() const override { return "\3"; }
  std::string do_falsename() const override { return "never"; }
};
struct Commas : std::ctype<char> {
  static const mask *table() {
    static mask all[table_size];
    std::copy(classic_table(), classic_table() + table_size, all);
    all[size_t(',')] |= space;
    return all;
  }
  Commas() : std::ctype<char>(table()) {}
};
struct Tax : std::locale::facet {
  static std::locale::id id;
  double rate;
  explicit Tax(double rate) : rate(rate) {}
};
std::locale::id Tax::id;

int main() {
  std::cout << 1234567 << ' ' << std::locale().name() << '\n';
  std::locale grouped(std::locale::classic(), new Thousands);
  std::cout << std::has_facet<Tax>(grouped) << ' ' << grouped.name() << '\n';
  std::locale both(grouped, new Tax(0.25));
  std::cout << std::use_facet<Tax>(both).rate << ' ' << (both == grouped) << (both == std::locale(both)) << '\n';
  std::locale before = std::locale::global(both);
  std::ostringstream out;
  out << 1234567 << ' ' << -1000 << ' ' << 99999.5 << ' ' << std::boolalpha << false << ' ' << std::hex << 0xabcdef;
  std::cout << out.str() << '\n';
  std::locale::global(before);
  std::cout.imbue(both);
  std::cout << 7654321 << '\n';
  std::cout.imbue(std::locale(both, std::locale::classic(), std::locale::numeric));
  std::cout << 7654321 << '\n';
  std::istringstream in("1,2,3 4,,5");
  in.imbue(std::locale(std::locale(), new Commas));
  for (std::istream_iterator<int> at(in), end; at != end; ++at)
    std::cout << *at << ';';
  std::cout << std::toupper('a', both) << std::isdigit('5', both) << std::tolower('Q', std::locale()) << '\n';
  std::regex mail("(\\w+)@(\\w+)\\.(com|org)", std::regex::icase);
  std::string text = "To bob@site.org, and ALICE@Other.COM.";
  for (std::sregex_iterator at(text.begin(), text.end(), mail), end; at != end; ++at)
    std::cout << (*at)[1] << " at " << (*at)[2] << " by " << at->position() << '\n';
  std::cout << std::regex_replace(text, std::regex("[aeiou]"), "*") << '\n'
            << std::regex_match("x1", std::regex("[[:alpha:]][[:digit:]]")) << std::endl;
}
