// Rows of memory with gaps between them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     |<--- width --->|          |
//     |<-------- pitch --------->|     height rows are a slice, and slices
//     | row 0         | not ours |     may lie apart as well
//     | row 1         | not ours |
//
// A copy of rows has an extent and a pitch for each side; a fill has the same
// on both.

#ifndef XCC_SRC_DEVICES_ROWS_H
#define XCC_SRC_DEVICES_ROWS_H

#include "place.h"
#include "xcc/runtime.h"

namespace xcc::rt {

struct Rows {
  size_t width, height, depth; ///< bytes, rows of a slice, slices
  xcc_pitch to, from;

  size_t count() const { return height * depth; }
  size_t bytes() const { return width * count(); }
  /// The bytes from the first to the end of the last.
  size_t reach(const xcc_pitch &side) const {
    return (depth - 1) * side.slice + (height - 1) * side.row + width;
  }
  size_t offset(const xcc_pitch &side, size_t row) const {
    return row / height * side.slice + row % height * side.row;
  }
  /// Calls \p call with both places of each row, until a call fails.
  template <class Fn>
  xcc_status each(const Place &toPlace, const Place &fromPlace, Fn call) const {
    for (size_t row = 0, all = count(); row != all; ++row)
      if (xcc_status bad =
              call(toPlace + offset(to, row), fromPlace + offset(from, row)))
        return bad;
    return XCC_SUCCESS;
  }
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_ROWS_H
