// <ctype.h> for GPUs, and what compares text without regard to case
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the C locale, which is the one that GPUs have: bytes above 127 are of no
// kind. Functions and glibc's tables, which its header's macros and libstdc++
// look into; -1 (EOF) to 255 are told apart.

using size_t = decltype(sizeof 0);

extern "C" {
void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t size);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
int strcmp(const char *a, const char *b);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
}

namespace {

/// glibc's bits (_ISupper and its like) on a little-endian machine.
enum Kind : unsigned short {
  Upper = 0x100,
  Lower = 0x200,
  Alpha = 0x400,
  Digit = 0x800,
  HexDigit = 0x1000,
  Space = 0x2000,
  Print = 0x4000,
  Graph = 0x8000,
  Blank = 0x1,
  Control = 0x2,
  Punct = 0x4,
  Alnum = 0x8
};

constexpr bool in(int c, int from, int to) { return c >= from && c <= to; }

constexpr unsigned short kindsOf(int c) {
  unsigned kinds = 0;
  if (in(c, 'A', 'Z'))
    kinds |= Upper | Alpha | Alnum;
  if (in(c, 'a', 'z'))
    kinds |= Lower | Alpha | Alnum;
  if (in(c, '0', '9'))
    kinds |= Digit | Alnum;
  if (in(c, '0', '9') || in(c, 'A', 'F') || in(c, 'a', 'f'))
    kinds |= HexDigit;
  if (c == ' ' || in(c, '\t', '\r'))
    kinds |= Space;
  if (c == ' ' || c == '\t')
    kinds |= Blank;
  if (in(c, ' ', '~'))
    kinds |= Print;
  if (in(c, '!', '~'))
    kinds |= Graph | (kinds & Alnum ? 0 : Punct);
  if (in(c, 0, 31) || c == 127)
    kinds |= Control;
  return static_cast<unsigned short>(kinds);
}

constexpr int upper(int c) { return in(c, 'a', 'z') ? c - 32 : c; }
constexpr int lower(int c) { return in(c, 'A', 'Z') ? c + 32 : c; }

// As characters, but for EOF: tolower(-2) is tolower(254).
constexpr int byteOf(int c) { return c < -1 ? c + 256 : c; }

#define XCC_FOUR(f, c) f(c), f(c + 1), f(c + 2), f(c + 3)
#define XCC_SIXTEEN(f, c)                                                      \
  XCC_FOUR(f, c), XCC_FOUR(f, c + 4), XCC_FOUR(f, c + 8), XCC_FOUR(f, c + 12)
#define XCC_SIXTY_FOUR(f, c)                                                   \
  XCC_SIXTEEN(f, c), XCC_SIXTEEN(f, c + 16), XCC_SIXTEEN(f, c + 32),           \
      XCC_SIXTEEN(f, c + 48)
/// One value for each of -128 to 255.
#define XCC_TABLE(f)                                                           \
  {XCC_SIXTY_FOUR(f, -128), XCC_SIXTY_FOUR(f, -64), XCC_SIXTY_FOUR(f, 0),      \
   XCC_SIXTY_FOUR(f, 64),   XCC_SIXTY_FOUR(f, 128), XCC_SIXTY_FOUR(f, 192)}
constexpr int upperAt(int c) { return upper(byteOf(c)); }
constexpr int lowerAt(int c) { return lower(byteOf(c)); }

} // namespace

namespace xcc::ctype {
extern const unsigned short Kinds[384];
extern const int Uppers[384], Lowers[384];
const unsigned short Kinds[384] = XCC_TABLE(kindsOf);
const int Uppers[384] = XCC_TABLE(upperAt);
const int Lowers[384] = XCC_TABLE(lowerAt);
} // namespace xcc::ctype

static const unsigned short *kinds = xcc::ctype::Kinds + 128;
static const int *uppers = xcc::ctype::Uppers + 128;
static const int *lowers = xcc::ctype::Lowers + 128;

extern "C" {

const unsigned short **__ctype_b_loc() { return &kinds; }
const int **__ctype_toupper_loc() { return &uppers; }
const int **__ctype_tolower_loc() { return &lowers; }

#define XCC_IS(name, kind)                                                     \
  int name(int c) { return kindsOf(c) & (kind); }
XCC_IS(isalnum, Alnum)
XCC_IS(isalpha, Alpha)
XCC_IS(isblank, Blank)
XCC_IS(iscntrl, Control)
XCC_IS(isdigit, Digit)
XCC_IS(isgraph, Graph)
XCC_IS(islower, Lower)
XCC_IS(isprint, Print)
XCC_IS(ispunct, Punct)
XCC_IS(isspace, Space)
XCC_IS(isupper, Upper)
XCC_IS(isxdigit, HexDigit)
int isascii(int c) { return in(c, 0, 127); }
int toascii(int c) { return c & 127; }
int toupper(int c) { return upper(c); }
int tolower(int c) { return lower(c); }

int strncasecmp(const char *a, const char *b, size_t n) {
  for (; n; --n, ++a, ++b) {
    int x = lower(static_cast<unsigned char>(*a));
    int y = lower(static_cast<unsigned char>(*b));
    if (x != y || !x)
      return x - y;
  }
  return 0;
}
int strcasecmp(const char *a, const char *b) {
  return strncasecmp(a, b, ~size_t(0));
}
char *strcasestr(const char *text, const char *part) {
  for (size_t n = strlen(part);; ++text) {
    if (strncasecmp(text, part, n) == 0)
      return const_cast<char *>(text);
    if (!*text)
      return nullptr;
  }
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }
size_t strxfrm(char *__restrict to, const char *__restrict from, size_t n) {
  size_t length = strlen(from);
  if (n > length)
    memcpy(to, from, length + 1);
  return length;
}

char *strtok_r(char *__restrict text, const char *__restrict set,
               char **__restrict rest) {
  if (!text)
    text = *rest;
  text += strspn(text, set);
  char *end = text + strcspn(text, set);
  *rest = end + (*end != 0);
  if (end == text)
    return nullptr;
  *end = 0;
  return text;
}
char *strsep(char **rest, const char *set) {
  char *text = *rest;
  if (!text)
    return nullptr;
  char *end = text + strcspn(text, set);
  *rest = *end ? end + 1 : nullptr;
  *end = 0;
  return text;
}

char *strndup(const char *text, size_t limit) {
  size_t length = strnlen(text, limit);
  char *copy = static_cast<char *>(malloc(length + 1));
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return copy;
}
char *strdup(const char *text) { return strndup(text, ~size_t(0)); }

long strtoimax(const char *text, char **end, int base) {
  return strtol(text, end, base);
}
unsigned long strtoumax(const char *text, char **end, int base) {
  return strtoul(text, end, base);
}
}
