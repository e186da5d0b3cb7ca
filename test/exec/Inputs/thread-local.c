/* Variables of a thread's own in C
 *
 * Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

_Thread_local int of_c[3] = {1, 2, 3};
static __thread int calls;

int next_of_c(void) { return of_c[calls++ % 3]; }
