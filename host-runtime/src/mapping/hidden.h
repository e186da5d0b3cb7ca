// Host memory that no kernel may reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests on a device that could reach the host's memory but is not to: while
// a kernel runs, the host's copy of what it uses holds a pattern, so that a
// kernel which reads it through an address that was not translated is wrong
// visibly, and one which writes it is found.

#ifndef XCC_SRC_MAPPING_HIDDEN_H
#define XCC_SRC_MAPPING_HIDDEN_H

#include "mapping/collection.h"
#include "mapping/visit.h"

namespace xcc::rt {

/// What there is instead, in each byte.
inline constexpr unsigned char HiddenByte = 0xDB;

/// Hides the ranges of a mapping from construction until restore(), which fails
/// when somebody wrote there, or else destruction.
class Hidden {
public:
  explicit Hidden(const xcc_mapping &m);
  ~Hidden() { (void)putBack(); }
  Hidden(const Hidden &) = delete;
  xcc_status restore();

private:
  struct Piece {
    char *at;
    std::string bytes;
    uint32_t path;
  };
  const Piece *putBack();

  NoVisits alone;
  const xcc_mapping &m;
  std::vector<Piece> pieces;
  bool hides = true;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_HIDDEN_H
