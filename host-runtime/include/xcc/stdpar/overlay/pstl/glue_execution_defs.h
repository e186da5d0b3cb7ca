// The execution policies, in place of libstdc++'s header, with -foffload-stdpar
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policies are libstdc++'s own. Its algorithms, which need TBB, are left
// out, and xcc's overloads come in their place.

#ifndef XCC_STDPAR_GLUE_EXECUTION_DEFS_H
#define XCC_STDPAR_GLUE_EXECUTION_DEFS_H

#include <pstl/execution_defs.h>

namespace std {
using __pstl::execution::is_execution_policy;
using __pstl::execution::is_execution_policy_v;
namespace execution {
using __pstl::execution::par;
using __pstl::execution::par_unseq;
using __pstl::execution::parallel_policy;
using __pstl::execution::parallel_unsequenced_policy;
using __pstl::execution::seq;
using __pstl::execution::sequenced_policy;
using __pstl::execution::unseq;
using __pstl::execution::unsequenced_policy;
} // namespace execution
} // namespace std

#include <xcc/stdpar/functions.h>

// Needs what its user has included.
#include <pstl/utils.h>

#endif // XCC_STDPAR_GLUE_EXECUTION_DEFS_H
