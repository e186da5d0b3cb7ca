// <time.h> without the clock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call.h"
#include "print.h"

using namespace xcc::device;

namespace {
/// The layout of struct tm.
struct Time {
  Calendar calendar;
  const char *zone;
};
static_assert(sizeof(Time) == 56);

struct TimeSpec {
  long seconds, nanoseconds;
};
} // namespace

extern "C" int clock_gettime(int clock, TimeSpec *to);

namespace {
/// Returns a copy of a time zone's name that stays valid, because struct tm
/// points to it. Few zones occur.
const char *keepZone(const char *name) {
  constexpr int most = 8, length = 16;
  static char known[most][length];
  int i = 0;
  for (; i != most - 1 && known[i][0]; ++i) {
    int j = 0;
    while (known[i][j] && known[i][j] == name[j])
      ++j;
    if (known[i][j] == name[j])
      return known[i];
  }
  int j = 0;
  for (; j != length - 1 && name[j]; ++j)
    known[i][j] = name[j];
  known[i][j] = 0;
  return known[i];
}

struct Answer {
  Calendar calendar;
  char zone[16];
};

bool take(Time *to, Reply r, Answer &answer, const Buffer &got) {
  if (r.error)
    setErrno(r.error);
  if (r.error || got.size < sizeof(Calendar))
    return false;
  reinterpret_cast<char *>(&answer)[got.size] = 0;
  to->calendar = answer.calendar;
  to->zone = keepZone(answer.zone);
  return true;
}

Time *timeToCalendar(CalendarCall what, const long *at, Time *to) {
  Answer answer;
  Buffer got{reinterpret_cast<char *>(&answer), sizeof answer - 1};
  Message m(what, uint64_t(*at));
  Reply r = call(ServiceCalendar, m, got);
  return take(to, r, answer, got) ? to : nullptr;
}

long made(CalendarCall what, Time *from) {
  Answer answer;
  Buffer got{reinterpret_cast<char *>(&answer), sizeof answer - 1};
  Message m(what, 0, 0, &from->calendar, sizeof(Calendar));
  Reply r = call(ServiceCalendar, m, got);
  take(from, r, answer, got);
  return r.result;
}

Time own; ///< the result of localtime and gmtime

int format(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = __xcc_format(to, size, format, list);
  va_end(list);
  return result;
}

const char *part(const char *names, int number, int count) {
  return number < 0 || number >= count ? "???" : names + 3 * number;
}

/// Waits by polling the clock, because sleeping on the host would block a
/// thread that serves other calls.
int waitFor(long seconds, long nanoseconds) {
  TimeSpec now, end;
  if (seconds < 0 || nanoseconds < 0 || nanoseconds > 999999999) {
    setErrno(ErrInvalid);
    return -1;
  }
  if (clock_gettime(1, &now))
    return -1;
  end = {now.seconds + seconds, now.nanoseconds + nanoseconds};
  if (end.nanoseconds > 999999999)
    end = {end.seconds + 1, end.nanoseconds - 1000000000};
  while (now.seconds < end.seconds ||
         (now.seconds == end.seconds && now.nanoseconds < end.nanoseconds))
    if (clock_gettime(1, &now))
      return -1;
  return 0;
}
} // namespace

XCC_SERVICE Time *localtime_r(const long *at, Time *to) {
  return timeToCalendar(CalendarLocal, at, to);
}
XCC_SERVICE Time *gmtime_r(const long *at, Time *to) {
  return timeToCalendar(CalendarGreenwich, at, to);
}
XCC_SERVICE Time *localtime(const long *at) { return localtime_r(at, &own); }
XCC_SERVICE Time *gmtime(const long *at) { return gmtime_r(at, &own); }
XCC_SERVICE long mktime(Time *from) { return made(CalendarMakeLocal, from); }
XCC_SERVICE long timelocal(Time *from) { return mktime(from); }
XCC_SERVICE long timegm(Time *from) {
  return made(CalendarMakeGreenwich, from);
}
XCC_SERVICE void tzset() {} // the host reads the time zone at each call

XCC_SERVICE size_t strftime(char *to, size_t room, const char *format,
                            const Time *from) {
  struct Texts : Source<Texts> {
    Request head;
    const void *data[4];
    uint64_t sizes[4], total = 0;
    int at = 0;
    uint64_t size() const { return total; }
    bool next() {
      if (at == 4)
        return false;
      piece = static_cast<const char *>(data[at]);
      left = sizes[at++];
      return true;
    }
  } m;
  const char *zone = from->zone ? from->zone : "";
  m.head = {CalendarFormat, room, 0};
  m.data[0] = &m.head, m.sizes[0] = sizeof m.head;
  m.data[1] = &from->calendar, m.sizes[1] = sizeof(Calendar);
  m.data[2] = zone, m.sizes[2] = strlen(zone) + 1;
  m.data[3] = format, m.sizes[3] = strlen(format);
  for (uint64_t size : m.sizes)
    m.total += size;
  if (!room)
    return 0;
  Buffer text{to, room - 1};
  int64_t size = checked(call(ServiceCalendar, m, text));
  to[text.size] = 0;
  return size > 0 ? size_t(size) : 0;
}

XCC_SERVICE char *asctime_r(const Time *from, char *to) {
  const Calendar &c = from->calendar;
  constexpr size_t room = 26;
  const char *day = part("SunMonTueWedThuFriSat", c.weekday, 7);
  const char *month = part("JanFebMarAprMayJunJulAugSepOctNovDec", c.month, 12);
  int size = format(to, room, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month,
                    c.day, c.hour, c.minute, c.second, 1900 + c.year);
  if (size >= 0 && size < int(room))
    return to;
  setErrno(ErrOverflow);
  return nullptr;
}
XCC_SERVICE char *asctime(const Time *from) {
  static char text[32];
  return asctime_r(from, text);
}
XCC_SERVICE char *ctime_r(const long *at, char *to) {
  Time time;
  return localtime_r(at, &time) ? asctime_r(&time, to) : nullptr;
}
XCC_SERVICE char *ctime(const long *at) {
  const Time *time = localtime(at);
  return time ? asctime(time) : nullptr;
}
XCC_SERVICE double difftime(long end, long begin) {
  // Exact differences of up to 53 bits; larger ones are rounded once.
  return end < begin ? -double((unsigned long)begin - (unsigned long)end)
                     : double((unsigned long)end - (unsigned long)begin);
}
XCC_SERVICE int timespec_get(TimeSpec *to, int base) {
  return base == 1 && clock_gettime(0, to) == 0 ? base : 0;
}

XCC_SERVICE int nanosleep(const TimeSpec *time, TimeSpec *) {
  return waitFor(time->seconds, time->nanoseconds);
}
XCC_SERVICE int usleep(unsigned microseconds) {
  return waitFor(microseconds / 1000000, long(microseconds % 1000000) * 1000);
}
XCC_SERVICE unsigned sleep(unsigned seconds) {
  waitFor(seconds, 0);
  return 0;
}
