// Streams with buffers of their own, between printf and the end of the program
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --input %S/Inputs/numbers.txt
#include <iostream>
#include <sstream>
#include <cstdio>
#include <cstdlib>
struct Last { ~Last() { std::cout << "destroyed " << 1.25 << "\n"; } } last;
std::ostringstream global;
void atEnd() { std::cout << "at exit\n"; }
int main() {
  global << "g" << 1;
  std::atexit(atEnd);
  std::cout << std::ios_base::sync_with_stdio(false) << std::ios_base::sync_with_stdio() << "\n";
  std::cin.tie(nullptr);
  int n; long sum = 0; while (std::cin >> n) sum += n;
  std::printf("printed first\n"); std::fflush(stdout);
  std::cout << "sum " << sum << global.str() << '\n';
  for (int i = 0; i < 3000; ++i) std::cout << i << '\n';
  int ix = std::ios_base::xalloc(); std::cout.iword(ix) = 5; std::cout.iword(20) = 6; std::cout << std::cout.iword(ix) + std::cout.iword(20) << ix << '\n';
  std::ostringstream a, b; a << std::hex; b.copyfmt(a); b << 255; std::ostringstream m(std::move(b)); m << "m"; std::cout << m.str() << '\n'; m.swap(a); std::cout << a.str() << '\n';
  return 5;
}
