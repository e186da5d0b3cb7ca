// A driver that is too old
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

int cuInit(unsigned flags) { return (int)flags; }
int cuDriverGetVersion(int *version) {
  *version = 4000;
  return 0;
}
