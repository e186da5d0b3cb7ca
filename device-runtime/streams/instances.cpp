// Virtual tables of what constants.cpp has objects of
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "streams.h"

#include <ext/stdio_sync_filebuf.h>
#include <istream>
#include <ostream>

template struct std::__numpunct_cache<char>;
template class std::numpunct<char>;
template class std::num_get<char>;
template class std::num_put<char>;
template class std::collate<char>;
template class std::basic_istream<char>;
template class std::basic_ostream<char>;
template class __gnu_cxx::stdio_sync_filebuf<char>;
