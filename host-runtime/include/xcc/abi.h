// Data the compiler writes and the runtime reads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every structure that two separately built parts share: the compiler writes
// kernel descriptors and CPU kernel objects, the host runtime reads them, and
// the runtime calls block functions in a CPU image. The header is freestanding
// and valid C and C++. Static assertions pin each layout, and XCC_ABI_VERSION
// changes whenever a layout does.

#ifndef XCC_ABI_H
#define XCC_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define XCC_STATIC_ASSERT(cond, text) static_assert(cond, text)
extern "C" {
#else
#define XCC_STATIC_ASSERT(cond, text) _Static_assert(cond, text)
#endif

/// The version of every layout in this header.
#define XCC_ABI_VERSION 11u

/// The first word of every kernel descriptor: "XCCK", little endian.
#define XCC_KERNEL_MAGIC 0x4b434358u

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Symbols of host objects: the linked unit's record, its images, a kernel's
/// descriptor and slots (followed by the kernel's symbol), the entries of host
/// calls.
#define XCC_SYMBOL_BINARY "__xcc_binary"
/// Another name of the record, by which descriptors find it. A linker prints it
/// as undefined if objects with kernels are linked without the object that the
/// device link makes.
#define XCC_SYMBOL_LINKED "__xcc_link_this_with_xcc"
#define XCC_SYMBOL_IMAGES "__xcc_images"
#define XCC_SYMBOL_INFO "__xcc_info_"
#define XCC_SYMBOL_SLOTS "__xcc_slots_"
#define XCC_SYMBOL_HOST_TABLE "__xcc_host_table"

/// Symbols of images: a CPU image's header, the client that calls the host, and
/// the record that a thread writes when it traps.
#define XCC_SYMBOL_IMAGE "__xcc_image"
#define XCC_SYMBOL_RPC "__xcc_rpc"
#define XCC_SYMBOL_TRAP_REPORT "__xcc_trap_report"
/// Where a CPU image's counters of -fprofile-instr-generate begin and end: six
/// addresses, of their records, themselves and the functions' names.
#define XCC_SYMBOL_COUNTERS "__xcc_counters"
/// A CPU image that counts for gcov has here the address of a function that
/// writes the counts, and room for the addresses of five functions of the
/// program that it calls.
#define XCC_SYMBOL_ARCS "__xcc_arcs"
/// Kernels of one thread, in images that have code for them. __xcc_init runs
/// once before all other kernels: it initialises global variables. Its argument
/// is the address of four bytes that the host can read even after a fault, and
/// it writes there which of the variables in makes= it initialises, from 1 on.
/// __xcc_fini runs after all other kernels: destructors and functions of atexit.
/// __xcc_run_exits is the device runtime's part of __xcc_fini.
#define XCC_SYMBOL_INIT "__xcc_init"
#define XCC_SYMBOL_FINI "__xcc_fini"
#define XCC_SYMBOL_RUN_EXITS "__xcc_run_exits"
/// An array of pointers, in images that use variables of shared libraries. The
/// runtime writes the variables' addresses in the libraries' images, in the
/// order of "xcc.imports".
#define XCC_SYMBOL_IMPORTS "__xcc_imports"

/// What a shared library exports to the device code of programs that link it:
/// an OffloadBinary with bitcode, which only the device link reads. The symbol
/// holds, for each target, a line with its triple and then its "xcc.offers".
#define XCC_SECTION_DEVICE ".xcc.device"
#define XCC_SYMBOL_EXPORTS "__xcc_offers"

/// Kernels of a whole program's image: the constructors of global variables,
/// main, and what runs after main. All take an xcc_program_arguments.
#define XCC_SYMBOL_BEGIN "_begin"
#define XCC_SYMBOL_START "_start"
#define XCC_SYMBOL_END "_end"

/// Strings of an OffloadBinary, in objects and programs; see below.
#define XCC_STRING_ABI "xcc.abi"
#define XCC_STRING_HASH "xcc.hash"
#define XCC_STRING_STRINGS "xcc.strings"
#define XCC_STRING_FEATURES "xcc.features"
#define XCC_STRING_KERNELS "xcc.kernels"
#define XCC_STRING_ARCHS "xcc.archs"
#define XCC_STRING_OPTIONS "xcc.options"
#define XCC_STRING_LAYOUTS "xcc.layouts"
#define XCC_STRING_LIBRARY "xcc.library"
#define XCC_STRING_DIGEST "xcc.digest"
#define XCC_STRING_EXPORTS "xcc.offers"
#define XCC_STRING_IMPORTS "xcc.imports"
#define XCC_STRING_LACKS "xcc.lacks"

//===----------------------------------------------------------------------===//
// Kernel descriptors: constant data in the host object
//===----------------------------------------------------------------------===//

/// How a launch passes a kernel parameter or closure capture.
enum xcc_param_kind {
  XCC_PARAM_VALUE = 0,     ///< copied bit by bit into the kernarg segment
  XCC_PARAM_POINTER = 1,   ///< an address; must be visible to the device
  XCC_PARAM_REFERENCE = 2, ///< passed as the address of the referenced object
  XCC_PARAM_SPAN = 3,      ///< std::span or alike: an address and a length
  XCC_PARAM_CLOSURE = 4    ///< the kernel's function object, always the first
};

/// One kernel parameter, in kernarg order.
///
///     0        8        16    20     24      28    32
///     | name   | type   | size| align| offset| kind|
typedef struct xcc_param_info {
  const char *name;   ///< as written in the source, "" when unnamed
  const char *type;   ///< the type as Clang spells it
  uint32_t size;      ///< bytes in the kernarg segment
  uint32_t alignment; ///< bytes, a power of two
  uint32_t offset;    ///< bytes from the start of the kernarg segment
  uint32_t kind;      ///< enum xcc_param_kind
} xcc_param_info;
XCC_STATIC_ASSERT(sizeof(xcc_param_info) == 32, "xcc_param_info layout");

/// One capture of a closure, or one member of a function object, in the order of
/// offsets. If its class holds addresses, the list has the members and bases of
/// the class instead, to any depth: "body.x", "image.Base::rows[2]". The same
/// holds for other parameters of such classes. So every address in the kernarg
/// segment is a parameter or one of these, except in unions.
///
///     0        8        16     20    24            28    32
///     | name   | type   | size | offset | by_reference | kind |
typedef struct xcc_capture_info {
  const char *name;      ///< the captured variable; "this" for the object
  const char *type;      ///< the captured variable's type
  uint32_t size;         ///< bytes in the kernarg segment
  uint32_t offset;       ///< bytes from its start, where the closure begins
  uint32_t by_reference; ///< 1 when the closure holds an address
  uint32_t kind;         ///< enum xcc_param_kind
} xcc_capture_info;
XCC_STATIC_ASSERT(sizeof(xcc_capture_info) == 32, "xcc_capture_info layout");

/// Bytes of a kernarg segment: a parameter, or a number in one.
///
///     0        4
///     | offset | size |
typedef struct xcc_argument_place {
  uint32_t offset, size; ///< bytes
} xcc_argument_place;
XCC_STATIC_ASSERT(sizeof(xcc_argument_place) == 8, "xcc_argument_place layout");

/// How many devices have a slot in each descriptor. Device ordinals at or
/// beyond it are looked up in the runtime's own table.
#define XCC_KERNEL_SLOTS 16

/// xcc_binary::kind of what the compiler linked.
#define XCC_BINARY_PLAIN 0u
/// The runtime made the record for a source that was compiled as the program
/// runs.
#define XCC_BINARY_SOURCE 1u
/// Units of the same text are linked: kernels of internal linkage have other
/// symbols in images than in descriptors. The runtime maps one to the other.
#define XCC_BINARY_DUPLICATES 2u

/// One linked program or shared library: where its images and descriptors are.
/// The compiler emits one, hidden, named __xcc_binary, into each linked unit
/// that holds device code, with a constructor that hands it to
/// xcc_binary_register and a destructor that calls xcc_binary_unload.
typedef struct xcc_binary {
  uint32_t abi_version;      ///< XCC_ABI_VERSION
  uint32_t kind;             ///< XCC_BINARY_PLAIN, _SOURCE or _DUPLICATES
  const void *images_begin;  ///< the OffloadBinary section's first byte
  const void *images_end;    ///< one past its last byte
  const void *entries_begin; ///< first llvm_offload_entries record
  const void *entries_end;   ///< one past the last
  void *state;               ///< the runtime's own, null until first used
  struct xcc_binary *next;   ///< the runtime's list of units; null outside it
} xcc_binary;
XCC_STATIC_ASSERT(sizeof(xcc_binary) == 56, "xcc_binary layout");

/// Bits of xcc_kernel_info::flags.
enum xcc_kernel_flags {
  /// The kernel casts an object that it knows as one of a base class to the
  /// class derived from it: launches map the whole object.
  XCC_KERNEL_CASTS_DOWN = 1
};

/// A kernel descriptor: what kernel_info_for returns. Static storage,
/// constant-initialised, one per kernel and linked unit. It is constant, except
/// for the symbol of a kernel of internal linkage (XCC_BINARY_DUPLICATES). The
/// strings and arrays live as long as the unit that holds them is loaded.
typedef struct xcc_kernel_info {
  uint32_t magic;               ///< XCC_KERNEL_MAGIC
  uint32_t abi_version;         ///< XCC_ABI_VERSION
  const char *name;             ///< readable, e.g. "saxpy" or "scale<float>"
  const char *symbol;           ///< the entry's symbol in every image
  const char *file;             ///< where the kernel is written
  uint32_t line, column;        ///< 1-based
  const xcc_param_info *params; ///< param_count of them
  const xcc_capture_info *captures; ///< capture_count of them
  uint32_t param_count;
  uint32_t capture_count;
  uint32_t kernarg_size;      ///< bytes of the explicit arguments
  uint32_t kernarg_alignment; ///< bytes, a power of two
  uint64_t fingerprint;       ///< hash of the layout, equal on host and device
  xcc_binary *binary;         ///< the linked unit; null if not linked by xcc
                              ///< and without device code
  void **slots;               ///< XCC_KERNEL_SLOTS loaded handles, by device
  /// The numbers marked [[xcc::specialize]], in order; each member of a
  /// structure. Each launch runs code that is generated for their values.
  const xcc_argument_place *specialized; ///< specialized_count of them
  uint32_t specialized_count;
  uint32_t flags; ///< enum xcc_kernel_flags
  /// For a kernel of internal linkage: a hash of all files that its translation
  /// unit was compiled from. All such kernels of the unit point to the same
  /// variable. Null for other kernels.
  const uint64_t *text;
} xcc_kernel_info;
XCC_STATIC_ASSERT(sizeof(xcc_kernel_info) == 120, "xcc_kernel_info layout");

//===----------------------------------------------------------------------===//
// Images: the strings beside an image's bytes
//===----------------------------------------------------------------------===//
//
// An image lies in an OffloadBinary (LLVM, version 1), whose strings are:
//
//     triple, arch   the device that it is for
//     xcc.abi        XCC_ABI_VERSION as text
//     xcc.hash       xxh3 of the bytes, 16 hexadecimal digits
//     xcc.strings    a hash of the other strings
//     xcc.features   features that the machine must have; may be absent
//     xcc.kernels    the kernel table
//     xcc.library    GPUs: where the code generator was when the program was
//                    linked; the simulators are in the same folder
//
// An object of -c holds bitcode in an OffloadBinary, with other strings in the
// place of the last three: xcc.archs and xcc.options, for which the object was
// compiled, and xcc.layouts, the kernels' layouts (backend/Kernel.h).
//
// A portable image is bitcode too, with an arch that begins with "generic:". It
// has xcc.kernels, xcc.layouts, xcc.library, and xcc.options, the options of its
// code generation.
//
// The kernel table is text, a row for each kernel, so that it needs no loader
// of the image's format. Tabs between fields, a newline after each row:
//
//     symbol name kernarg_size group_size private_size flags max_threads
//     fingerprint [key=value]...
//
// Sizes are bytes in decimal; flags are xcc_cpu_kernel_flags; the fingerprint
// has 16 hexadecimal digits; tabs, newlines and backslashes in names are
// written \t, \n, \\. A reader ignores columns that it does not know:
//
//     calls=1            the kernel may call the host
//     dynamic_stack=1    the stack that its threads need is not known
//     elements=4         a thread of a loop (XCC_LAUNCH_LOOP) takes 4 indices if
//                        the grid is too small for one thread per index
//     coarse=4           there is a second entry, SYMBOL$coarse; each of its
//                        blocks does the work of 4 blocks. Behind the arguments,
//                        at a multiple of 8, it takes the number of blocks that
//                        the launch asked for (8 bytes)
//     root=1             no launch names it; the process may (-foffload-jit-roots=)
//     group=0, tied=1    portable images: kernels of one group are generated
//                        together; a tied kernel has variables of its own, so a
//                        second copy of it would behave differently
//     access=0:r,0.0:rw  the memory that the kernel reads and writes; below
//     overwrites=0.0:4@32u8+24u8    the part of it that it writes completely; below
//     beside=8,16+4      addresses in the kernarg block through which it uses
//                        memory at offsets that are not constant (8), up to 4
//                        bytes at constant ones (16), or in front of them (+*)
//     heap=1             the kernel may allocate or free memory
//     makes='a' at a.cpp:3;'b'    the variables that __xcc_init initialises, in order
//     registers=, spills=, vgprs=, sgprs=    the resources that the code uses
//     kernarg_segment=, kernarg_align=, wave=, hidden=    AMD; see
//                        host-runtime/src/hsa/image/metadata.h
//
// access= names memory by the addresses that lead to it from the kernarg block:
//
//     column    = "none" | line ["," line]...
//     line      = component ["." component]... ["+"] ":" ("r" | "w" | "rw")
//     component = bytes in decimal, may be negative | "*"
//
// The first component is the offset of an address in the kernarg block. A path
// of one component names the memory that this address points to. The next
// component is the offset of another address in that memory, counted from where
// the first address points, and so on. "*" is any offset; "+" adds all memory
// that addresses in it lead to. For [&y, &a, &x], references to two std::vectors
// and a float:
//
//     access=0:r,8:r,16:r,0.0:rw,16.0:r
//
// "r": may be read, "w": may be written. Memory that no line names is neither
// read nor written. Several paths may lead to the same memory: then all of their
// lines apply. Without the column nothing is known.
//
// overwrites= names arrays of which each thread writes one whole element on
// every path through the kernel, whatever the element held. The element's index
// is the thread's position along x in the grid:
//
//     column   = line ["," line]...
//     line     = path ":" size ["@" argument] ["+" argument]
//     path     = bytes in decimal ["." bytes in decimal]...
//     argument = offset in the kernarg block ("u" | "s") ("4" | "8")
//
// A thread writes `size` bytes at position * size from where the path's address
// points. The argument after "+", if any, is a number of elements to add to the
// position. With "@", only threads whose position is below that argument
// (unsigned or signed) write. This holds for a launch that ends without a
// failure, unless the kernel writes memory that holds an address of the path; if
// the path itself shows such a write, the line is left out. The closure of
// xcc::parallel_for has the user's closure at 0, and after it the first index
// and the number of indices: overwrites=0.0:4@32u8+24u8.

//===----------------------------------------------------------------------===//
// CPU images: ELF shared objects holding block functions
//===----------------------------------------------------------------------===//
//
// An image exports one xcc_cpu_kernel per kernel, named by the kernel's
// symbol, and one xcc_cpu_image named __xcc_image. The loader checks both
// versions and stores the services' address before it calls any code.

/// Threads of a warp on the CPU device.
#define XCC_CPU_WARP_SIZE 32u
/// The largest block, in threads.
#define XCC_CPU_MAX_BLOCK 1024u
/// The least scratch memory of a kernel that uses any, in bytes, however few
/// threads its blocks have. Blocks that run side by side share it.
#define XCC_CPU_LEAST_SCRATCH (16u * 1024u)
/// The largest group segment (static + dynamic block-shared memory), bytes.
#define XCC_CPU_MAX_SHARED (256u * 1024u)
/// Bytes of exchange area a block owns for each of its threads (warp
/// operations go through it).
#define XCC_CPU_EXCHANGE_BYTES 16u

/// A loop kernel that calls no function which asks for its indices leaves this
/// value in its thread's record.
#define XCC_CPU_NOWHERE 0xffffffffu

/// Where one thread of a block is. The runtime owns one per worker (loop
/// kernels) or one per fiber; functions that could not be inlined into their
/// kernel find it with xcc_cpu_services::current_thread.
///
///     0          12         24         28            32       40         48
///     | thread[3] | block[3] | linear  | active_mask | group  | position |
typedef struct xcc_cpu_thread {
  uint32_t thread_index[3];
  uint32_t block_index[3];
  uint32_t linear_thread; ///< x + y * dim.x + z * dim.x * dim.y
  uint32_t active_mask;   ///< fibers: lanes of this warp released together
  const struct xcc_cpu_group *group;
  /// Fibers: one past the words that say where in the source the thread is.
  /// The runtime sets it to the start of their array before the kernel runs.
  /// Lanes whose words are equal wait for each other in a warp barrier.
  uint64_t *position;
} xcc_cpu_thread;
XCC_STATIC_ASSERT(sizeof(xcc_cpu_thread) == 48, "xcc_cpu_thread layout");

/// The argument of a block function: one launch as seen by one worker.
typedef struct xcc_cpu_group {
  const void *kernarg;     ///< at least kernarg_size bytes, 64-byte aligned
  void *shared;            ///< group segment: static part, then dynamic part
  void *scratch;           ///< private_segment_size bytes for each thread of
                           ///< a block, XCC_CPU_LEAST_SCRATCH at least, 64-byte
                           ///< aligned; not valid if that size is 0
  void *exchange;          ///< XCC_CPU_EXCHANGE_BYTES for each thread
  xcc_cpu_thread *thread;  ///< loop kernels: this worker's thread record
  uint32_t grid_dim[3];    ///< blocks in the grid
  uint32_t block_dim[3];   ///< threads in each block
  uint32_t dynamic_offset; ///< of the dynamic part within shared, bytes
  uint32_t dynamic_size;   ///< bytes of the dynamic part
  const void *image;       ///< the xcc_cpu_image that the kernel is in: the
                           ///< static part is laid out as in that
} xcc_cpu_group;
XCC_STATIC_ASSERT(sizeof(xcc_cpu_group) == 80, "xcc_cpu_group layout");

/// A loop kernel: runs every thread of the blocks with linear indices
/// [first, last), x fastest: index = x + grid.x * (y + grid.y * z).
typedef void (*xcc_cpu_block_fn)(const xcc_cpu_group *group, uint64_t first,
                                 uint64_t last);

/// A fiber kernel: runs one thread; barriers switch to another fiber.
typedef void (*xcc_cpu_thread_fn)(const xcc_cpu_group *group,
                                  xcc_cpu_thread *thread);

/// Says whether the form of a kernel that its object follows may run a launch:
/// *fits is 1 or 0. Of \p group, the argument and the sizes are read.
typedef void (*xcc_cpu_test_fn)(const xcc_cpu_group *group, uint64_t *fits);

/// Bits of xcc_cpu_kernel::flags.
enum xcc_cpu_kernel_flags {
  XCC_CPU_KERNEL_FIBERS = 1, ///< entry is an xcc_cpu_thread_fn
  /// The kernel has loops that advance by the grid's size: all blocks have the
  /// same amount of work, and neighbouring blocks run faster together.
  XCC_CPU_KERNEL_STRIDES = 2,
  /// Another kernel object follows this one: it runs the launches in which
  /// block_dim.x is a multiple of XCC_CPU_WARP_SIZE.
  XCC_CPU_KERNEL_WARPS = 4,
  /// Two others follow this one: such a kernel object, and one whose entry is an
  /// xcc_cpu_test_fn, which says whether it may run the launch.
  XCC_CPU_KERNEL_TESTED_WARPS = 8
};

/// The kernel object that a dispatch packet's kernel_object points to.
///
///     0     4      8        16      20        24       28            32   40
///     | abi | flags| entry  | group | private | kernarg| max_threads | fp |
typedef struct xcc_cpu_kernel {
  uint32_t abi_version;          ///< XCC_ABI_VERSION
  uint32_t flags;                ///< enum xcc_cpu_kernel_flags
  void (*entry)(void);           ///< an xcc_cpu_block_fn or xcc_cpu_thread_fn
  uint32_t group_segment_size;   ///< bytes of static block-shared memory
  uint32_t private_segment_size; ///< bytes of scratch for each thread
  uint32_t kernarg_size;         ///< bytes
  uint32_t max_threads;          ///< launch bound, 0 when none
  uint64_t fingerprint;          ///< as in xcc_kernel_info
} xcc_cpu_kernel;
XCC_STATIC_ASSERT(sizeof(xcc_cpu_kernel) == 40, "xcc_cpu_kernel layout");

/// Which threads a barrier waits for.
enum xcc_cpu_scope { XCC_CPU_SCOPE_WARP = 0, XCC_CPU_SCOPE_BLOCK = 1 };

/// Why a thread stopped the launch.
enum xcc_cpu_trap_kind {
  XCC_CPU_TRAP_ABORT = 0,     ///< abort, __builtin_trap, std::terminate
  XCC_CPU_TRAP_ASSERT = 1,    ///< a failed assert; text says which
  XCC_CPU_TRAP_EXCEPTION = 2, ///< a C++ exception; text is its type's
                              ///< mangled name, or what libstdc++ would say
  XCC_CPU_TRAP_PURE_CALL = 3, ///< a pure virtual function was called
  XCC_CPU_TRAP_THROWN = 4     ///< a C++ exception; text is the address of an
                              ///< xcc_thrown of rpc/services/thrown.h
};

/// A thread_local variable that several images may use; known by its address.
///
///     0      8       16        24
///     | size | align | initial |
typedef struct xcc_cpu_thread_local {
  uint64_t size;       ///< bytes
  uint64_t align;      ///< bytes, a power of two
  const void *initial; ///< size bytes; null: zeros
} xcc_cpu_thread_local;
XCC_STATIC_ASSERT(sizeof(xcc_cpu_thread_local) == 24,
                  "xcc_cpu_thread_local layout");

/// Arguments of xcc_cpu_services::yield that are not a number of attempts.
enum xcc_cpu_yield {
  XCC_CPU_YIELD_MOVED = -2, ///< the thread made progress: others need not wait
  XCC_CPU_YIELD_ANY = -1    ///< it is not known whether the thread waits
};

/// An exception that code of the host threw into device code.
///
///     0        8      16
///     | object | type |
typedef struct xcc_cpu_caught {
  void *object;     ///< what was thrown; free it with drop_caught()
  const void *type; ///< its std::type_info
} xcc_cpu_caught;
XCC_STATIC_ASSERT(sizeof(xcc_cpu_caught) == 16, "xcc_cpu_caught layout");

/// Functions of the runtime for code in an image. Call them only on a thread
/// that is running a kernel.
typedef struct xcc_cpu_services {
  uint32_t abi_version; ///< XCC_ABI_VERSION
  uint32_t reserved;
  /// Returns the calling thread's record.
  xcc_cpu_thread *(*current_thread)(void);
  /// Fiber kernels: waits until every thread of the scope that has not ended
  /// waits too; returns the lanes of the caller's warp released together.
  uint32_t (*barrier)(uint32_t scope);
  /// Ends the launch with an error; text may be null. Does not return.
  void (*trap)(uint32_t kind, const char *text, const char *file,
               uint32_t line);
  /// Returns 1 if the caller has to initialise the static local variable of this
  /// guard, 0 if it is initialised. Waits while another thread initialises it.
  /// If a thread ends without guard_release, another thread initialises it.
  int (*guard_acquire)(uint64_t *guard);
  void (*guard_release)(uint64_t *guard);
  /// Returns the address of the calling thread's copy of a thread_local
  /// variable. It lives until the thread ends.
  void *(*thread_local_address)(const xcc_cpu_thread_local *variable);
  /// Registers a call of destroy(object) for the calling thread's end, in
  /// reverse order. Returns 0 if the thread is no fiber.
  int (*thread_atexit)(void (*destroy)(void *), void *object);
  /// Makes the calls of thread_atexit now. A kernel whose thread_local variables
  /// are local variables calls it before it returns.
  void (*thread_end)(void);
  /// Fiber kernels: lets other threads of the block run. \p tries is the number
  /// of attempts of the calling thread so far, or an xcc_cpu_yield.
  void (*yield)(uint32_t tries);
  /// Calls function(argument), which may throw C++ exceptions of the host.
  /// Returns 0 if it threw none; else *caught is set.
  int (*catch_call)(void (*function)(void *), void *argument,
                    xcc_cpu_caught *caught);
  void (*drop_caught)(void *object);
  /// An exception has left the initialiser: another thread may try.
  void (*guard_abort)(uint64_t *guard);
} xcc_cpu_services;
XCC_STATIC_ASSERT(sizeof(xcc_cpu_services) == 104, "xcc_cpu_services layout");

/// One per CPU image, exported as __xcc_image.
typedef struct xcc_cpu_image {
  uint32_t abi_version; ///< XCC_ABI_VERSION
  uint32_t reserved;
  const xcc_cpu_services *services; ///< written by the loader
} xcc_cpu_image;
XCC_STATIC_ASSERT(sizeof(xcc_cpu_image) == 16, "xcc_cpu_image layout");

// Whole programs.

/// The kernarg segment of a program's kernels. All that its pointers lead to is
/// in memory that the device reads.
///
///     0     4          8      16     24
///     | argc| reserved | argv | envp | status |
typedef struct xcc_program_arguments {
  int32_t argc;
  int32_t reserved;
  char **argv;      ///< argc of them, and a null pointer
  char **envp;      ///< up to a null pointer
  uint32_t *status; ///< what main returns, 8 bits: the largest of all threads'
} xcc_program_arguments;
XCC_STATIC_ASSERT(sizeof(xcc_program_arguments) == 32,
                  "xcc_program_arguments layout");

// Calls of host functions by device code.

/// The directions in which a segment's bytes are copied; a set of bits.
enum xcc_segment_direction {
  XCC_SEGMENT_IN = 1,  ///< from the device to the host, before the call
  XCC_SEGMENT_OUT = 2, ///< from the host to the device, after it
  XCC_SEGMENT_NULL = 4 ///< stands for a null pointer; size is 0
};

/// A piece of a host call's message. On a device, data is where the bytes are
/// read and written. On the host, data is a copy that is aligned to 16 bytes; it
/// is not initialised without XCC_SEGMENT_IN.
///
///     0      8      16          24
///     | data | size | direction |
typedef struct xcc_segment {
  void *data;
  uint64_t size;      ///< bytes
  uint64_t direction; ///< enum xcc_segment_direction
} xcc_segment;
XCC_STATIC_ASSERT(sizeof(xcc_segment) == 24, "xcc_segment layout");

/// A host function that device code calls by number. May throw.
typedef struct xcc_host_entry {
  uint64_t id; ///< a hash of the entry's name: the same in every pass
  void (*call)(xcc_segment *segments);
  const char *name; ///< the function's, for messages
} xcc_host_entry;
XCC_STATIC_ASSERT(sizeof(xcc_host_entry) == 24, "xcc_host_entry layout");

/// The entries of one translation unit, ascending by id; the runtime links the
/// tables of a process.
typedef struct xcc_host_table {
  struct xcc_host_table *next; ///< the runtime's
  const xcc_host_entry *entries;
  uint64_t count;
} xcc_host_table;
XCC_STATIC_ASSERT(sizeof(xcc_host_table) == 24, "xcc_host_table layout");

#ifdef __cplusplus
}
#endif
#endif // XCC_ABI_H
