// Arguments, environment, time, errors of files
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --run "" --run "a 'b c' \"\""
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --run "" --run "a 'b c' \"\""
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv, char **envp) {
  for (int i = 0; i < argc; ++i)
    printf("%d: '%s'\n", i, argv[i]);
  if (argv[argc])
    return 1;
  int variables = 0, found = 0;
  for (; envp[variables]; ++variables)
    found |= !strncmp(envp[variables], "PATH=", 5) && !strcmp(envp[variables] + 5, getenv("PATH"));
  printf("%s, %s, %s\n", variables ? "variables" : "none", found ? "PATH" : "no PATH", getenv("NOT_THERE") ? "there" : "not there");
  time_t now = time(0);
  printf("%s\n", now > 1600000000 && clock() >= 0 ? "time passes" : "time stands still");
  FILE *file = fopen("missing.txt", "r");
  printf("%d %d\n", file == 0, errno == ENOENT);
  file = fopen("log.txt", "a+");
  for (int i = 0; i < 3; ++i)
    fprintf(file, "line %d\n", i);
  rewind(file);
  char line[32];
  while (fgets(line, sizeof line, file))
    printf("%s", line);
  printf("%d %d %ld\n", feof(file) != 0, ferror(file), ftell(file));
  fclose(file);
  printf("%d\n", rename("log.txt", "kept.txt"));
  printf("%d %d\n", remove("log.txt") == -1, errno == ENOENT);
  return argc + 40;
}
