// Names that the stages of the compiler share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations with which the headers mark declarations for the compiler, and
// attributes with which one stage passes information to a later one. Names that
// the runtime reads too, symbols and the strings beside images, are in
// <xcc/abi.h>.

#ifndef XCC_BACKEND_NAMES_H
#define XCC_BACKEND_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace xcc {

/// Clang's annotate("..."), as <xcc/launch.h> and other headers write them.
namespace annotation {
using Text = llvm::StringLiteral;
/// A parameter that names a kernel.
inline constexpr Text Kernel = "xcc.kernel";
inline constexpr Text Waits = "xcc.waits"; ///< an algorithm that waits for
                                           ///< kernels
/// A function template whose specializations are the kernels' entries.
inline constexpr Text Entry = "xcc.entry";
/// A call that launches the kernel that its marked parameter names.
inline constexpr Text Launch = "xcc.launch";
/// [[xcc::launch_bounds(threads, blocks)]].
inline constexpr Text LaunchBounds = "xcc.launch_bounds";
/// The call operator of the closures that xcc::parallel_for launches.
inline constexpr Text Loop = "xcc.loop";
/// [[xcc::specialize]], of parameters and members.
inline constexpr Text Specialize = "xcc.specialize";
/// XCC_EXPORT: available to kernels of other units.
inline constexpr Text Export = "xcc.export";
/// XCC_HOST: always runs on the host, also if device code calls it.
inline constexpr Text Host = "xcc.host";
/// xcc::host_call itself, and the entries that unpack its messages.
inline constexpr Text HostFunction = "xcc.host_function";
inline constexpr Text HostEntry = "xcc.host_entry";
/// xcc::block_shared.
inline constexpr Text BlockShared = "xcc.block_shared";
/// The parameter of xcc::symbol.
inline constexpr Text Symbol = "xcc.symbol";
/// xcc::visit_members, whose specializations the compiler defines, and the
/// query of xcc::holds_addresses.
inline constexpr Text VisitMembers = "xcc.visit_members";
inline constexpr Text HoldsAddresses = "xcc.holds_addresses";
/// A query: which class is derived from a base that is made for it.
inline constexpr Text CompleteObject = "xcc.complete_object";
/// A query: whether it matters which type a function object is called as.
inline constexpr Text CallsDiffer = "xcc.calls_differ";
/// Queries: the parameter of a call, and whether each thread has its own
/// parameter.
inline constexpr Text ParamOf = "xcc.param_of";
inline constexpr Text ThreadOwn = "xcc.thread_own";
/// A parameter that receives the source text of the arguments before it.
inline constexpr Text WrittenNames = "xcc.written_names";
/// xcc::in, out, inout and keep, which state the directions of their argument.
inline constexpr Text StatesDirections = "xcc.states_directions";
/// A query: whether a type can be transferred to devices.
inline constexpr Text GoesToDevice = "xcc.goes_to_device";
} // namespace annotation

/// Attributes of functions, and metadata of instructions, in IR.
namespace attribute {
using Text = llvm::StringLiteral;
/// On a module: the options for gcov counters.
inline constexpr Text Coverage = "xcc.gcov";
/// An entry for the block passes; the value is its fingerprint.
inline constexpr Text CPUKernel = "xcc.cpu_kernel";
inline constexpr Text MaxThreads = "xcc.max_threads";
/// The entry of a loop, which the runtime may launch with a smaller grid. The
/// second attribute is the number of indices of each thread in that case.
inline constexpr Text Loop = "xcc.loop";
inline constexpr Text Elements = "xcc.elements";
/// The number of grid indices of each thread in an entry's second form.
inline constexpr Text Coarse = "xcc.coarse";
/// An entry that may read or write errno.
inline constexpr Text ReadsErrno = "xcc.reads_errno";
inline constexpr Text KernargSize = "xcc.kernarg_size";
/// On an entry: bytes in the memory of a parameter that are the same in all
/// launches, "parameter+offset:hexadecimal,...". On a module: block and grid of its
/// kernel's launches, six numbers, 0 for any.
inline constexpr Text Constants = "xcc.constants";
inline constexpr Text Shape = "xcc.shape";
/// On an entry: known facts about pointers that hold in all launches,
/// "parameter+offset:allocation:alignment,...".
inline constexpr Text Pointers = "xcc.pointers";
/// A function of the program, and not of the libraries that are linked to it.
inline constexpr Text Program = "xcc-program";
/// A function that no device can run, or a variable that no device can have.
/// The value is the compiler's error for a kernel that reaches it. It has no
/// code or value.
inline constexpr Text Fault = "xcc.fault";
/// A variable that the host may change and of which each device has its own
/// copy, or a function that uses such a variable. The value is the location and
/// the variable's name, separated by a tab.
inline constexpr Text State = "xcc.state";
/// In the list of functions that run before main: a substitute for one that no
/// device can run. The value is its name, its location and the location of the
/// reason, separated by tabs. The substitute's code writes the same variables
/// and calls the same functions.
inline constexpr Text SkippedInitialiser = "xcc.undone";
/// A variable that a shared library's image exports. The value is its name in
/// the library.
inline constexpr Text Shared = "xcc.shared";
/// A function or constant of a shared library. The value is the library, a tab,
/// and a hash of the function or constant.
inline constexpr Text Taken = "xcc.taken";
/// A declared variable that a shared library's image defines. The value is the
/// library, its symbol there, its size and its own symbol, separated by tabs.
inline constexpr Text Import = "xcc.import";
/// A declared function for which host calls were requested: the reason why it
/// cannot become one.
inline constexpr Text NoHostCall = "xcc.no_host_call";
/// A declared variable or function that another part of the same image defines.
inline constexpr Text InOtherPart = "xcc.in_other_part";
} // namespace attribute

/// Metadata of functions and of variables with dynamic initialisation, for the
/// device link.
namespace metadata {
using Text = llvm::StringLiteral;
/// {file, "line:column line:column ...", the name at each}: functions and
/// variables whose use may turn out to be an error.
inline constexpr Text Use = "xcc.use";
/// {file, "line:column"}: where an entry's kernel is launched.
inline constexpr Text Launch = "xcc.launch";
/// A module's list. {unit, function or null, variable's symbol, file,
/// "line:column" of a read, "line:column" of a write} for variables that units
/// share, {unit, entry} for kernels, {symbol} for variables that xcc::symbol
/// uses.
inline constexpr Text Globals = "xcc.globals";
/// A module's list of {unit, layouts of classes} that its device code shares
/// with the host or with other units: link/LayoutNotes.h.
inline constexpr Text Layouts = "xcc.layouts";
/// {file, "line:column"}: the location of a variable with dynamic
/// initialisation.
inline constexpr Text Place = "xcc.place";
} // namespace metadata

/// The module flag of a program whose code is compiled like the host's:
/// exceptions unwind, and nothing is removed as unused.
inline constexpr llvm::StringLiteral HostProgramFlag = "xcc.host_program";

/// The module flag of an image that shares variables with others: a call
/// through a pointer may reach a function of another image.
inline constexpr llvm::StringLiteral SharesVariablesFlag =
    "xcc.shares_variables";

/// The module flag of an image that was or will be linked with others: its
/// kernels may receive pointers to the others' functions.
inline constexpr llvm::StringLiteral SeveralImagesFlag = "xcc.several_images";

/// A function that tests whether an address is that of a function of this
/// image, on GPUs. It is defined when the image's code is final.
inline constexpr llvm::StringLiteral OwnFunctionTest = "__xcc_is_own_function";

/// The named metadata of a module whose kernels call host functions with
/// internal linkage.
inline constexpr llvm::StringLiteral OwnHostEntries = "xcc.own_host_entries";

/// The prefix, before the function's symbol, of the device function that stands
/// for a host function (-foffload-host-calls).
inline constexpr llvm::StringLiteral GeneratedPrefix = "__xcc_generated.";

} // namespace xcc

#endif // XCC_BACKEND_NAMES_H
