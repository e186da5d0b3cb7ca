// The C locale's facets for money and for messages
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "streams.h"

#include <cstring>

using namespace xcc::streams;

namespace std {

const char *money_base::_S_atoms = MoneyAtoms;
const money_base::pattern money_base::_S_default_pattern = {
    {MoneyPattern[0], MoneyPattern[1], MoneyPattern[2], MoneyPattern[3]}};

namespace {
template <class Cache> Cache *moneyOf(Cache *data) {
  if (!data)
    data = new Cache;
  data->_M_grouping = "";
  data->_M_decimal_point = '.';
  data->_M_thousands_sep = ',';
  data->_M_curr_symbol = data->_M_positive_sign = data->_M_negative_sign = "";
  data->_M_pos_format = data->_M_neg_format = money_base::_S_default_pattern;
  memcpy(data->_M_atoms, MoneyAtoms, sizeof data->_M_atoms);
  return data;
}
} // namespace

template <>
void moneypunct<char, false>::_M_initialize_moneypunct(__c_locale,
                                                       const char *) {
  _M_data = moneyOf(_M_data);
}
template <>
void moneypunct<char, true>::_M_initialize_moneypunct(__c_locale,
                                                      const char *) {
  _M_data = moneyOf(_M_data);
}
template <> moneypunct<char, false>::~moneypunct() { delete _M_data; }
template <> moneypunct<char, true>::~moneypunct() { delete _M_data; }

// There is one catalog, and it is empty: each message is the program's default.
template <>
messages<char>::catalog messages<char>::do_open(const string &,
                                                const locale &) const {
  return 0;
}
template <> void messages<char>::do_close(catalog) const {}
template <>
string messages<char>::do_get(catalog, int, int, const string &own) const {
  return own;
}

} // namespace std

/// <libintl.h>, by which std::messages names its catalogs.
extern "C" char *textdomain(const char *name) noexcept {
  return const_cast<char *>(name);
}
extern "C" char *bindtextdomain(const char *, const char *folder) noexcept {
  return const_cast<char *>(folder);
}
