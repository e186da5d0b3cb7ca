// XCC_EXPORT stands where a library's own export macro stands: on declarations,
// variables, classes and namespaces.
// RUN: %xcc -O2 -fno-offload-export %s %S/Inputs/marked.cpp -o %t && %t | FileCheck %s
#include "Inputs/same.h"

int before(int), behind(int), between(int);
extern "C" int in_c(int);
extern const int table[2];
class parser {
public:
  static int made;
  explicit parser(int at);
  int next();

private:
  int at;
};
namespace space {
int inside(int);
template <class T> T chosen(T);
extern template int chosen(int);
} // namespace space

int main() {
  auto results = on_device(7, [](std::size_t i) {
    switch (i) {
    case 0:
      return before(0);
    case 1:
      return behind(0);
    case 2:
      return between(0) + in_c(0) * 100;
    case 3:
      return table[1];
    case 4:
      return parser(1).next() + parser::made * 100;
    case 5:
      return space::inside(0);
    default:
      return space::chosen(0);
    }
  });
  for (int result : results)
    std::printf("%d ", result);
  // CHECK: 1 2 403 60 7071 8 9
}
