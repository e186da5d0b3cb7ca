// Reading text from streams
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libstdc++'s headers declare these specialisations for char, which are faster
// than the templates: reading lines and words and skipping take a piece of the
// buffer at a time.

#include "streams.h"

#include <cstring>
#include <istream>
#include <limits>
#include <string>

namespace std {
namespace {
using Buffer = basic_streambuf<char>;
constexpr int End = char_traits<char>::eof();
constexpr streamsize Most = numeric_limits<streamsize>::max();

/// The number of characters that the buffer holds now.
streamsize ready(Buffer &from) { return from.egptr() - from.gptr(); }

int value(char c) { return char_traits<char>::to_int_type(c); }

/// Takes at most \p room characters and stops before the delimiter. Returns the
/// next character, or End.
template <class Take>
int takeUntil(Buffer &from, char delimiter, streamsize room, streamsize &taken,
              Take take) {
  int c = from.sgetc();
  while (taken < room && c != End && c != value(delimiter)) {
    streamsize size = min(ready(from), room - taken);
    if (size > 1) {
      if (auto *found = static_cast<const char *>(
              memchr(from.gptr(), delimiter, size_t(size))))
        size = found - from.gptr();
      take(from.gptr(), size);
      from.__safe_gbump(size);
      taken += size;
      c = from.sgetc();
    } else {
      char one = char(c);
      take(&one, 1);
      ++taken;
      c = from.snextc();
    }
  }
  return c;
}
} // namespace

template <>
istream &istream::getline(char *to, streamsize room, char delimiter) {
  _M_gcount = 0;
  ios_base::iostate bits = ios_base::goodbit;
  sentry entered(*this, true);
  if (entered) {
    Buffer &from = *rdbuf();
    char *at = to;
    int c = takeUntil(from, delimiter, room - 1, _M_gcount,
                      [&at](const char *text, streamsize size) {
                        memcpy(at, text, size_t(size));
                        at += size;
                      });
    if (room > 0)
      *at = 0;
    if (c == End) {
      bits |= ios_base::eofbit;
    } else if (c == value(delimiter)) {
      from.sbumpc();
      ++_M_gcount;
    } else {
      bits |= ios_base::failbit;
    }
  } else if (room > 0) {
    *to = 0;
  }
  if (!_M_gcount)
    bits |= ios_base::failbit;
  if (bits)
    setstate(bits);
  return *this;
}

template <> istream &istream::ignore(streamsize count) {
  if (count == 1)
    return ignore();
  _M_gcount = 0;
  sentry entered(*this, true);
  if (!entered || count <= 0)
    return *this;
  Buffer &from = *rdbuf();
  int c = from.sgetc();
  // The largest count means no limit; the number taken saturates there.
  while (c != End && (_M_gcount < count || count == Most)) {
    streamsize size = ready(from);
    if (count != Most)
      size = min(size, count - _M_gcount);
    if (size > 1) {
      from.__safe_gbump(size);
    } else {
      size = 1;
      from.sbumpc();
    }
    _M_gcount = _M_gcount > Most - size ? Most : _M_gcount + size;
    if (count == Most || _M_gcount < count)
      c = from.sgetc();
  }
  if (c == End)
    setstate(ios_base::eofbit);
  return *this;
}

template <> istream &istream::ignore(streamsize count, int delimiter) {
  if (delimiter == End)
    return ignore(count);
  _M_gcount = 0;
  sentry entered(*this, true);
  if (!entered || count <= 0)
    return *this;
  Buffer &from = *rdbuf();
  int c = End;
  bool stopped = false;
  do {
    streamsize taken = 0;
    streamsize room = count == Most ? Most : count - _M_gcount;
    if (delimiter >= 0 && delimiter <= 255)
      c = takeUntil(from, char(delimiter), room, taken,
                    [](const char *, streamsize) {});
    else // no character equals the delimiter
      for (c = from.sgetc(); taken < room && c != End; c = from.snextc())
        ++taken;
    _M_gcount = _M_gcount > Most - taken ? Most : _M_gcount + taken;
    stopped = c == End || c == delimiter || taken < room || count != Most;
  } while (!stopped);
  if (count != Most && _M_gcount == count)
    return *this;
  if (c == End) {
    setstate(ios_base::eofbit);
  } else if (c == delimiter) {
    if (_M_gcount < Most)
      ++_M_gcount;
    from.sbumpc();
  }
  return *this;
}

/// Reads a word, which ends before white space, at the width, or at \p room.
void __istream_extract(istream &in, char *to, streamsize room) {
  ios_base::iostate bits = ios_base::goodbit;
  streamsize taken = 0;
  istream::sentry entered(in, false);
  if (entered) {
    streamsize width = in.width();
    if (width > 0 && width < room)
      room = width;
    const auto &letters = use_facet<ctype<char>>(in.getloc());
    Buffer &from = *in.rdbuf();
    int c = from.sgetc();
    while (taken < room - 1 && c != End &&
           !letters.is(ctype_base::space, char(c))) {
      to[taken++] = char(c);
      c = from.snextc();
    }
    if (taken < room - 1 && c == End)
      bits |= ios_base::eofbit;
    to[taken] = 0;
    in.width(0);
  }
  if (!taken)
    bits |= ios_base::failbit;
  if (bits)
    in.setstate(bits);
}

template <> istream &operator>>(istream &in, string &to) {
  ios_base::iostate bits = ios_base::goodbit;
  streamsize taken = 0;
  istream::sentry entered(in, false);
  if (entered) {
    to.clear();
    const streamsize width = in.width();
    const streamsize room = width > 0 ? width : streamsize(to.max_size());
    const auto &letters = use_facet<ctype<char>>(in.getloc());
    Buffer &from = *in.rdbuf();
    int c = from.sgetc();
    while (taken < room && c != End &&
           !letters.is(ctype_base::space, char(c))) {
      streamsize size = min(ready(from), room - taken);
      if (size > 1) {
        size = letters.scan_is(ctype_base::space, from.gptr() + 1,
                               from.gptr() + size) -
               from.gptr();
        to.append(from.gptr(), size_t(size));
        from.__safe_gbump(size);
        taken += size;
        c = from.sgetc();
      } else {
        to.push_back(char(c));
        ++taken;
        c = from.snextc();
      }
    }
    if (taken < room && c == End)
      bits |= ios_base::eofbit;
    in.width(0);
  }
  if (!taken)
    bits |= ios_base::failbit;
  if (bits)
    in.setstate(bits);
  return in;
}

template <> istream &getline(istream &in, string &to, char delimiter) {
  ios_base::iostate bits = ios_base::goodbit;
  streamsize taken = 0;
  bool ended = false;
  istream::sentry entered(in, true);
  if (entered) {
    to.clear();
    Buffer &from = *in.rdbuf();
    int c = takeUntil(from, delimiter, streamsize(to.max_size()), taken,
                      [&to](const char *text, streamsize size) {
                        to.append(text, size_t(size));
                      });
    if (c == End) {
      bits |= ios_base::eofbit;
    } else if (c == value(delimiter)) {
      from.sbumpc();
      ended = true;
    } else {
      bits |= ios_base::failbit;
    }
  }
  if (!taken && !ended)
    bits |= ios_base::failbit;
  if (bits)
    in.setstate(bits);
  return in;
}

/// Implements `from >> buffer` and `to << buffer`: copies everything.
template <>
streamsize __copy_streambufs_eof(Buffer *from, Buffer *to, bool &ended) {
  streamsize all = 0;
  ended = true;
  for (int c = from->sgetc(); c != End;) {
    streamsize size = ready(*from);
    if (size > 1) {
      const streamsize put = to->sputn(from->gptr(), size);
      from->__safe_gbump(put);
      all += put;
      if (put < size) {
        ended = false;
        break;
      }
      c = from->underflow();
    } else {
      if (to->sputc(char(c)) == End) {
        ended = false;
        break;
      }
      ++all;
      c = from->snextc();
    }
  }
  return all;
}

} // namespace std
