// Matrices with operators on streams, written to a file and read again
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2
#include <fstream>
#include <iomanip>
#include <iostream>
#include <vector>

struct Matrix {
  size_t rows, columns;
  std::vector<double> at;
  Matrix(size_t r = 0, size_t c = 0) : rows(r), columns(c), at(r * c) {}
};
std::ostream &operator<<(std::ostream &out, const Matrix &m) {
  const auto width = out.width(0);
  out << m.rows << ' ' << m.columns << '\n';
  for (size_t i = 0; i < m.at.size(); ++i)
    out << std::setw(int(width)) << m.at[i] << ((i + 1) % m.columns ? ' ' : '\n');
  return out;
}
std::istream &operator>>(std::istream &in, Matrix &m) {
  size_t rows, columns;
  if (!(in >> rows >> columns))
    return in;
  m = Matrix(rows, columns);
  for (double &element : m.at)
    in >> element;
  return in;
}

int main() {
  Matrix a(4, 3);
  for (size_t i = 0; i < a.at.size(); ++i)
    a.at[i] = double(i * i) / 7;
  std::ofstream("matrix.txt") << std::setprecision(17) << a;
  Matrix read;
  std::ifstream in("matrix.txt");
  in >> read;
  std::cout << std::setw(12) << read << std::boolalpha << (read.at == a.at) << ' ' << in.eof() << '\n';
  Matrix none;
  std::ifstream missing("missing.txt");
  std::cout << bool(missing >> none) << std::endl;
  return read.at == a.at ? 0 : 1;
}
