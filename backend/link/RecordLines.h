// Memory of what is known of a module's bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_RECORDLINES_H
#define XCC_BACKEND_LINK_RECORDLINES_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace xcc {

/// Chances that are used together; zeros are what nobody has seen.
using RecordLine = std::array<uint16_t, 16>;

/// Lines of zeros. They are looked up all over the place, so that pages should
/// be large, where the system has such.
class RecordLines {
public:
  explicit RecordLines(size_t count);
  ~RecordLines();
  RecordLines(const RecordLines &) = delete;
  RecordLines &operator=(const RecordLines &) = delete;

  RecordLine &operator[](size_t number) { return lines[number]; }
  const RecordLine &operator[](size_t number) const { return lines[number]; }
  size_t size() const { return count; }

private:
  const size_t count;
  void *memory = nullptr;
  size_t mapped = 0; ///< bytes, or none if it is of the heap
  RecordLine *lines;
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_RECORDLINES_H
