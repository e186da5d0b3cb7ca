// Manipulators, conversions, and classes of a program on streams
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <iterator>
#include <vector>
#include <cstdio>
#include <climits>
#include <cmath>
#include <limits>
struct Point { int x, y; };
std::ostream &operator<<(std::ostream &o, const Point &p) { return o << '(' << p.x << ',' << p.y << ')'; }
std::istream &operator>>(std::istream &i, Point &p) { char c; return i >> c >> p.x >> c >> p.y >> c; }
std::ostream &stars(std::ostream &o) { return o << "***"; }
struct Upper : std::streambuf {
  std::streambuf *to; Upper(std::streambuf *t) : to(t) {}
  int overflow(int c) override { return c == EOF ? 0 : to->sputc(char(std::toupper(c))); }
};
struct Dots : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
  char do_decimal_point() const override { return ','; }
  std::string do_truename() const override { return "ja"; }
};
int main() {
  std::cout << "int " << 42 << ' ' << -7 << ' ' << 0u << ' ' << INT_MIN << ' ' << LLONG_MAX << ' ' << ULLONG_MAX << ' ' << short(-3) << '\n';
  std::cout << "chars " << 'x' << (signed char)'y' << (unsigned char)'z' << " text" << std::string(" string") << '\n';
  std::cout << std::hex << 255 << ' ' << std::showbase << 255 << ' ' << std::uppercase << 48879 << ' ' << std::oct << 8 << std::dec << std::nouppercase << std::noshowbase << ' ' << std::showpos << 5 << std::noshowpos << '\n';
  std::cout << std::setw(8) << 42 << '|' << std::left << std::setw(8) << 42 << '|' << std::internal << std::setfill('0') << std::setw(8) << -42 << '|' << std::right << std::setfill(' ') << std::setw(5) << "ab" << '|' << '\n';
  std::cout << 3.14159265 << ' ' << 1e100 << ' ' << 1.0f / 3 << ' ' << 100000.0 << ' ' << 1000000.0 << ' ' << 1e-5 << ' ' << -0.0 << '\n';
  std::cout << std::fixed << 3.14159265 << ' ' << std::setprecision(2) << 2.005 << ' ' << std::scientific << 12345.678 << ' ' << std::setprecision(10) << 0.1 << ' ' << std::hexfloat << 1.5 << std::defaultfloat << ' ' << 0.1 << ' ' << std::setprecision(6) << std::showpoint << 1.0 << std::noshowpoint << '\n';
  std::cout << std::boolalpha << true << ' ' << false << std::noboolalpha << ' ' << true << '\n';
  std::cout << (void *)nullptr << ' ' << (void *)0x1234 << ' ' << std::numeric_limits<double>::infinity() << ' ' << std::nan("") << '\n';
  std::cout << Point{1, -2} << stars << std::endl;
  std::printf("printf between\n");
  std::cout << "after\n";
  std::clog << "log\n"; std::cerr << "err " << 5 << '\n';
  Point p; std::istringstream("(10,20)") >> p; std::cout << p << '\n';
  std::istringstream in("12 0x1f 077 1.5e3 word true 99999999999 -1 'q");
  int a = 0; in >> a; std::cout << a; in >> std::hex >> a; std::cout << ' ' << a; in >> std::oct >> a >> std::dec; std::cout << ' ' << a;
  double d; in >> d; std::cout << ' ' << d; std::string w; in >> w; std::cout << ' ' << w; bool b; in >> std::boolalpha >> b; std::cout << ' ' << b;
  in >> a; std::cout << ' ' << a << ' ' << in.fail(); in.clear(); unsigned u; in >> u; std::cout << ' ' << u << ' ' << in.fail() << '\n';
  std::stringstream io; io << "line one\nline two\n\nlast"; std::string line; while (std::getline(io, line)) std::cout << '[' << line << ']'; std::cout << io.eof() << '\n';
  io.clear(); io.seekg(5); std::cout << io.tellg() << (char)io.get() << (char)io.peek() << '\n';
  io.seekp(0); io << "LINE"; std::cout << io.str().substr(0, 8) << '\n';
  std::vector<int> v{1, 2, 3}; std::copy(v.begin(), v.end(), std::ostream_iterator<int>(std::cout, ", ")); std::cout << '\n';
  std::istringstream nums("4 5 6 x"); for (std::istream_iterator<int> i(nums), e; i != e; ++i) std::cout << *i * 2 << ' '; std::cout << '\n';
  Upper up(std::cout.rdbuf()); std::ostream shout(&up); shout << "shouted " << 12 << std::endl;
  auto *old = std::cout.rdbuf(); std::ostringstream grab; std::cout.rdbuf(grab.rdbuf()); std::cout << "captured"; std::cout.rdbuf(old); std::cout << grab.str().size() << '\n';
  std::cout << std::quoted("a \"b\" c") << ' ' << std::string(3, '=') << '\n';
  std::ostringstream o; o.imbue(std::locale(std::locale(), new Dots)); o << 1234567 << ' ' << 9876.5 << ' ' << std::boolalpha << true << ' ' << std::fixed << 1234567.891; std::cout << o.str() << '\n';
  std::istringstream g("1.234.567 12,5 1.23.4"); g.imbue(o.getloc()); g >> a; std::cout << a; g >> d; std::cout << ' ' << d; g >> a; std::cout << ' ' << a << g.fail() << '\n';
  std::istringstream s2("abc,def;ghi"); char buf[10]; s2.getline(buf, 10, ','); std::cout << buf; s2.ignore(10, ';'); s2 >> std::ws; s2.read(buf, 2); std::cout << std::string(buf, 2) << s2.gcount() << '\n';
  std::istringstream c("xyz"); char ch; c.get(ch); c.putback(ch); c.unget(); std::cout << c.good() << c.rdbuf()->in_avail() << '\n';
  std::cout.write("raw", 3).put('\n'); std::cout << (std::cin.tie() == &std::cout) << '\n' ;
  return std::cout.good() ? 3 : 4;
}
