// The calendar: localtime, mktime, strftime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host has the time zone and its rules.

#include "services_impl.h"

#include <cerrno>
#include <cstddef>
#include <ctime>

using namespace xcc::services;

static_assert(offsetof(tm, tm_gmtoff) == offsetof(Calendar, offset) &&
              offsetof(tm, tm_zone) == sizeof(Calendar));

namespace {
/// Longer texts are refused, because the device determines the host memory used
/// here.
constexpr size_t MaxText = size_t(1) << 20;

void writeTime(Lane &l, const tm &t) {
  Calendar calendar;
  memcpy(&calendar, &t, sizeof calendar);
  calendar.unused = 0;
  l.out->assign(reinterpret_cast<const char *>(&calendar), sizeof calendar);
  if (t.tm_zone)
    *l.out += t.tm_zone;
}

/// Calls strftime, which returns 0 also if there is not enough room. B of the
/// request is the room that the device has.
void formatTime(Lane &l, const tm &t, std::string_view format) {
  if (l.head.b == 0 || l.head.b > MaxText)
    l.head.b = l.head.b ? MaxText : 1;
  // A character is added, so that an empty result differs from a failure.
  const std::string with = std::string(format) + "x";
  l.out->resize(l.head.b + 1);
  const size_t size = strftime(l.out->data(), l.out->size(), with.c_str(), &t);
  l.out->resize(size ? size - 1 : 0);
  l.answer = {int64_t(l.out->size()), 0};
}
} // namespace

void xcc_services::calendar(Lanes all) {
  for (Lane &l : all) {
    tm t{};
    errno = 0;
    if (l.head.a == CalendarLocal || l.head.a == CalendarGreenwich) {
      const time_t at = time_t(l.head.b);
      const tm *found =
          l.head.a == CalendarLocal ? localtime_r(&at, &t) : gmtime_r(&at, &t);
      l.result(found ? 0 : -1, !found);
      if (found)
        writeTime(l, t);
      continue;
    }
    Calendar given;
    if (!l.rest.read(given)) {
      l.fail(ErrInvalid);
      continue;
    }
    memcpy(static_cast<void *>(&t), &given, sizeof given);
    if (l.head.a == CalendarMakeLocal || l.head.a == CalendarMakeGreenwich) {
      const time_t made =
          l.head.a == CalendarMakeLocal ? mktime(&t) : timegm(&t);
      l.result(made, made == -1 && errno);
      writeTime(l, t);
      continue;
    }
    const std::string_view rest = l.rest.rest();
    const size_t end = rest.find('\0');
    if (l.head.a != CalendarFormat || end == rest.npos) {
      l.fail(ErrInvalid);
      continue;
    }
    const std::string zone(rest.substr(0, end));
    t.tm_zone = zone.c_str();
    formatTime(l, t, rest.substr(end + 1));
  }
}
