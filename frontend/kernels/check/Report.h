// Reports xcc's own diagnostics through Clang
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_CHECK_REPORT_H
#define XCC_FRONTEND_KERNELS_CHECK_REPORT_H

#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/Sema.h"

namespace xcc {

/// Begins a diagnostic; arguments for %0 and ranges follow by <<.
template <unsigned N>
clang::DiagnosticBuilder
report(clang::Sema &sema, clang::DiagnosticsEngine::Level level,
       clang::SourceLocation at, const char (&text)[N]) {
  clang::DiagnosticsEngine &diags = sema.getDiagnostics();
  return diags.Report(at, diags.getCustomDiagID(level, text));
}

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_REPORT_H
