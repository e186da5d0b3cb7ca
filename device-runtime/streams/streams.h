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
#include <ctime>
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
template <> locale::id __timepunct<char>::id;
template <> locale::id time_put<char>::id;
template <> locale::id time_get<char>::id;
template <> locale::id moneypunct<char, false>::id;
template <> locale::id moneypunct<char, true>::id;
template <> locale::id money_put<char>::id;
template <> locale::id money_get<char>::id;
template <> locale::id messages<char>::id;

// The headers' own keeps nothing from one conversion to the next but with GCC.
template <>
time_get<char>::iter_type
time_get<char>::get(iter_type at, iter_type end, ios_base &io,
                    ios_base::iostate &bits, tm *to, const char *format,
                    const char *formatEnd) const;
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
  Money,
  MoneyAbroad,
  MoneyPut,
  MoneyGet,
  Messages,
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
                      AtomsIn[] = "-+xX0123456789abcdefABCDEF",
                      MoneyAtoms[] = "-0123456789";

/// Where the C locale has the parts of an amount.
inline constexpr char MoneyPattern[] = {
    std::money_base::symbol, std::money_base::sign, std::money_base::none,
    std::money_base::value};

/// How the C locale writes times, and its names, in the order of
/// std::__timepunct_cache.
inline constexpr const char *Times[] = {"%m/%d/%y",
                                        "%m/%d/%y",
                                        "%H:%M:%S",
                                        "%H:%M:%S", //
                                        "%a %b %e %H:%M:%S %Y",
                                        "%a %b %e %H:%M:%S %Y", //
                                        "AM",
                                        "PM",
                                        "%I:%M:%S %p", //
                                        "Sunday",
                                        "Monday",
                                        "Tuesday",
                                        "Wednesday",
                                        "Thursday",
                                        "Friday",
                                        "Saturday", //
                                        "Sun",
                                        "Mon",
                                        "Tue",
                                        "Wed",
                                        "Thu",
                                        "Fri",
                                        "Sat", //
                                        "January",
                                        "February",
                                        "March",
                                        "April",
                                        "May",
                                        "June",
                                        "July",
                                        "August",
                                        "September",
                                        "October",
                                        "November",
                                        "December", //
                                        "Jan",
                                        "Feb",
                                        "Mar",
                                        "Apr",
                                        "May",
                                        "Jun",
                                        "Jul",
                                        "Aug",
                                        "Sep",
                                        "Oct",
                                        "Nov",
                                        "Dec"};
constexpr void fillTimes(const char **to) {
  for (const char *text : Times)
    *to++ = text;
}

} // namespace xcc::streams

#endif // XCC_DEVICE_STREAMS_H
