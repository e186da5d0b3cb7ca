// Plain pointers to constants of the program and of libraries: string literals and
// tables, also in objects, also changed by kernels, also of a library that is
// loaded where another was.
// RUN: %xcc -shared -fPIC -DTEXT='"the first one"' %s -o %t-1.so
// RUN: %xcc -shared -fPIC -DTEXT='"another text!"' %s -o %t-2.so
// RUN: %everywhere
// RUN: %xcc -std=c++20 -offload-arch=host -no-pie -DFIXED %s -o %t-fixed
// RUN: env XCC_CPU_SEPARATE=1 %t-fixed
#ifdef TEXT
extern "C" const char *text() { return TEXT; }
#else
#include "Inputs/check.h"
#include <array>
#include <dlfcn.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct Named {
  const char *name;
  int number;
};
struct Entry {
  int a;
  double b;
};
static const Entry entries[] = {{1, 2}, {3, 4}, {5, 6}};
static const char *const names[] = {"none", "one", "two and more"};

static void length(const char *text, std::size_t *out) { *out = strlen(text); }

static void inArguments(int one) {
  std::vector<std::size_t> n(4);
  const char *const s = "literal";
  const char *which = names[one + 1];
  const char *const local[] = {"a", "bc", "def"};
#ifndef FIXED
  const Entry *first = entries;
#else // where a class might hold addresses, the table is mapped
  std::span<const Entry> first = entries;
#endif
  // Of equal literals a view names a part.
  std::string_view part(which, 3);
  {
    xcc::map scope(n);
    xcc::launch({{1}, {1}}, length, "of a function", &n[0]);
    xcc::launch({{1}, {1}}, [s, to = &n[1]] { *to = strlen(s); });
  }
  xcc::launch({{1}, {1}}, [&] {
    n[2] = strlen(which) * 100 + part.size() + strlen(local[one]);
    n[3] = std::size_t(first[one + 1].b) + strlen(s);
  });
  xcc::synchronize();
  CHECK(n == (std::vector<std::size_t>{13, 7, 1205, 13}));
}

static void inObjects() {
  std::vector<Named> v{{"zero", 0}, {"one", 1}, {nullptr, 2}};
  std::array<std::string_view, 2> views{"some", "text"};
  for (int i = 0; i != 3; ++i)
    xcc::launch({{1}, {1}}, [&] {
      std::swap(v[0].name, v[1].name);
      v[2].name = v[0].name + 1;
      v[1].number += int(strlen(v[2].name) + views[1].size());
    });
  xcc::synchronize();
  CHECK(!strcmp(v[0].name, "one") && !strcmp(v[1].name, "zero") &&
        !strcmp(v[2].name, "ne"));
  CHECK(v[1].number == 1 + 2 + 3 + 2 + 3 * 4);
  xcc::map scope(v);
  v[0].name = "of the host";
  scope.to_device(v);
  xcc::launch({{1}, {1}}, [&] { v[1].name = v[0].name + 7; });
  scope.end();
  CHECK(!strcmp(v[1].name, "host"));
}

/// Views of literals, in a launch that reaches what an earlier one left on the
/// device: what is constant on the host is not written there.
static void ofViews() {
  std::vector<std::string_view> v{"zero", "one", "two"};
  std::array<std::string_view, 2> views{"some", "text"};
  std::size_t sum = 0;
  for (int i = 0; i != 3; ++i)
    xcc::launch({{1}, {1}}, [&] {
      std::swap(v[0], v[1]);
      v[2] = v[0].substr(1);
      sum += v[2].size() + views[1].size();
    });
  xcc::synchronize();
  CHECK(sum == 2 + 3 + 2 + 3 * 4 && v[2] == "ne" && v[1] == "zero");
}

/// What can be written is no constant.
static void refused() {
  static char own[] = "own";
  const char *p = own;
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [p] { (void)strlen(p); });
        xcc::synchronize();
      },
      "'p' points to host memory that is not mapped"));
}

static void ofLibraries(const std::string &own) {
  for (const char *which : {"1", "2", "1", "1", "2"}) {
    std::string path = own.substr(0, own.rfind("-all")) + "-" + which + ".so";
    void *library = dlopen(path.c_str(), RTLD_NOW);
    if (!library)
      return; // as for the program that is linked without them
    auto text = reinterpret_cast<const char *(*)()>(dlsym(library, "text"));
    const char *host = text();
    char c = 0;
    xcc::launch({{1}, {1}}, [&] { c = host[0]; });
    xcc::synchronize();
    CHECK(c == host[0]);
    dlclose(library);
  }
}

int main(int count, char **words) {
  inArguments(count);
  inObjects();
  ofViews();
  refused();
  ofLibraries(words[0]);
}
#endif
