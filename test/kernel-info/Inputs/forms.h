// Kernels that several translation units share, and layers of generic code.
#pragma once
#include <xcc/xcc.h>

inline void from_header(int *p) { *p += 1; }
inline const xcc::kernel_info &info_from_header() {
  return xcc::kernel_info_for(from_header);
}
inline void launch_inline_lambda(int *p) {
  xcc::launch({{1}, {1}}, [=] { *p += 100; });
}
template <class T> struct Box {
  static void fill(T *p, T v) { p[xcc::global_id()] = v; }
};
template <auto Kernel, class... A> void launch_auto(A... a) {
  xcc::launch({{1}, {4}}, Kernel, a...);
}
template <class F, class... A> void inner_layer(F f, A... a) {
  xcc::launch({{1}, {4}}, f, a...);
}
template <class F, class... A> void outer_layer(F f, A... a) {
  inner_layer(f, a...);
}
template <class R, class... P, class... A>
void forward(XCC_KERNEL R (*kernel)(P...), A... a) {
  xcc::launch({{1}, {4}}, kernel, a...);
}

/// In Inputs/other.cpp; true if it sees the same descriptor of from_header.
bool other_unit(int *p);
