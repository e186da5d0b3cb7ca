// Instantiated templates of streams
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libstdc++'s headers declare these "extern template", because its library
// contains them. A program's own instantiations are replaced by these
// (dropHostsBodies in backend/link/DeviceLibraries.cpp), which are compiled for
// size.

#include "streams.h"

#include <ext/stdio_sync_filebuf.h>
#include <fstream>
#include <istream>
#include <ostream>
#include <sstream>

namespace std {

template class basic_ios<char>;
template class basic_streambuf<char>;
template class basic_istream<char>;
template class basic_ostream<char>;
template class basic_iostream<char>;
template class basic_filebuf<char>;
template class basic_ifstream<char>;
template class basic_ofstream<char>;
template class basic_fstream<char>;
template class basic_stringbuf<char>;
template class basic_istringstream<char>;
template class basic_ostringstream<char>;
template class basic_stringstream<char>;

template struct __numpunct_cache<char>;
template class numpunct<char>;
template class num_get<char>;
template class num_put<char>;
template class collate<char>;
template struct __timepunct_cache<char>;
template class __timepunct<char>;
template class time_put<char>;
template class time_get<char>;
template struct __moneypunct_cache<char, false>;
template struct __moneypunct_cache<char, true>;
template class moneypunct<char, false>;
template class moneypunct<char, true>;
template class money_put<char>;
template class money_get<char>;
template class messages<char>;

#define XCC_PUT(type)                                                          \
  template num_put<char>::iter_type num_put<char>::_M_insert_int(              \
      iter_type, ios_base &, char, type) const;
XCC_PUT(long)
XCC_PUT(unsigned long)
XCC_PUT(long long)
XCC_PUT(unsigned long long)
#undef XCC_PUT
#define XCC_PUT(type)                                                          \
  template num_put<char>::iter_type num_put<char>::_M_insert_float(            \
      iter_type, ios_base &, char, char, type) const;
XCC_PUT(double)
XCC_PUT(long double)
#define XCC_GET(type)                                                          \
  template num_get<char>::iter_type num_get<char>::_M_extract_int(             \
      iter_type, iter_type, ios_base &, ios_base::iostate &, type &) const;
XCC_GET(long)
XCC_GET(unsigned short)
XCC_GET(unsigned)
XCC_GET(unsigned long)
XCC_GET(long long)
XCC_GET(unsigned long long)

#define XCC_INSERT(type) template ostream &ostream::_M_insert(type);
XCC_INSERT(long)
XCC_INSERT(unsigned long)
XCC_INSERT(bool)
XCC_INSERT(long long)
XCC_INSERT(unsigned long long)
XCC_INSERT(double)
XCC_INSERT(long double)
XCC_INSERT(const void *)
#define XCC_EXTRACT(type) template istream &istream::_M_extract(type &);
XCC_EXTRACT(unsigned short)
XCC_EXTRACT(unsigned)
XCC_EXTRACT(long)
XCC_EXTRACT(unsigned long)
XCC_EXTRACT(bool)
XCC_EXTRACT(long long)
XCC_EXTRACT(unsigned long long)
XCC_EXTRACT(float)
XCC_EXTRACT(double)
XCC_EXTRACT(long double)
XCC_EXTRACT(void *)

template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, const string &);
template ostream &__ostream_insert(ostream &, const char *, streamsize);
template istream &ws(istream &);
template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, signed char &);

} // namespace std

template class __gnu_cxx::stdio_sync_filebuf<char>;
