// One field of each record changes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

struct Record {
  int key;
  double value;
  char name[16];
};

int main() {
  std::vector<Record> all(N / 4);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {int(i), double(i), {}};
#ifdef _OPENMP
  Record *rs = all.data();
  std::size_t n = all.size();
#pragma omp target teams distribute parallel for map(tofrom : rs[ : n])
  for (std::size_t i = 0; i < n; ++i)
    rs[i].value += rs[i].key;
#else
  xcc::parallel_for(all.size(),
                    [&](std::size_t i) { all[i].value += all[i].key; });
  xcc::synchronize();
#endif
  std::vector<double> values;
  for (const Record &r : all)
    values.push_back(r.value);
  print(values);
}
