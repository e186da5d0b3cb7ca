// date in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <date/date.h>
#include <date/iso_week.h>
int main() {
  both("dates", std::vector<int>(16, 0), [](int *p) {
    using namespace date;
    auto d = 2024_y / February / 29;
    p[0] = sys_days(d).time_since_epoch().count();
    auto e = year_month_day(sys_days(d) + days(400));
    p[1] = int(e.year());
    p[2] = (int)unsigned(e.month());
    p[3] = (int)unsigned(e.day());
    p[4] = (int)weekday(sys_days(d)).c_encoding();
    p[5] = d.ok();
    p[6] = (2023_y / 2 / 29).ok();
    year_month_day_last l = 2023_y / 2 / last;
    p[7] = (int)unsigned(l.day());
    iso_week::year_weeknum_weekday w = sys_days(d);
    p[8] = (int)unsigned(w.weeknum());
  });
}
