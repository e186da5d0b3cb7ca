// One type for each layout in signatures
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When LLVM links modules, it takes named structures with the same members for
// one type. If First and Second are {double, int}, a call of 'Second f(int)' in
// one unit may have the type of Second, and the definition in another unit that
// of First. LLVM takes such a call for one through a pointer: nothing is
// inlined, and passes that compare types do not find the function.

#ifndef XCC_BACKEND_LINK_SIGNATURETYPES_H
#define XCC_BACKEND_LINK_SIGNATURETYPES_H

namespace llvm {
class Module;
}

namespace xcc {

/// Replaces named structures by structures without names in the types of
/// functions and calls. Then signatures of the same layout are the same type.
/// Needed whenever modules were linked.
void passStructuresUnnamed(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_LINK_SIGNATURETYPES_H
