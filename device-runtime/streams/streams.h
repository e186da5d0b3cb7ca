// What the parts of the C++ library on a GPU share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libstdc++'s headers have streams and facets as templates, which a program's
// device code instantiates for itself. What they declare and libstdc++'s binary
// defines is here: ios_base, locale, ctype<char>, files below filebuf, and the
// objects std::cout and its like.
//
// Compiled with libstdc++'s headers, without access control: members of its
// classes are given bodies that use what is private.

#ifndef XCC_DEVICE_STREAMS_H
#define XCC_DEVICE_STREAMS_H

#include <bits/c++config.h>
// What is instantiated here, others may have too.
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <locale>

extern "C" [[noreturn]] void __xcc_trap(unsigned kind, const char *text,
                                        const char *file,
                                        unsigned line) noexcept;

// Defined in constants.cpp, not by the headers' templates.
namespace std {
template <> locale::id numpunct<char>::id;
template <> locale::id num_get<char>::id;
template <> locale::id num_put<char>::id;
template <> locale::id collate<char>::id;
} // namespace std

namespace xcc::streams {

/// The C locale's facets, by their places in a locale's table. Those of the
/// program's own classes come behind.
enum Slot : std::size_t {
  Ctype,
  Codecvt,
  Numpunct,
  NumGet,
  NumPut,
  Collate,
  TimePunct,
  TimePut,
  TimeGet,
  WideCtype,
  WideCodecvt,
  WideNumpunct,
  WideNumGet,
  WideNumPut,
  WideCollate,
  Slots
};

/// What the id of such a facet holds the address of, in its index. Whoever uses
/// a facet names its id, so that an image has the facets that it uses.
struct KnownFacet {
  Slot slot;
  std::locale::category category;
  const void *facet;
  const void *cache = nullptr; ///< what numbers are written with
};

/// The C locale's, which are filled as they are asked for.
extern const std::locale::facet *classicFacets[Slots], *classicCaches[Slots];

// What digits and their like are, in the order of std::__num_base.
inline constexpr char AtomsOut[] = "-+xX0123456789abcdef0123456789ABCDEF",
                      AtomsIn[] = "-+xX0123456789abcdefABCDEF";

} // namespace xcc::streams

#endif // XCC_DEVICE_STREAMS_H
