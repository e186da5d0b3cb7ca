// Multibyte characters and locales, for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only locale is "C": a character is one byte, and only ASCII is valid.
// setlocale rejects other locales, as on a host without them.

using size_t = decltype(sizeof 0);

extern "C" {
int *__errno_location() noexcept;
char *getenv(const char *name);
int strcmp(const char *a, const char *b);
int isalnum(int), isalpha(int), isblank(int), iscntrl(int), isdigit(int),
    isgraph(int), islower(int), isprint(int), ispunct(int), isspace(int),
    isupper(int), isxdigit(int);
unsigned towlower(unsigned), towupper(unsigned);
}

namespace {
constexpr size_t Illegal = ~size_t(0), Incomplete = ~size_t(1);

size_t illegal() {
  *__errno_location() = 84; // EILSEQ, as on the host
  return Illegal;
}
bool isAscii(unsigned c) { return c < 128; }

/// Converts a text to the other kind of character. Moves `from` to where it
/// stopped, or sets it to null at the end of the text.
template <class To, class From>
size_t convert(To *to, const From **from, size_t limit, size_t room) {
  const From *at = *from;
  for (size_t n = 0;; ++n, ++at) {
    if ((to && n == room) || n == limit) {
      if (to)
        *from = at;
      return n;
    }
    if (!isAscii(unsigned(*at))) {
      if (to)
        *from = at;
      return illegal();
    }
    if (to)
      to[n] = To(*at);
    if (!*at) {
      if (to)
        *from = nullptr;
      return n;
    }
  }
}

struct NamedClass {
  const char *name;
  int (*is)(int);
};
constexpr NamedClass Classes[] = {
    {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank},
    {"cntrl", iscntrl}, {"digit", isdigit}, {"graph", isgraph},
    {"lower", islower}, {"print", isprint}, {"punct", ispunct},
    {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit}};

bool isC(const char *name) {
  return !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
}

/// The environment's value for a category, in the order of POSIX.
const char *wanted(int category) {
  static const char *const names[] = {
      "LC_CTYPE",         "LC_NUMERIC",  "LC_TIME",      "LC_COLLATE",
      "LC_MONETARY",      "LC_MESSAGES", "LC_ALL",       "LC_PAPER",
      "LC_NAME",          "LC_ADDRESS",  "LC_TELEPHONE", "LC_MEASUREMENT",
      "LC_IDENTIFICATION"};
  const char *const inOrder[] = {"LC_ALL", names[category], "LANG"};
  for (const char *name : inOrder)
    if (const char *value = getenv(name); value && *value)
      return value;
  return "C";
}
constexpr int AllCategories = 6, Categories = 13;
} // namespace

extern "C" {
unsigned btowc(int c) { return c >= 0 && c < 128 ? unsigned(c) : ~0u; }
int wctob(unsigned c) { return isAscii(c) ? int(c) : -1; }
int mbsinit(const void *) { return 1; }

size_t mbrtowc(wchar_t *to, const char *from, size_t n, void *) {
  if (!from)
    return 0;
  if (!n)
    return Incomplete;
  unsigned char c = (unsigned char)*from;
  if (!isAscii(c))
    return illegal();
  if (to)
    *to = c;
  return c != 0;
}
size_t mbrlen(const char *from, size_t n, void *state) {
  return mbrtowc(nullptr, from, n, state);
}
size_t wcrtomb(char *to, wchar_t c, void *) {
  if (!to)
    return 1;
  if (!isAscii(unsigned(c)))
    return illegal();
  *to = char(c);
  return 1;
}
int mbtowc(wchar_t *to, const char *from, size_t n) {
  size_t size = mbrtowc(to, from, n, nullptr);
  return size > n ? -1 : int(size);
}
int mblen(const char *from, size_t n) { return mbtowc(nullptr, from, n); }
int wctomb(char *to, wchar_t c) {
  return to ? int(wcrtomb(to, c, nullptr)) : 0;
}
size_t mbsnrtowcs(wchar_t *to, const char **from, size_t limit, size_t room,
                  void *) {
  return convert(to, (const unsigned char **)from, limit, room);
}
size_t wcsnrtombs(char *to, const wchar_t **from, size_t limit, size_t room,
                  void *) {
  return convert(to, from, limit, room);
}
size_t mbsrtowcs(wchar_t *to, const char **from, size_t room, void *state) {
  return mbsnrtowcs(to, from, Illegal, room, state);
}
size_t wcsrtombs(char *to, const wchar_t **from, size_t room, void *state) {
  return wcsnrtombs(to, from, Illegal, room, state);
}
size_t mbstowcs(wchar_t *to, const char *from, size_t room) {
  return mbsrtowcs(to, &from, room, nullptr);
}
size_t wcstombs(char *to, const wchar_t *from, size_t room) {
  return wcsrtombs(to, &from, room, nullptr);
}

int wcwidth(wchar_t c) {
  return c == 0 ? 0 : isAscii(unsigned(c)) && isprint(c) ? 1 : -1;
}
int wcswidth(const wchar_t *text, size_t n) {
  int width = 0;
  for (; n && *text; --n, ++text) {
    if (wcwidth(*text) < 0)
      return -1;
    ++width;
  }
  return width;
}
/// The number of a class is its index in the table plus one.
unsigned long wctype(const char *name) {
  unsigned long number = 0;
  for (const NamedClass &known : Classes) {
    ++number;
    if (strcmp(name, known.name) == 0)
      return number;
  }
  return 0;
}
int iswctype(unsigned c, unsigned long number) {
  return number && isAscii(c) ? Classes[number - 1].is(int(c)) : 0;
}
const int *wctrans(const char *name) {
  static const int lower = 0, upper = 1;
  return strcmp(name, "tolower") == 0   ? &lower
         : strcmp(name, "toupper") == 0 ? &upper
                                        : nullptr;
}
unsigned towctrans(unsigned c, const int *which) {
  return !which ? c : *which ? towupper(c) : towlower(c);
}

char *setlocale(int category, const char *name) {
  static char c[] = "C";
  if (category < 0 || category >= Categories)
    return nullptr;
  if (!name)
    return c;
  if (*name)
    return isC(name) ? c : nullptr;
  if (category != AllCategories)
    return isC(wanted(category)) ? c : nullptr;
  for (int i = 0; i != Categories; ++i)
    if (i != AllCategories && !isC(wanted(i)))
      return nullptr;
  return c;
}
}
