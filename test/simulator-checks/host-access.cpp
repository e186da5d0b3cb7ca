// Host code that uses a device's memory ends with a signal, as on a machine with a
// GPU, and the simulator says which access it was; what both sides may use works.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O1 -std=c++20 -Wno-offload-globals -offload-arch=sm_90,gfx90a -foffload-no-cubin %s -o %t
// RUN: %on-cuda %t both | FileCheck %s --check-prefix=BOTH
// RUN: %on-hsa %t both | FileCheck %s --check-prefix=BOTH
// RUN: %not --crash %on-cuda %t read 2>&1 | FileCheck %s --check-prefix=READ
// RUN: %not --crash %on-hsa %t read 2>&1 | FileCheck %s --check-prefix=READ
// RUN: %not --crash %on-cuda %t write 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: %not --crash %on-hsa %t write 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: %not --crash %on-cuda %t variable 2>&1 | FileCheck %s --check-prefix=VARIABLE
// RUN: %not --crash %on-hsa %t variable 2>&1 | FileCheck %s --check-prefix=VARIABLE

#include <cstdio>
#include <cstring>
#include <xcc/xcc.h>

int table[4] = {5, 6, 7, 8};

void count(int *p) { *p += table[0]; }

// BOTH: 6 7
static void useWhatBothShare() {
  xcc::host_buffer<int> locked(1);
  xcc::managed_buffer<int> managed(1);
  locked[0] = 1;
  managed[0] = 2;
  xcc::launch({{1}, {1}}, count, locked.data());
  xcc::launch({{1}, {1}}, count, managed.data());
  xcc::synchronize();
  std::printf("%d %d\n", locked[0], managed[0]);
}

int main(int, char **arguments) {
  if (!std::strcmp(arguments[1], "both")) {
    useWhatBothShare();
    return 0;
  }
  xcc::buffer<int> b(25);
  b.fill(1);
  xcc::launch({{1}, {1}}, count, b.data());
  xcc::synchronize();
  volatile int *p = b.data() + 3;
  // READ: simulator: the host reads device memory at 0x{{[0-9a-f]+}} (byte 12 of an allocation of 100 bytes)
  if (!std::strcmp(arguments[1], "read"))
    std::printf("%d\n", *p);
  // WRITE: simulator: the host writes device memory at 0x{{[0-9a-f]+}} (byte 12 of
  if (!std::strcmp(arguments[1], "write"))
    *p = 3;
  // VARIABLE: simulator: the host reads device memory at 0x{{[0-9a-f]+}} (byte
  p = reinterpret_cast<int *>(xcc::symbol(table).address());
  std::printf("%d\n", *p);
}
