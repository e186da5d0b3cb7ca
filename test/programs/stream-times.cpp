// Times, amounts of money and messages in streams, by the C locale's facets and
// by a program's own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2
#include <iostream>
#include <iomanip>
#include <sstream>
#include <ctime>
#include <locale>
#include <chrono>
int main() {
  std::tm t{};
  t.tm_year=126; t.tm_mon=10; t.tm_mday=23; t.tm_hour=13; t.tm_min=5; t.tm_sec=9; t.tm_wday=1; t.tm_yday=326;
  std::cout << std::put_time(&t, "%Y-%m-%d %H:%M:%S %a %A %b %B %j %p %c %x %X %D %T %R %% %e %I %y %C %u %w %U %W %V %G %n%t|%Ey %Od") << "\n";
  std::istringstream in("2026-11-23 13:05:09 Mon November 5 PM");
  std::tm u{}; 
  in >> std::get_time(&u, "%Y-%m-%d %H:%M:%S");
  std::cout << u.tm_year << ' ' << u.tm_mon << ' ' << u.tm_mday << ' ' << u.tm_hour << ' ' << u.tm_min << ' ' << u.tm_sec << ' ' << in.rdstate() << "\n";
  std::tm v{};
  in >> std::get_time(&v, " %a %B"); std::cout << v.tm_wday << ' ' << v.tm_mon << ' ' << in.rdstate() << "\n";
  std::istringstream bad("12x"); std::tm w{}; bad >> std::get_time(&w, "%H:%M"); std::cout << bad.fail() << bad.eof() << "\n";
  std::istringstream pm("05:06:07 PM"); pm >> std::get_time(&w, "%I:%M:%S %p"); std::cout << w.tm_hour << w.tm_min << w.tm_sec << "\n";
  std::istringstream doy("2024 60"); std::tm d{}; doy >> std::get_time(&d, "%Y %j"); std::cout << d.tm_year << ' ' << d.tm_yday << ' ' << d.tm_mon << ' ' << d.tm_mday << ' ' << d.tm_wday << "\n";
  std::cout << std::put_money(123456) << ' ' << std::showbase << std::put_money("-98765") << ' ' << std::put_money(12.5L, true) << std::noshowbase << "\n";
  std::istringstream m("1234 -567 12.34x"); long double a=0; std::string s; 
  m >> std::get_money(a) >> std::get_money(s); std::cout << a << ' ' << s << ' ' << m.rdstate() << "\n";
  auto &mp = std::use_facet<std::moneypunct<char>>(std::locale());
  std::cout << mp.decimal_point() << mp.thousands_sep() << '[' << mp.grouping() << "][" << mp.curr_symbol() << "][" << mp.positive_sign() << "][" << mp.negative_sign() << "]" << mp.frac_digits() << int(mp.pos_format().field[0]) << int(mp.neg_format().field[3]) << "\n";
  auto &mi = std::use_facet<std::moneypunct<char,true>>(std::locale());
  std::cout << (int)mi.decimal_point() << '[' << mi.curr_symbol() << "]" << mi.frac_digits() << "\n";
  auto &ms = std::use_facet<std::messages<char>>(std::locale());
  auto c = ms.open("nothing", std::locale()); std::cout << ms.get(c, 1, 2, "default") << "\n"; ms.close(c);
  auto &tg = std::use_facet<std::time_get<char>>(std::locale());
  std::cout << tg.date_order() << "\n";
  std::ios_base::iostate err{}; std::tm x{}; std::string text("11/23/26"); std::istringstream ts(text);
  auto e = tg.get_date(std::istreambuf_iterator<char>(ts), {}, ts, err, &x); std::cout << x.tm_year << ' ' << x.tm_mon << ' ' << x.tm_mday << ' ' << err << (e == std::istreambuf_iterator<char>()) << "\n";
  std::istringstream mn("december"); tg.get_monthname(std::istreambuf_iterator<char>(mn), {}, mn, err, &x); std::cout << x.tm_mon << "\n";
  std::istringstream wd("Thu"); tg.get_weekday(std::istreambuf_iterator<char>(wd), {}, wd, err, &x); std::cout << x.tm_wday << "\n";
  std::istringstream yr("99"); err={}; tg.get_year(std::istreambuf_iterator<char>(yr), {}, yr, err, &x); std::cout << x.tm_year << "\n";
  std::istringstream tm_("23:59:58"); err={}; tg.get_time(std::istreambuf_iterator<char>(tm_), {}, tm_, err, &x); std::cout << x.tm_hour << x.tm_min << x.tm_sec << "\n";
  auto &tp = std::use_facet<std::time_put<char>>(std::locale::classic());
  std::ostringstream o; tp.put(std::ostreambuf_iterator<char>(o), o, ' ', &t, 'F'); tp.put(std::ostreambuf_iterator<char>(o), o, ' ', &t, 'Y', 'E'); std::cout << o.str() << "\n";
  struct P : std::moneypunct<char> { char do_thousands_sep() const override { return ','; } std::string do_grouping() const override { return "\3"; } std::string do_curr_symbol() const override { return "$"; } int do_frac_digits() const override { return 2; } char do_decimal_point() const override { return '.'; } std::string do_negative_sign() const override { return "()"; } };
  std::ostringstream p; p.imbue(std::locale(std::locale(), new P)); p << std::showbase << std::put_money(123456789) << ' ' << std::put_money(-4200); std::cout << p.str() << "\n";
  std::istringstream q("$1,234.56 ($7.00)"); q.imbue(p.getloc()); long double b = 0, b2=0; q >> std::showbase >> std::get_money(b) >> std::get_money(b2); std::cout << (long)b << ' ' << (long)b2 << ' ' << q.rdstate() << "\n";
  // A program's own do_get is asked for each conversion.
  struct G : std::time_get<char> {
    iter_type do_get(iter_type at, iter_type end, std::ios_base &io,
                     std::ios_base::iostate &bits, std::tm *to, char format,
                     char modifier) const override {
      std::cout << '<' << format << (modifier ? modifier : '-') << '>';
      return time_get::do_get(at, end, io, bits, to, format, modifier);
    }
  };
  std::istringstream own("7 8");
  own.imbue(std::locale(std::locale(), new G));
  own >> std::get_time(&x, "%H %OM");
  std::cout << x.tm_hour << x.tm_min << own.rdstate() << "\n";
  // Weeks of the year, and dates of all kinds of years.
  for (const char *week : {"2024 10 1", "2026 0 5", "1999 51 6", "2000 9 0"}) {
    std::istringstream in(week);
    std::tm y{};
    in >> std::get_time(&y, "%Y %U %w");
    std::cout << y.tm_mon << ' ' << y.tm_mday << ' ' << y.tm_yday << "; ";
  }
  for (const char *date : {"1900-03-01", "2000-02-29", "2100-12-31", "1-1-1"}) {
    std::istringstream in(date);
    std::tm y{};
    in >> std::get_time(&y, "%Y-%m-%d");
    std::cout << y.tm_wday << ' ' << y.tm_yday << "; ";
  }
  std::cout << std::put_time(&t, "%Ec|%Ex|%EX|%OH") << "\n";
}
