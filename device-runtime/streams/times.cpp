// The C locale's facets for times
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// time_put calls strftime, and time_get has tables of names. _M_finalize_state
// computes the fields that follow from what was read.

#include "streams.h"

using namespace xcc::streams;

extern "C" const void *const TimeGetTable[16] __asm__(
    "_ZTVNSt7__cxx118time_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEEE");

namespace std {

template <> void __timepunct<char>::_M_initialize_timepunct(__c_locale) {
  if (!_M_data) {
    _M_data = new __timepunct_cache<char>;
    fillTimes(&_M_data->_M_date_format);
  }
}
template <>
void __timepunct<char>::_M_put(char *to, size_t room, const char *format,
                               const tm *from) const throw() {
  if (!strftime(to, room, format, from) && room)
    *to = 0;
}
template <> __timepunct<char>::~__timepunct() {
  // The C locale's name is static.
  if (_M_name_timepunct != _S_get_c_name())
    delete[] _M_name_timepunct;
  delete _M_data;
}

template <>
const char *__timepunct_cache<char>::_S_timezones[14] = {
    "GMT", "HST", "AKST", "PST", "MST", "CST", "EST",
    "AST", "NST", "CET",  "IST", "EET", "CST", "JST"};

namespace {
bool isLeap(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}
/// The days of the year before a month; for month 12, the days of the year.
int daysBefore(int month, int year) {
  static constexpr short days[] = {0,   31,  59,  90,  120, 151, 181,
                                   212, 243, 273, 304, 334, 365};
  return days[month] + (month > 1 && isLeap(year));
}
/// The weekday, from the days since 0001-01-01, a Monday in the Gregorian
/// calendar.
int weekdayOf(int year, int dayOfYear) {
  // 400 years are a whole number of weeks.
  int before = (year % 400 + 400 - 1) % 400;
  return (1 + before * 365 + before / 4 - before / 100 + dayOfYear) % 7;
}
} // namespace

/// Computes further fields, as strptime does: a day of the year gives month and
/// day; a date gives the day of the year and of the week; the number of a week
/// and a day in it give the date.
void __time_get_state::_M_finalize_state(tm *to) {
  if (_M_have_I && _M_is_pm)
    to->tm_hour += 12;
  if (_M_have_century)
    to->tm_year = (_M_want_century ? to->tm_year % 100 : 0) +
                  (int(_M_century) - 19) * 100;

  const int year = 1900 + to->tm_year;
  const bool dated = _M_have_mon && _M_have_mday;
  auto dateFromDay = [&] {
    int month = 0;
    while (month < 11 && daysBefore(month + 1, year) <= to->tm_yday)
      ++month;
    if (!_M_have_mon)
      to->tm_mon = month;
    if (!_M_have_mday)
      to->tm_mday = to->tm_yday - daysBefore(month, year) + 1;
  };
  auto dayFromDate = [&] {
    return daysBefore(to->tm_mon, year) + to->tm_mday - 1;
  };
  if (_M_want_xday && !_M_have_wday) {
    if (!dated && _M_have_yday) {
      dateFromDay();
      _M_have_mon = _M_have_mday = 1;
    }
    if (unsigned(to->tm_mon) < 12)
      to->tm_wday = weekdayOf(year, dayFromDate());
  }
  if (_M_want_xday && !_M_have_yday && unsigned(to->tm_mon) < 12)
    to->tm_yday = dayFromDate();

  if ((_M_have_uweek || _M_have_wweek) && _M_have_wday) {
    const int first = _M_have_uweek ? 0 : 1; // weeks begin on Sunday or Monday
    if (!_M_have_yday)
      to->tm_yday = (7 - (weekdayOf(year, 0) - first)) % 7 +
                    (int(_M_week_no) - 1) * 7 + (to->tm_wday - first + 7) % 7;
    if (!dated)
      dateFromDay();
  }
}

/// C++ [locale.time.get.members]. If do_get is not overridden, conversions that
/// belong together, such as "%I" and "%p", are combined.
template <>
time_get<char>::iter_type
time_get<char>::get(iter_type at, iter_type end, ios_base &io,
                    ios_base::iostate &bits, tm *to, const char *format,
                    const char *formatEnd) const {
  constexpr int doGet = 8; // follows two destructors and six functions
  const bool own =
      (*reinterpret_cast<const void *const *const *>(this))[doGet] ==
      TimeGetTable[2 + doGet];
  const auto &letters = use_facet<ctype<char>>(io._M_getloc());
  auto isSpace = [&](char c) { return letters.is(ctype_base::space, c); };
  __time_get_state state = {};
  bits = ios_base::goodbit;
  while (format != formatEnd && bits == ios_base::goodbit) {
    if (at == end) {
      bits = ios_base::eofbit | ios_base::failbit;
      break;
    }
    if (*format == '%') {
      char text[4] = "%";
      char *conversion = text + 1;
      if (++format != formatEnd && (*format == 'E' || *format == 'O'))
        *conversion++ = *format++;
      if (format == formatEnd) {
        bits = ios_base::failbit;
        break;
      }
      *conversion = *format++;
      if (own) {
        at = _M_extract_via_format(at, end, io, bits, to, text, state);
        if (at == end)
          bits |= ios_base::eofbit;
      } else {
        at = do_get(at, end, io, bits, to, *conversion,
                    conversion == text + 1 ? 0 : text[1]);
      }
    } else if (isSpace(*format)) {
      while (format != formatEnd && isSpace(*format))
        ++format;
      while (at != end && isSpace(*at))
        ++at;
    } else if (letters.tolower(*at) == letters.tolower(*format)) {
      ++at;
      ++format;
    } else {
      bits = ios_base::failbit;
    }
  }
  if (own)
    state._M_finalize_state(to);
  return at;
}

} // namespace std
