// Mapping, of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/launch.h"

using namespace xcc::rt;

int xcc_mapping_range(xcc_mapping *m, const void *begin, uint64_t bytes,
                      uint64_t reach, uint32_t flags) {
  return m && m->addRange(begin, bytes, reach, flags);
}

void xcc_mapping_address(xcc_mapping *m, const void *location, uint32_t kind) {
  if (m)
    m->addAddress(location, kind);
}

void xcc_mapping_enter(xcc_mapping *m, const char *name, uint64_t index) {
  if (m)
    m->enter(name, index);
}

void xcc_mapping_leave(xcc_mapping *m) {
  if (m)
    m->leave();
}

void xcc_mapping_refuse(xcc_mapping *m, const char *why) {
  if (m)
    m->refuse(why);
}

xcc_status xcc_mapping_launch(xcc_mapping *m) {
  if (!m || !m->kernel)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_mapping_launch: the mapping is not a launch's");
  xcc_status status = launchMapped(m);
  delete m;
  return status;
}

void xcc_mapping_cancel(xcc_mapping *m) { delete m; }
