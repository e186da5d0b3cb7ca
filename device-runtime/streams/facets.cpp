// The C locale's facets of char
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "streams.h"

#include <cstring>
#include <ios>

using namespace xcc::streams;

/// See gpu/libc_ctype.cpp. The tables begin at character -128.
namespace xcc::ctype {
extern const unsigned short Kinds[384];
extern const int Uppers[384], Lowers[384];
} // namespace xcc::ctype

namespace std {

ctype<char>::ctype(__c_locale, const mask *table, bool del, size_t refs)
    : facet(refs), _M_c_locale_ctype(nullptr), _M_del(table && del),
      _M_toupper(xcc::ctype::Uppers + 128),
      _M_tolower(xcc::ctype::Lowers + 128),
      _M_table(table ? table : xcc::ctype::Kinds + 128), _M_widen_ok(0),
      _M_widen(), _M_narrow(), _M_narrow_ok(0) {}
ctype<char>::ctype(const mask *table, bool del, size_t refs)
    : ctype(__c_locale(), table, del, refs) {}
ctype<char>::~ctype() {
  if (_M_del)
    delete[] _M_table;
}
const ctype<char>::mask *ctype<char>::classic_table() throw() {
  return xcc::ctype::Kinds + 128;
}
/// Fills the table of all characters with the results of do_widen, which a
/// derived class may override. _M_widen_ok is 1 if all are unchanged, else 2.
void ctype<char>::_M_widen_init() const {
  char all[sizeof _M_widen];
  for (size_t i = 0; i < sizeof all; ++i)
    all[i] = char(i);
  do_widen(all, all + sizeof all, _M_widen);
  _M_widen_ok = memcmp(all, _M_widen, sizeof all) ? 2 : 1;
}
void ctype<char>::_M_narrow_init() const {
  char all[sizeof _M_narrow];
  for (size_t i = 0; i < sizeof all; ++i)
    all[i] = char(i);
  do_narrow(all, all + sizeof all, 0, _M_narrow);
  // A zero in the table means that do_narrow must be called.
  char first;
  do_narrow(all, all + 1, 1, &first);
  _M_narrow_ok = memcmp(all, _M_narrow, sizeof all) || first == 1 ? 2 : 1;
}
char ctype<char>::do_toupper(char c) const {
  return char(_M_toupper[static_cast<unsigned char>(c)]);
}
const char *ctype<char>::do_toupper(char *from, const char *to) const {
  for (; from < to; ++from)
    *from = char(_M_toupper[static_cast<unsigned char>(*from)]);
  return to;
}
char ctype<char>::do_tolower(char c) const {
  return char(_M_tolower[static_cast<unsigned char>(c)]);
}
const char *ctype<char>::do_tolower(char *from, const char *to) const {
  for (; from < to; ++from)
    *from = char(_M_tolower[static_cast<unsigned char>(*from)]);
  return to;
}

codecvt<char, char, mbstate_t>::codecvt(size_t refs)
    : __codecvt_abstract_base<char, char, mbstate_t>(refs),
      _M_c_locale_codecvt(nullptr) {}
codecvt<char, char, mbstate_t>::codecvt(__c_locale, size_t refs)
    : codecvt(refs) {}
codecvt<char, char, mbstate_t>::~codecvt() {}
codecvt_base::result
codecvt<char, char, mbstate_t>::do_out(mbstate_t &, const char *from,
                                       const char *, const char *&fromNext,
                                       char *to, char *, char *&toNext) const {
  fromNext = from;
  toNext = to;
  return noconv;
}
codecvt_base::result
codecvt<char, char, mbstate_t>::do_unshift(mbstate_t &, char *to, char *,
                                           char *&toNext) const {
  toNext = to;
  return noconv;
}
codecvt_base::result
codecvt<char, char, mbstate_t>::do_in(mbstate_t &, const char *from,
                                      const char *, const char *&fromNext,
                                      char *to, char *, char *&toNext) const {
  fromNext = from;
  toNext = to;
  return noconv;
}
int codecvt<char, char, mbstate_t>::do_encoding() const throw() { return 1; }
bool codecvt<char, char, mbstate_t>::do_always_noconv() const throw() {
  return true;
}
int codecvt<char, char, mbstate_t>::do_length(mbstate_t &, const char *from,
                                              const char *end,
                                              size_t most) const {
  return int(min(most, size_t(end - from)));
}
int codecvt<char, char, mbstate_t>::do_max_length() const throw() { return 1; }

template <> void numpunct<char>::_M_initialize_numpunct(__c_locale) {
  if (!_M_data)
    _M_data = new __numpunct_cache<char>;
  _M_data->_M_grouping = "";
  _M_data->_M_grouping_size = 0;
  _M_data->_M_use_grouping = false;
  _M_data->_M_truename = "true";
  _M_data->_M_truename_size = 4;
  _M_data->_M_falsename = "false";
  _M_data->_M_falsename_size = 5;
  _M_data->_M_decimal_point = '.';
  _M_data->_M_thousands_sep = ',';
  memcpy(_M_data->_M_atoms_out, AtomsOut, sizeof _M_data->_M_atoms_out);
  memcpy(_M_data->_M_atoms_in, AtomsIn, sizeof _M_data->_M_atoms_in);
}
template <> numpunct<char>::~numpunct() { delete _M_data; }

const char *__num_base::_S_atoms_out = AtomsOut;
const char *__num_base::_S_atoms_in = AtomsIn;

template <>
int collate<char>::_M_compare(const char *a, const char *b) const throw() {
  int order = strcmp(a, b);
  return (order > 0) - (order < 0);
}
template <>
size_t collate<char>::_M_transform(char *to, const char *from,
                                   size_t room) const throw() {
  size_t size = strlen(from);
  if (room) {
    size_t most = min(size, room - 1);
    memcpy(to, from, most);
    to[most] = 0;
  }
  return size;
}

namespace {
/// The C locale's facet, without a search.
template <class F> const F *facetOf() {
  const auto *known = reinterpret_cast<const KnownFacet *>(F::id._M_index);
  return static_cast<const F *>(known->facet);
}
} // namespace

/// Streams cache the facets that they use most.
template <> void basic_ios<char>::_M_cache_locale(const locale &all) {
  if (all._M_impl == locale::_S_classic) {
    _M_ctype = facetOf<__ctype_type>();
    _M_num_put = facetOf<__num_put_type>();
    _M_num_get = facetOf<__num_get_type>();
    return;
  }
  _M_ctype =
      has_facet<__ctype_type>(all) ? &use_facet<__ctype_type>(all) : nullptr;
  _M_num_put = has_facet<__num_put_type>(all) ? &use_facet<__num_put_type>(all)
                                              : nullptr;
  _M_num_get = has_facet<__num_get_type>(all) ? &use_facet<__num_get_type>(all)
                                              : nullptr;
}

} // namespace std
