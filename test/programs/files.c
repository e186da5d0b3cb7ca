// Files: buffers, lines of any length, positions, temporary ones, descriptors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/Inputs/numbers.txt
// RUN: %compare %s --devices sm_90,gfx1100 --input %S/Inputs/numbers.txt
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void streams(void) {
  char *line = NULL, *made;
  size_t room = 0;
  fpos_t place;
  FILE *f = fopen("lines.txt", "w+");
  setvbuf(f, NULL, _IOFBF, 4096);
  for (int i = 0; i != 40; ++i)
    fprintf(f, "%*d\n", i * 37 % 400 + 1, i);
  fputs("no end", f);
  rewind(f);
  long sum = 0;
  ssize_t n;
  while ((n = getline(&line, &room, f)) > 0)
    sum = sum * 7 + n + line[n - 1];
  printf("%ld %d [%s]\n", sum, feof(f), line);
  fseek(f, 10, SEEK_SET);
  fgetpos(f, &place);
  int a = getc_unlocked(f), b;
  fscanf(f, "%d", &b);
  fsetpos(f, &place);
  printf("%d %d %d %ld\n", a, b, getc(f), ftell(f));
  n = getdelim(&line, &room, '3', f);
  printf("%zd %c %d\n", n, line[n - 1], ferror_unlocked(f));
  f = freopen("lines.txt", "r", f);
  printf("%d\n", fgetc(f));
  fclose(f);
  free(line);
  f = tmpfile();
  fputs_unlocked("temporary 12 0x1F", f);
  putc_unlocked('!', f);
  rewind(f);
  char word[16];
  int x, y;
  printf("%d", fscanf(f, "%15s %i %i", word, &x, &y));
  printf(" %s %d %d %c\n", word, x, y, getc_unlocked(f));
  printf("%d %d\n", getc_unlocked(f), feof_unlocked(f) != 0);
  fclose(f);
  int size = asprintf(&made, "%s-%05d", "made", 42);
  printf("%d %s\n", size, made);
  free(made);
  char name[L_tmpnam];
  f = fopen(tmpnam(name), "w");
  printf("%d %d\n", f != NULL, strncmp(name, "/tmp/file", 9));
  fclose(f);
  remove(name);
  if (!fopen("nothing/here", "r"))
    printf("%s\n", strerror(errno));
}

static void descriptors(void) {
  char text[64] = "";
  struct stat status;
  int d = open("data.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);
  for (int i = 0; i != 5; ++i)
    if (write(d, "0123456789", 10) != 10)
      return;
  printf("%ld %ld\n", (long)lseek(d, -7, SEEK_END), (long)read(d, text, 40));
  printf("%s %d\n", text, fstat(d, &status));
  printf("%ld %d\n", (long)status.st_size, S_ISREG(status.st_mode));
  if (ftruncate(d, 20) == 0 && stat("data.bin", &status) == 0)
    printf("%ld\n", (long)status.st_size);
  FILE *f = fdopen(dup(d), "r");
  rewind(f);
  printf("%c %d\n", getc(f), fileno(f) > 2);
  fclose(f);
  printf("%d %d %s\n", close(d), close(d), strerror(errno));
  printf("%d %d\n", access("data.bin", R_OK), access("none", F_OK));
  printf("%d %d\n", mkdir("folder", 0755), mkdir("folder", 0755));
  printf("%s\n", strerror(errno));
  printf("%d %s\n", chdir("folder"), strrchr(getcwd(text, sizeof text), '/'));
  printf("%d %d %d\n", chdir(".."), rmdir("folder"), unlink("data.bin"));
  printf("%d %d\n", isatty(0), getpid() > 1);
  printf("%d %s\n", open("none", O_RDONLY), strerror(errno));
  printf("%d %s\n", getcwd(text, 2) == NULL, strerror(errno));
}

static void environment(void) {
  unsetenv("XCC_TEST");
  printf("%d ", setenv("XCC_TEST", "one", 1));
  printf("%s ", getenv("XCC_TEST"));
  printf("%d %s ", setenv("XCC_TEST", "two", 0), getenv("XCC_TEST"));
  putenv("XCC_TEST=three");
  printf("%s ", getenv("XCC_TEST"));
  unsetenv("XCC_TEST");
  printf("%d %d\n", getenv("XCC_TEST") == NULL, setenv("a=b", "", 1));
}

static void last(void) { puts("last"); }
static void first(void) { puts("first"); }

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  streams();
  descriptors();
  environment();
  char text[8];
  if (read(0, text, 3) == 3)
    printf("%.3s %d\n", text, getchar());
  if (freopen("out.txt", "w", stdout))
    puts("to a file");
  fflush(stdout);
  at_quick_exit(last);
  at_quick_exit(first);
  atexit(last);
  quick_exit(9);
}
