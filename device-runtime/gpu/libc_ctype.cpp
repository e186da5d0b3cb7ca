// <ctype.h> and <wctype.h> for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C locale, which is the only one on GPUs: bytes above 127 belong to no
// class. Defines the functions, and the tables of glibc that its macros and
// libstdc++ read. Valid arguments are -1 (EOF) to 255.

using size_t = decltype(sizeof 0);

namespace {

/// glibc's bits (_ISupper and others) on a little-endian machine.
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

// Negative arguments are characters, except EOF: tolower(-2) is tolower(254).
constexpr int byteOf(int c) { return c < -1 ? c + 256 : c; }

#define XCC_FOUR(f, c) f(c), f(c + 1), f(c + 2), f(c + 3)
#define XCC_SIXTEEN(f, c)                                                      \
  XCC_FOUR(f, c), XCC_FOUR(f, c + 4), XCC_FOUR(f, c + 8), XCC_FOUR(f, c + 12)
#define XCC_SIXTY_FOUR(f, c)                                                   \
  XCC_SIXTEEN(f, c), XCC_SIXTEEN(f, c + 16), XCC_SIXTEEN(f, c + 32),           \
      XCC_SIXTEEN(f, c + 48)
/// One value for each number from -128 to 255.
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
int toupper(int c) { return in(c, -128, 255) ? upperAt(c) : c; }
int tolower(int c) { return in(c, -128, 255) ? lowerAt(c) : c; }

// Wide characters. Those above 127 belong to no class.
#define XCC_ISW(name, kind)                                                    \
  int name(unsigned c) { return c < 128 ? kindsOf(int(c)) & (kind) : 0; }
XCC_ISW(iswalnum, Alnum)
XCC_ISW(iswalpha, Alpha)
XCC_ISW(iswblank, Blank)
XCC_ISW(iswcntrl, Control)
XCC_ISW(iswdigit, Digit)
XCC_ISW(iswgraph, Graph)
XCC_ISW(iswlower, Lower)
XCC_ISW(iswprint, Print)
XCC_ISW(iswpunct, Punct)
XCC_ISW(iswspace, Space)
XCC_ISW(iswupper, Upper)
XCC_ISW(iswxdigit, HexDigit)
unsigned towupper(unsigned c) { return c < 128 ? unsigned(upper(int(c))) : c; }
unsigned towlower(unsigned c) { return c < 128 ? unsigned(lower(int(c))) : c; }

size_t __ctype_get_mb_cur_max() { return 1; }
}
