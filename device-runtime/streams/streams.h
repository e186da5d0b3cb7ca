// Common declarations of C++ streams on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In libstdc++, streams and facets are templates that a program's device code
// instantiates for itself. These files define what the headers only declare,
// because libstdc++'s library defines it: ios_base, locale, ctype<char>, the
// file beneath filebuf, and objects such as std::cout.
//
// Compiled with libstdc++'s headers and without access control, because the
// functions defined here use private members.

#ifndef XCC_DEVICE_STREAMS_H
#define XCC_DEVICE_STREAMS_H

#include <bits/c++config.h>
// Without "extern template", so that these files can instantiate them.
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <ctime>
#include <locale>

extern "C" [[noreturn]] void __xcc_trap(unsigned kind, const char *text,
                                        const char *file,
                                        unsigned line) noexcept;

// constants.cpp defines these instead of the headers' templates.
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

// With Clang, the header's version keeps no state between conversions.
template <>
time_get<char>::iter_type
time_get<char>::get(iter_type at, iter_type end, ios_base &io,
                    ios_base::iostate &bits, tm *to, const char *format,
                    const char *formatEnd) const;
} // namespace std

namespace xcc::streams {

/// The places of the C locale's facets in a locale's table. The program's own
/// facets follow.
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

/// A known facet. The index in its class's id contains the address of this.
/// Code that uses a facet refers to its id, so an image contains only the
/// facets that it uses.
struct KnownFacet {
  Slot slot;
  std::locale::category category;
  const void *facet;
  const void *cache = nullptr; ///< texts for writing numbers
};

/// The C locale's tables, which are filled on demand.
extern const std::locale::facet *classicFacets[Slots], *classicCaches[Slots];

// The characters of numbers, in the order of std::__num_base.
inline constexpr char AtomsOut[] = "-+xX0123456789abcdef0123456789ABCDEF",
                      AtomsIn[] = "-+xX0123456789abcdefABCDEF",
                      MoneyAtoms[] = "-0123456789";

/// The order of an amount's parts in the C locale.
inline constexpr char MoneyPattern[] = {
    std::money_base::symbol, std::money_base::sign, std::money_base::none,
    std::money_base::value};

/// The C locale's formats of times and its names, in the order of
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
