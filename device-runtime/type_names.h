// Comparing types by their type information
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DEVICE_RUNTIME_TYPE_NAMES_H
#define XCC_DEVICE_RUNTIME_TYPE_NAMES_H

namespace xcc {

/// Compares types by name, because translation units have type information of
/// their own. \p Info has the layout of std::type_info.
template <class Info> static bool hasSameName(const Info *a, const Info *b) {
  const char *x = a->text, *y = b->text;
  if (x == y)
    return true;
  while (*x && *x == *y)
    ++x, ++y;
  return *x == *y;
}

} // namespace xcc
#endif // XCC_DEVICE_RUNTIME_TYPE_NAMES_H
