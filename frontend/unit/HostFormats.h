// Number formats and alignments of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_HOSTFORMATS_H
#define XCC_FRONTEND_UNIT_HOSTFORMATS_H

namespace clang {
class ASTContext;
class CompilerInstance;
class TagDecl;
} // namespace clang

namespace xcc {

/// Gives a device's __float128 the host's format. For AMD GPUs, Clang uses a
/// double in 16 bytes, and would read the host's objects wrongly. Also sets the
/// alignments that do not belong to a type: of __attribute__((aligned)),
/// __BIGGEST_ALIGNMENT__, operator new, _Atomic and
/// std::hardware_destructive_interference_size. Must be called before the
/// preprocessor exists, because macros hold these values.
void keepHostFormats(clang::CompilerInstance &ci);

/// Gives a device's std::max_align_t the host's alignment, if the device's long
/// double has a smaller one. Called when the class is defined.
void keepHostAlignment(clang::ASTContext &context, clang::TagDecl *record);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HOSTFORMATS_H
