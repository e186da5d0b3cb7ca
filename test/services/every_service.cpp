// Device code that calls all of them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled and linked by xcc for GPUs, with the host's headers.

#include <cassert>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <sys/time.h>
#include <unistd.h>
#include <vector>
#include <xcc/xcc.h>

static int forward(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char text[64];
  int n = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return n;
}

void text(int *p) {
  char line[64];
  p[0] = printf("%d %s %f %Lf\n", p[0], "text", 1.5, 2.5L);
  fprintf(stderr, "%5.2f\n", p[1] * 0.5);
  snprintf(line, sizeof line, "%x", p[2]);
  sprintf(line, "%ld", long(p[3]));
  dprintf(1, "%c", 'c');
  p[1] = forward("%d", 1);
  puts(line);
  putchar('x');
  fputs("text", stdout);
  fputc('c', stdout);
  perror("why");
}

void files(int *p) {
  char line[64];
  FILE *f = fopen("name", "r+");
  if (!f)
    p[0] = errno;
  p[1] = int(fread(line, 1, 10, f) + fwrite(line, 1, 10, f));
  p[2] = fgets(line, sizeof line, f) != nullptr;
  p[3] = fgetc(f) + getchar() + ungetc('c', f);
  p[4] = fseek(f, 0, SEEK_END) + int(ftell(f)) + feof(f) + ferror(f);
  rewind(f);
  clearerr(f);
  p[5] = fflush(f) + fclose(f) + remove("a") + rename("b", "c");
}

void process(int *p) {
  timespec t;
  timeval v;
  p[0] = clock_gettime(CLOCK_MONOTONIC, &t) + gettimeofday(&v, nullptr);
  p[1] = int(time(nullptr)) + int(clock());
  const char *home = getenv("HOME");
  p[2] = home ? int(strlen(home)) : system("true");
  char name[65];
  p[2] += gethostname(name, sizeof name);
  assert(p[3] != 4);
  if (p[3])
    exit(p[3]);
}

void memory(int *p) {
  void *a = malloc(100), *b = calloc(2, 50), *c = aligned_alloc(64, 64);
  a = realloc(a, 200);
  if (posix_memalign(&c, 64, 64))
    return;
  char *s = strdup("text");
  p[0] = s[0];
  free(a), free(b), free(c), free(s);
  std::vector<int> numbers(p[0]);
  numbers.push_back(p[1]);
  auto owned = std::make_unique<int>(5);
  p[1] = numbers.back() + *owned;
  delete[] new (std::nothrow) int[p[2]];
}

int main() {
  xcc::buffer<int> b(8);
  xcc::launch({{1}, {1}}, text, b.data());
  xcc::launch({{1}, {1}}, files, b.data());
  xcc::launch({{1}, {1}}, process, b.data());
  xcc::launch({{1}, {1}}, memory, b.data());
}
