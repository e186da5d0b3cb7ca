// std::locale on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C locale, which is the only one there, with the facets that libraries ask
// for when they format and read numbers and compare text: ctype<char> and
// numpunct<char>. Another facet ends the launch with an error that says so.
//
// libstdc++'s headers have use_facet and much of the facets inline, so all is
// laid out as there (bits/locale_classes.h, bits/locale_facets.h).
//
// Compiled without any header: the GPU triples have no C++ library.

using size_t = decltype(sizeof 0);

extern "C" {
[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
void *memcpy(void *to, const void *from, size_t size);
int toupper(int c);
int tolower(int c);
}
void operator delete(void *, size_t) noexcept;

/// See libc_ctype.cpp; from -128.
namespace xcc::ctype {
extern const unsigned short Kinds[384];
extern const int Uppers[384], Lowers[384];
} // namespace xcc::ctype

namespace std {

template <class> struct char_traits;
template <class> class allocator;
inline namespace __cxx11 {
/// What facets return of texts: short ones, which are in the object.
template <class C, class T, class A> class basic_string {
  C *data;
  size_t size;
  C own[16 / sizeof(C)];

public:
  basic_string(const C *text) : data(own), size(strlen(text)) {
    memcpy(own, text, size + 1);
  }
  basic_string(const basic_string &) = delete;
  ~basic_string() {}
};
} // namespace __cxx11
using string = basic_string<char, char_traits<char>, allocator<char>>;

class locale {
public:
  struct facet {
    int references = 1;
    constexpr facet() = default;
    constexpr virtual ~facet();
  };
  struct id {
    size_t index = 0;
    size_t _M_id() const noexcept;
  };
  struct _Impl {
    int references;
    const facet *const *facets;
    size_t count;
    const facet **caches;
    const char *const *names;
  };

  constexpr explicit locale(const _Impl *impl) : impl(impl) {}
  locale() noexcept;
  locale(const locale &) noexcept;
  explicit locale(const char *name);
  ~locale() noexcept;
  const locale &operator=(const locale &) noexcept;
  bool operator==(const locale &) const noexcept;
  static const locale &classic();
  static locale global(const locale &);
  string name() const;

private:
  const _Impl *impl;
};

constexpr locale::facet::~facet() {}

template <class C> struct ctype;
/// libstdc++'s has an empty base, ctype_base, more.
template <> struct ctype<char> : locale::facet {
  void *cLocale = nullptr;
  bool owned = false;
  const int *uppers = xcc::ctype::Uppers + 128,
            *lowers = xcc::ctype::Lowers + 128;
  const unsigned short *kinds = xcc::ctype::Kinds + 128;
  mutable char widenOk = 1;
  mutable char wide[256];
  mutable char narrow[256];
  mutable char narrowOk = 1;

  static locale::id id;
  constexpr ctype();
  ~ctype() override;
  void _M_widen_init() const;
  void _M_narrow_init() const;

  virtual char do_toupper(char c) const;
  virtual const char *do_toupper(char *from, const char *to) const;
  virtual char do_tolower(char c) const;
  virtual const char *do_tolower(char *from, const char *to) const;
  virtual char do_widen(char c) const;
  virtual const char *do_widen(const char *from, const char *to,
                               char *out) const;
  virtual char do_narrow(char c, char otherwise) const;
  virtual const char *do_narrow(const char *from, const char *to,
                                char otherwise, char *out) const;
};

constexpr ctype<char>::ctype() : wide(), narrow() {
  for (int i = 0; i < 256; ++i)
    wide[i] = narrow[i] = static_cast<char>(i);
}
ctype<char>::~ctype() = default;
void ctype<char>::_M_widen_init() const {}
void ctype<char>::_M_narrow_init() const {}
char ctype<char>::do_toupper(char c) const {
  return static_cast<char>(toupper(static_cast<unsigned char>(c)));
}
const char *ctype<char>::do_toupper(char *from, const char *to) const {
  for (; from < to; ++from)
    *from = do_toupper(*from);
  return to;
}
char ctype<char>::do_tolower(char c) const {
  return static_cast<char>(tolower(static_cast<unsigned char>(c)));
}
const char *ctype<char>::do_tolower(char *from, const char *to) const {
  for (; from < to; ++from)
    *from = do_tolower(*from);
  return to;
}
char ctype<char>::do_widen(char c) const { return c; }
const char *ctype<char>::do_widen(const char *from, const char *to,
                                  char *out) const {
  memcpy(out, from, static_cast<size_t>(to - from));
  return to;
}
char ctype<char>::do_narrow(char c, char) const { return c; }
const char *ctype<char>::do_narrow(const char *from, const char *to, char,
                                   char *out) const {
  memcpy(out, from, static_cast<size_t>(to - from));
  return to;
}

template <class C> struct __numpunct_cache : locale::facet {
  const char *grouping = "";
  size_t groupingSize = 0;
  bool useGrouping = false;
  const C *truename = "true";
  size_t truenameSize = 4;
  const C *falsename = "false";
  size_t falsenameSize = 5;
  C decimalPoint = '.', thousandsSep = ',';
  C atomsOut[36], atomsIn[26];
  bool allocated = false;
  constexpr __numpunct_cache() : atomsOut(), atomsIn() {
    for (int i = 0; i < 36; ++i)
      atomsOut[i] = "-+xX0123456789abcdef0123456789ABCDEF"[i];
    for (int i = 0; i < 26; ++i)
      atomsIn[i] = "-+xX0123456789abcdefABCDEF"[i];
  }
  ~__numpunct_cache() override;
};
template <class C> __numpunct_cache<C>::~__numpunct_cache() = default;
template struct __numpunct_cache<char>;

inline namespace __cxx11 {
template <class C> struct numpunct : locale::facet {
  const __numpunct_cache<C> *data;

  constexpr explicit numpunct(const __numpunct_cache<C> *data) : data(data) {}
  ~numpunct() override;
  virtual C do_decimal_point() const { return '.'; }
  virtual C do_thousands_sep() const { return ','; }
  virtual string do_grouping() const { return ""; }
  virtual string do_truename() const { return "true"; }
  virtual string do_falsename() const { return "false"; }
};
template <class C> numpunct<C>::~numpunct() = default;
template struct numpunct<char>;
} // namespace __cxx11
locale::id ctype<char>::id;
/// A program's own takes its place, which the headers define too.
[[gnu::weak]] extern locale::id
    numpunctId __asm__("_ZNSt7__cxx118numpunctIcE2idE");
[[gnu::weak]] locale::id numpunctId;

namespace {
/// An object that is there from the start, and that nobody destroys.
template <class T> union Kept {
  T object;
  template <class... A> constexpr Kept(A... args) : object(args...) {}
  constexpr ~Kept() {}
};
enum Facet : size_t { Ctype, Numpunct, Facets };

constinit Kept<ctype<char>> letters;
constinit Kept<__numpunct_cache<char>> cache;
constinit Kept<numpunct<char>> numbers(&cache.object);
const locale::facet *const AllFacets[Facets] = {&letters.object,
                                                &numbers.object};
const locale::facet *caches[Facets] = {};
const char *const Names[] = {"C", nullptr};
constexpr locale::_Impl Classic = {1, AllFacets, Facets, caches, Names};
constinit Kept<locale> classicLocale(&Classic);
} // namespace

size_t locale::id::_M_id() const noexcept {
  if (this == &ctype<char>::id)
    return Ctype;
  if (this == &numpunctId)
    return Numpunct;
  __xcc_trap(0,
             "this device's std::locale has the facets ctype<char> and "
             "numpunct<char> alone",
             nullptr, 0);
}

locale::locale() noexcept : impl(&Classic) {}
locale::locale(const locale &other) noexcept : impl(other.impl) {}
locale::locale(const char *name) : impl(&Classic) {
  if (*name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
    __xcc_trap(0, "this device's only std::locale is \"C\"", nullptr, 0);
}
locale::~locale() noexcept {}
const locale &locale::operator=(const locale &other) noexcept {
  impl = other.impl;
  return *this;
}
bool locale::operator==(const locale &) const noexcept { return true; }
const locale &locale::classic() { return classicLocale.object; }
locale locale::global(const locale &other) { return other; }
string locale::name() const { return "C"; }

} // namespace std
