#include "forms.h"

namespace {
void hidden(int *p) { *p += 1000; }
struct Tag {};
template <class T> void tagged(int *p) { *p += 7; }
} // namespace

bool other_unit(int *p) {
  xcc::launch({{1}, {1}}, hidden, p);
  xcc::launch({{1}, {1}}, tagged<Tag>, p);
  xcc::launch({{1}, {1}}, from_header, p);
  xcc::launch({{1}, {1}}, [=] { *p += 10000; });
  launch_inline_lambda(p);
  return &info_from_header() == &xcc::kernel_info_for(from_header);
}
