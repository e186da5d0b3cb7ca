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

/// Makes a device's __float128 what the host's is. For AMD GPUs Clang takes it
/// for a double in 16 bytes, and the host's objects for others than they are.
/// So it does with alignments that have no type: those of
/// __attribute__((aligned)), __BIGGEST_ALIGNMENT__, operator new, _Atomic and
/// std::hardware_destructive_interference_size. Before the preprocessor is
/// there, since macros say them.
void keepHostFormats(clang::CompilerInstance &ci);

/// Makes a device's std::max_align_t what the host's is, where its long double
/// has a smaller alignment. Of the class as it is defined.
void keepHostAlignment(clang::ASTContext &context, clang::TagDecl *record);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HOSTFORMATS_H
