// LibTomMath in a kernel: large numbers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <tommath.h>

// The library's own reads a device of the system's, or what a compiler that does
// not optimise sees it might.
extern "C" mp_err s_mp_rand_platform(void *, size_t) { return MP_ERR; }

static void work(char *text, unsigned long size) {
  mp_int a, b, c;
  char power[400] = "", root[200] = "", rest[100] = "";
  int prime = 0, errors = mp_init_multi(&a, &b, &c, nullptr);
  errors += mp_read_radix(&a, "123456789012345678901234567890123456789", 10);
  errors += mp_expt_u32(&a, 5, &b);
  errors += mp_to_radix(&b, power, sizeof power, nullptr, 16);
  errors += mp_sqrt(&b, &c);
  errors += mp_to_radix(&c, root, sizeof root, nullptr, 10);
  mp_set(&c, 97);
  errors += mp_exptmod(&a, &b, &c, &c);
  errors += mp_to_radix(&c, rest, sizeof rest, nullptr, 10);
  errors += mp_2expt(&c, 127);
  errors += mp_sub_d(&c, 1, &c);
  errors += mp_prime_is_prime(&c, 4, &prime);
  std::snprintf(text, size, "%d %s %s %s %d", errors, power, root, rest, prime);
  mp_clear_multi(&a, &b, &c, nullptr);
}
int main() { return compare<work>(); }
