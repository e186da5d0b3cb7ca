// A kernel that fails within the C library's stdio leaves no file locked.
// RUN: %xcc -O0 %s -o %t && %t %t.txt | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t %t.txt | FileCheck %s
#include <cstdio>
#include <cstring>
#include <wchar.h>
#include <xcc/xcc.h>

static char *volatile wild = (char *)8;

template <class F> void run(const char *name, std::FILE *f, F kernel) {
  // Several blocks, so that workers fail too.
  xcc::launch({{16}, {2}}, kernel, f, (char *)wild);
  const char *what = "no error";
  try {
    xcc::synchronize();
  } catch (const xcc::error &e) {
    what = std::strstr(e.what(), "invalid memory access");
  }
  std::fprintf(f, "after %s\n", name);
  std::printf("%s: %.21s\n", name, what ? what : "?");
  std::fflush(nullptr);
}

int main(int, char **v) {
  std::FILE *f = std::fopen(v[1], "w+");
  std::setvbuf(f, nullptr, _IOFBF, 64);
  // CHECK: fprintf: invalid memory access
  run("fprintf", f, [](std::FILE *f, char *bad) { std::fprintf(f, "%s", bad); });
  // CHECK-NEXT: fputs: invalid memory access
  run("fputs", f, [](std::FILE *f, char *bad) { std::fputs(bad, f); });
  // CHECK-NEXT: fwrite: invalid memory access
  run("fwrite", f, [](std::FILE *f, char *bad) { std::fwrite(bad, 1, 100, f); });
  // CHECK-NEXT: printf: invalid memory access
  run("printf", f, [](std::FILE *, char *bad) { std::printf("%s", bad); });
  // CHECK-NEXT: puts: invalid memory access
  run("puts", f, [](std::FILE *, char *bad) { std::puts(bad); });
  // CHECK-NEXT: perror: invalid memory access
  run("perror", f, [](std::FILE *, char *bad) { std::fprintf(stderr, "%s", bad); });
  // CHECK-NEXT: flockfile: invalid memory access
  run("flockfile", f, [](std::FILE *f, char *bad) {
    flockfile(f);
    flockfile(f);
    *bad = 1;
  });
  std::rewind(f);
  // CHECK-NEXT: fgets: invalid memory access
  run("fgets", f, [](std::FILE *f, char *bad) { std::rewind(f); (void)!std::fgets(bad, 5, f); });
  // CHECK-NEXT: fscanf: invalid memory access
  run("fscanf", f, [](std::FILE *f, char *bad) { std::rewind(f); (void)!std::fscanf(f, "%s", bad); });
  // CHECK-NEXT: fread: invalid memory access
  run("fread", f, [](std::FILE *f, char *bad) { std::rewind(f); (void)!std::fread(bad, 1, 5, f); });
  // CHECK-NEXT: closed 0
  std::printf("closed %d\n", std::fclose(f));
}
