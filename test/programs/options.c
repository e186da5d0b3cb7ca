// Command lines of every kind
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEFINE: %{runs} = '--run=' '--run=-a -b x file' '--run=-abx file -c' '--run=one -a two --verbose three -- -b' '--run=--size=5 --name' '--run=--size' '--run=--verb --si 7' '--run=--s 1' '--run=--nothing -q -b' '--run=-o -oval rest' '--run=--verbose=3 --optional --optional=x' '--run=- -a' '--run="" "two words" "ä ö"'
// RUN: %compare %s %{runs}
// RUN: %compare %s --levels=-O2 --devices sm_90,gfx1100 %{runs}
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static void read(int argc, char **argv, const char *letters, int more) {
  int verbose = 0, index, c;
  const struct option names[] = {{"verbose", no_argument, &verbose, 2}, {"size", required_argument, 0, 's'},
                                 {"source", required_argument, 0, 'S'}, {"name", required_argument, 0, 'n'},
                                 {"optional", optional_argument, 0, 'O'}, {0, 0, 0, 0}};
  optind = 0;
  while (index = -1, (c = more == 2   ? getopt_long_only(argc, argv, letters, names, &index)
                          : more == 1 ? getopt_long(argc, argv, letters, names, &index)
                                      : getopt(argc, argv, letters)) != -1)
    printf("%d(%c) %s %d opt %d ind %d\n", c, c > 31 ? c : '.', optarg ? optarg : "-", index, optopt, optind);
  printf("verbose %d, rest:", verbose);
  for (int i = optind; i < argc; ++i)
    printf(" '%s'", argv[i]);
  puts("");
  fflush(stdout);
}

int main(int argc, char **argv) {
  char *copy[32];
  const char *letters[] = {"ab:co::", "+ab:co::", "-ab:co::", ":ab:co::"};
  for (int way = 0; way != 3; ++way)
    for (int i = 0; i != 4; ++i) {
      for (int j = 0; j <= argc; ++j)
        copy[j] = argv[j];
      read(argc, copy, letters[i], way);
    }
}
