// What most test programs include
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled once for each level and standard, for the host and all devices. Not
// <iostream>, which has an initialiser.

#ifndef XCC_TEST_FORMATS_HEADERS_H
#define XCC_TEST_FORMATS_HEADERS_H

#include <xcc/xcc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

#endif // XCC_TEST_FORMATS_HEADERS_H
