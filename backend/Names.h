// Names that the stages of the compiler share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations by which the headers tell the compiler what something is, and
// attributes by which one stage tells a later one. What the runtime reads too,
// symbols and the strings beside images, is in <xcc/abi.h>.

#ifndef XCC_BACKEND_NAMES_H
#define XCC_BACKEND_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace xcc {

/// Clang's annotate("..."), as <xcc/launch.h> and other headers write them.
namespace annotation {
using Text = llvm::StringLiteral;
/// A parameter that names a kernel.
inline constexpr Text Kernel = "xcc.kernel";
inline constexpr Text Waits = "xcc.waits"; ///< an algorithm, for kernels
/// A function template whose specializations are the kernels' entries.
inline constexpr Text Entry = "xcc.entry";
/// A call that launches what its marked parameter names.
inline constexpr Text Launch = "xcc.launch";
/// [[xcc::launch_bounds(threads, blocks)]].
inline constexpr Text LaunchBounds = "xcc.launch_bounds";
/// The call operator of what xcc::parallel_for launches.
inline constexpr Text Loop = "xcc.loop";
/// [[xcc::specialize]], of parameters and members.
inline constexpr Text Specialize = "xcc.specialize";
/// XCC_EXPORT: for other units' kernels.
inline constexpr Text Export = "xcc.export";
/// XCC_HOST: always runs on the host, also if device code calls it.
inline constexpr Text Host = "xcc.host";
/// xcc::host_call itself, and the entries that unpack its messages.
inline constexpr Text HostFunction = "xcc.host_function";
inline constexpr Text HostEntry = "xcc.host_entry";
/// xcc::block_shared.
inline constexpr Text BlockShared = "xcc.block_shared";
/// xcc::symbol's parameter.
inline constexpr Text Symbol = "xcc.symbol";
/// xcc::visit_members, whose specializations the compiler defines, and what
/// xcc::holds_addresses asks it.
inline constexpr Text VisitMembers = "xcc.visit_members";
inline constexpr Text HoldsAddresses = "xcc.holds_addresses";
/// What asks which class is derived from a base that is made for it.
inline constexpr Text CompleteObject = "xcc.complete_object";
/// What asks whether it matters what a function object is called as.
inline constexpr Text CallsDiffer = "xcc.calls_differ";
/// What asks for the parameter of a call, and a parameter of each thread's own.
inline constexpr Text ParamOf = "xcc.param_of";
inline constexpr Text ThreadOwn = "xcc.thread_own";
/// A parameter for what the arguments before it are called in the source.
inline constexpr Text WrittenNames = "xcc.written_names";
/// xcc::in, out, inout and keep, which state the directions of their argument.
inline constexpr Text StatesDirections = "xcc.states_directions";
/// What asks whether a type can be brought to devices.
inline constexpr Text GoesToDevice = "xcc.goes_to_device";
} // namespace annotation

/// Attributes of functions, and metadata of instructions, in IR.
namespace attribute {
using Text = llvm::StringLiteral;
/// On a module: how gcov's counters are made in it.
inline constexpr Text Coverage = "xcc.gcov";
/// An entry for the block passes; the value is its fingerprint.
inline constexpr Text CPUKernel = "xcc.cpu_kernel";
inline constexpr Text MaxThreads = "xcc.max_threads";
/// An entry of a loop, which the runtime may launch in a smaller grid; and how
/// many of the loop's indices each thread takes then.
inline constexpr Text Loop = "xcc.loop";
inline constexpr Text Elements = "xcc.elements";
/// How many indices of a grid each thread of an entry's second form takes.
inline constexpr Text Coarse = "xcc.coarse";
/// An entry that may read or write errno.
inline constexpr Text ReadsErrno = "xcc.reads_errno";
inline constexpr Text KernargSize = "xcc.kernarg_size";
/// On an entry: bytes in the memory of a parameter that are the same in all
/// launches, "parameter+offset:hexadecimal,...". On a module: block and grid of its
/// kernel's launches, six numbers, 0 for any.
inline constexpr Text Constants = "xcc.constants";
inline constexpr Text Shape = "xcc.shape";
/// On an entry: pointers about which something is known in all launches,
/// "parameter+offset:allocation:alignment,...".
inline constexpr Text Pointers = "xcc.pointers";
/// A function of the program, and not of the libraries that are linked to it.
inline constexpr Text Program = "xcc-program";
/// A function that no device can run, or a variable that none can have: what
/// the compiler says when a kernel reaches it. It has no code or value.
inline constexpr Text Fault = "xcc.fault";
/// A variable which the host may change, and of which a device has its own, or a
/// function that uses it: the place and the variable's name, with a tab between.
inline constexpr Text State = "xcc.state";
/// In the list of what runs before main: stands for what no device can run. What
/// that is called, where it is and where the reason is, with tabs between. Its
/// code writes and calls what that would.
inline constexpr Text Undone = "xcc.undone";
/// A variable that a shared library's image has for others too: what it is
/// called among the library's.
inline constexpr Text Shared = "xcc.shared";
/// A function or constant of a shared library: the library, a tab, and a hash
/// of it.
inline constexpr Text Taken = "xcc.taken";
/// A declared variable, which a shared library's image has: the library, its
/// symbol there, size and own symbol, with tabs between.
inline constexpr Text Import = "xcc.import";
/// A declared function: why it cannot be a call of the host by itself, where
/// that was asked for.
inline constexpr Text NoHostCall = "xcc.no_host_call";
/// A declared variable or function that another part of the same image defines.
inline constexpr Text InOtherPart = "xcc.in_other_part";
} // namespace attribute

/// Metadata of functions, and of variables that code initialises, on the way to
/// the device link.
namespace metadata {
using Text = llvm::StringLiteral;
/// {file, "line:column line:column ...", what is named at each}: functions and
/// variables whose use may turn out to be an error.
inline constexpr Text Use = "xcc.use";
/// {file, "line:column"}: where an entry's kernel is launched.
inline constexpr Text Launch = "xcc.launch";
/// A module's: {unit, function or null, variable's symbol, file, "line:column"
/// of a read, "line:column" of a write} of variables that units share, {unit,
/// entry} of kernels, {symbol} of variables that xcc::symbol asks for.
inline constexpr Text Globals = "xcc.globals";
/// A module's: {unit, layouts of classes} that its device code shares with the
/// host or with other units: link/LayoutNotes.h.
inline constexpr Text Layouts = "xcc.layouts";
/// {file, "line:column"}: where a variable is that code initialises.
inline constexpr Text Place = "xcc.place";
} // namespace metadata

/// The module flag of a program whose code is the host's kind: exceptions
/// unwind, and nothing of it is taken for unused.
inline constexpr llvm::StringLiteral HostProgramFlag = "xcc.host_program";

/// The module flag of an image that shares variables with others: what is
/// called through a pointer may be another image's function.
inline constexpr llvm::StringLiteral SharesVariablesFlag =
    "xcc.shares_variables";

/// The module flag of an image that was linked with others, or to be: pointers
/// to their functions may come to its kernels.
inline constexpr llvm::StringLiteral SeveralImagesFlag = "xcc.several_images";

/// Whether an address is that of a function of this image: a GPU's, defined
/// when the image's code is settled.
inline constexpr llvm::StringLiteral OwnFunctionTest = "__xcc_is_own_function";

/// The named metadata of a module whose kernels call host functions that are its
/// unit's own.
inline constexpr llvm::StringLiteral OwnHostEntries = "xcc.own_host_entries";

/// What stands for a function of the host in device code has this before the
/// function's own symbol (-foffload-host-calls).
inline constexpr llvm::StringLiteral GeneratedPrefix = "__xcc_generated.";

} // namespace xcc

#endif // XCC_BACKEND_NAMES_H
