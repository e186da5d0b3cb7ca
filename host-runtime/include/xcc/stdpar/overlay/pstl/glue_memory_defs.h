// In place of libstdc++'s header of this name, with -foffload-stdpar
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Empty: xcc/stdpar/functions.h has the overloads that this would declare.
