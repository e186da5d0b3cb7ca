// Files and standard input by streams
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --input %S/wc.c
#include <fstream>
#include <iostream>
#include <string>
#include <iomanip>
#include <cstdio>
int main(int argc, char **argv) {
  { std::ofstream f("t.txt"); f << "hello " << 1 << '\n' << std::setw(6) << 2.5 << '\n'; for (int i = 0; i < 3000; ++i) f << i << ' '; f << std::endl; }
  std::ifstream in("t.txt"); std::string a, b; std::getline(in, a); in >> b; std::cout << a << '|' << b << '\n';
  long sum = 0; int n; while (in >> n) sum += n; std::cout << sum << ' ' << in.eof() << '\n';
  in.clear(); in.seekg(0, std::ios::end); std::cout << in.tellg() << '\n'; in.seekg(6); in >> n; std::cout << n << '\n';
  in.close(); std::cout << in.is_open() << '\n';
  std::fstream io("t.txt", std::ios::in | std::ios::out); io.seekp(0); io << "HELLO"; io.seekg(0); std::getline(io, a); std::cout << a << '\n'; io.close();
  std::ofstream app("t.txt", std::ios::app); app << "end\n"; app.close();
  std::ifstream bad("nothere"); std::cout << bad.fail() << !bad << '\n';
  std::ofstream bin("b.bin", std::ios::binary); for (int i = 0; i < 256; ++i) bin.put(char(i)); double x = 1.5; bin.write((char *)&x, 8); bin.close();
  std::ifstream rb("b.bin", std::ios::binary | std::ios::ate); std::cout << rb.tellg() << '\n'; rb.seekg(-8, std::ios::cur); double y; rb.read((char *)&y, 8); std::cout << y << '\n';
  rb.seekg(0); std::string all((std::istreambuf_iterator<char>(rb)), {}); std::cout << all.size() << '\n';
  std::cout << std::ifstream("t.txt").rdbuf()->in_avail() << '\n';
  std::string line; int count = 0; while (std::getline(std::cin, line)) { ++count; std::cout << line.size() << ':' << line << '\n'; }
  std::cout << count << std::cin.eof() << '\n';
  std::remove("t2.txt"); std::ifstream src("b.bin", std::ios::binary); std::ofstream dst("t2.txt", std::ios::binary); dst << src.rdbuf(); dst.close();
  std::ifstream again("t2.txt", std::ios::binary); again.seekg(0, std::ios::end); std::cout << again.tellg() << std::endl;
  return 7;
}
