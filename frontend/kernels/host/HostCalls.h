// Calls of host functions in device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of xcc::host_call, or of a function marked XCC_HOST, needs an entry on
// the host: a specialization of host_entry in <xcc/host_call.h>, which unpacks
// a message and calls the function. A device pass makes the call send that
// entry's number. The host pass compiles the entry and registers it under the
// number, which is a hash of its name (HostEntries.h).

#ifndef XCC_FRONTEND_KERNELS_HOST_HOSTCALLS_H
#define XCC_FRONTEND_KERNELS_HOST_HOSTCALLS_H

namespace clang {
class CallExpr;
class Sema;
} // namespace clang

namespace xcc {

/// Whether the call is one of xcc::host_call or of a function marked XCC_HOST.
bool isHostCall(const clang::CallExpr *call);

/// Finds or declares the entry of a host call, before code is generated for it.
/// In a device pass, the call then names the entry. The host pass reports
/// errors.
void prepareHostCall(clang::Sema &sema, clang::CallExpr *call);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOST_HOSTCALLS_H
