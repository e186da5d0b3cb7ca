// The C interface of libxcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, memory, streams, events and launches for programs built by xcc, and
// for other languages that bind to it. The C++ layer in <xcc/host.h> is thin
// and adds nothing but exceptions and ownership.
//
// Errors. Every function that can fail returns an xcc_status. When it is not
// XCC_SUCCESS, xcc_error_last() describes the calling thread's failure. A
// failure of a kernel that runs belongs to its stream: the next call that waits
// for the stream reports it, once, and the stream is usable again. A wait for
// the whole device reports it too, but the stream keeps it until the thread that
// launched the kernel has got it. Copies and fills that wait report the failures
// of launches by their own thread, and by threads that have ended. A function
// that fails writes no result.
//
// Threads. Every function may be called from any thread at any time, unless
// its comment says otherwise. The current device is a property of the thread.
//
// Parameters. Comments do not repeat what follows.
// * stream, event, graph, error, source, mapping, scope, binary: an object of
//   this library, which the call borrows. A null stream is the current device's
//   default stream.
// * kernel, info, place: a descriptor. Descriptors are constants of the linked
//   unit that holds the kernel, and nobody frees them.
// * device: an ordinal, from 0 on; -1 where the comment says so.
// * bytes, size: a number of bytes.
// * count: a number of elements, of what the pointer beside it points to.
// * pointer: where the address of memory is returned, or memory to be freed.
// * to, from, begin, element: memory that the caller owns, of the host or of any
//   device. Calls that return at once read and write it in stream order, unless
//   their comment says otherwise.
// * extent, pitch, to_pitch, from_pitch: structures that the call reads before
//   it returns.
// * config, options, kernarg, params, types, type: what the call reads before it
//   returns.
// * name, file, line, why: text, and a place in a source, for messages and
//   searches. Text is copied, unless the comment says how long it must live.
//   file may be null, with line 0, if the place is not known.
// * A pointer to a pointer is where a function returns an object or an address.

#ifndef XCC_RUNTIME_H
#define XCC_RUNTIME_H

#include <xcc/abi.h>

#ifdef XCC_API
// libxcc itself: not part of the interface.
#define XCC_RENAMED(before, now)
#elif defined(__GNUC__)
#define XCC_API __attribute__((visibility("default")))
#else
#define XCC_API
#define XCC_RENAMED(before, now)
#endif

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// The result of a call. The numbers are stable.
typedef enum xcc_status {
  XCC_SUCCESS = 0,
  XCC_ERROR_INVALID_VALUE = 1,    ///< an argument is not usable
  XCC_ERROR_INVALID_KERNEL = 2,   ///< a descriptor is null, foreign or stale
  XCC_ERROR_INVALID_LAUNCH = 3,   ///< grid, block or shared memory out of range
  XCC_ERROR_INVALID_IMAGE = 4,    ///< embedded device code is damaged
  XCC_ERROR_NO_IMAGE = 5,         ///< no embedded image fits the device
  XCC_ERROR_INVALID_DEVICE = 6,   ///< no such device here
  XCC_ERROR_OUT_OF_MEMORY = 7,    ///< memory of any kind ran out
  XCC_ERROR_LAUNCH_FAILED = 8,    ///< a kernel stopped with an error
  XCC_ERROR_NOT_READY = 9,        ///< a query: the work has not ended yet
  XCC_ERROR_SYSTEM = 10,          ///< the operating system refused something
  XCC_ERROR_INVALID_SOURCE = 11,  ///< a source does not compile
  XCC_STATUS_32_BITS = 0x7fffffff ///< no status: fixes the type's range
} xcc_status;

/// Returns the name of a status, for example "XCC_ERROR_NO_IMAGE". The string
/// is static. Numbers that are no status have one too.
XCC_API const char *xcc_status_name(xcc_status status);

/// Describes the calling thread's last failed call in one sentence; "" if none
/// has failed. The string is valid until the thread's next call that fails.
XCC_API const char *xcc_error_last(void);

/// A failure that is kept after later calls fail. Immutable, with a reference
/// count. Any thread may use it.
typedef struct xcc_error xcc_error;

/// Copies the calling thread's last failure. The caller owns one reference, and
/// gives it back with xcc_error_release. Returns null if memory ran out.
XCC_API xcc_error *xcc_error_capture(void);
/// Adds a reference, and returns \p error.
XCC_API xcc_error *xcc_error_retain(xcc_error *error);
/// Drops a reference. The last one frees the error. Null is ignored.
XCC_API void xcc_error_release(xcc_error *error);

/// Returns the status of the failed call.
XCC_API xcc_status xcc_error_status(const xcc_error *error);
/// Returns the message, as xcc_error_last gave it. This string and those below
/// live as long as the error.
XCC_API const char *xcc_error_message(const xcc_error *error);
/// Returns the name of the kernel that failed, "" if the failure is about no
/// kernel.
XCC_API const char *xcc_error_kernel(const xcc_error *error);
/// Returns the file and line of the launch, "" and 0 if they are not known.
XCC_API const char *xcc_error_file(const xcc_error *error);
XCC_API uint32_t xcc_error_line(const xcc_error *error);
/// Returns the ordinal of the device that the failure is about, -1 if there is
/// none.
XCC_API int xcc_error_device(const xcc_error *error);

/// A C++ exception that left a kernel. Strings are never null, and "" where
/// something is not known. Everything lives as long as the error.
typedef struct xcc_device_exception {
  const char *type;     ///< for reading: "std::out_of_range"
  const char *symbol;   ///< as std::type_info::name() has it
  const char *what;     ///< what() of a std::exception
  const char *function; ///< that threw it, for reading
  const char *file;     ///< of the throw; known if it has debug information
  uint32_t line;
  /// UINT32_MAX: not known.
  uint32_t block[3], thread[3];
  uint64_t others;    ///< how many more threads were seen to fail
  int is_standard;    ///< a std::exception, with a what()
  const void *object; ///< its bytes; null: not known, or too many
  uint64_t size;
} xcc_device_exception;

/// Returns the exception that a failure is about; null if it is about something
/// else. It lives as long as the error.
XCC_API const xcc_device_exception *xcc_error_exception(const xcc_error *error);

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// Properties of a device. They do not change. Strings live as long as the
/// process.
typedef struct xcc_device_properties {
  const char *name;          ///< "Intel(R) Xeon(R) ..."
  const char *kind;          ///< "host", "cuda" or "hsa"
  const char *arch;          ///< what --offload-arch= calls it: "x86-64-v3"
  const char *id;            ///< what XCC_DEVICE calls it: "host", "cuda:0"
  uint64_t total_memory;     ///< bytes
  uint64_t shared_memory;    ///< largest group segment of a block, bytes
  uint32_t compute_units;    ///< cores, multiprocessors or compute units
  uint32_t warp_size;        ///< threads
  uint32_t max_block;        ///< threads in a block
  uint32_t max_block_dim[3]; ///< threads in each dimension
  uint64_t max_grid_dim[3];  ///< blocks in each dimension; with the block's
                             ///< threads always below 2^31 threads
} xcc_device_properties;

/// Counts in \p count the devices that the program can use: GPUs for which a
/// linked unit has an image or that XCC_DEVICE names, and the host, which is
/// last. The first call that needs a device fixes the count.
XCC_API xcc_status xcc_device_count(int *count);
/// Describes device number \p device in \p properties. XCC_ERROR_INVALID_DEVICE
/// if there is none.
XCC_API xcc_status xcc_device_get_properties(int device,
                                             xcc_device_properties *properties);
/// Returns the bytes of a device's memory that are \p free, and the \p total.
/// For the CPU device, \p free is what the system can give without paging. Other
/// processes may allocate between this call and the next.
XCC_API xcc_status xcc_device_get_memory(int device, uint64_t *free,
                                         uint64_t *total);
/// Returns the calling thread's device: the one that the thread has set, else
/// the one that XCC_DEVICE names, else the first that has an image of every
/// linked unit. Fails if XCC_DEVICE names no device of this machine, or if no
/// device has all images.
XCC_API xcc_status xcc_device_get_current(int *device);
/// Sets the calling thread's device. Other threads keep theirs.
XCC_API xcc_status xcc_device_set_current(int device);
/// Waits for all work that was enqueued on a device before the call (-1: the
/// current device). Reports the first error that no such call has reported yet.
XCC_API xcc_status xcc_device_synchronize(int device);
/// Sets the stack of each thread, in bytes, for kernels of a GPU whose stack
/// use is not known: those with recursion, calls through pointers, or arrays of
/// variable length (-1: the current device). It is used by kernels that are
/// launched on that device for the first time after this call. It replaces
/// XCC_CUDA_STACK or XCC_HSA_STACK and has the same bounds, else
/// XCC_ERROR_INVALID_VALUE. A device reserves such a stack for all threads that
/// it can hold. XCC_ERROR_INVALID_DEVICE for the host: XCC_CPU_STACK is read
/// when the program starts.
XCC_API xcc_status xcc_device_set_stack(int device, size_t bytes);

/// Numbers of a device that not every driver tells.
typedef enum xcc_device_number {
  XCC_DEVICE_CLOCK,        ///< the highest, in kHz
  XCC_DEVICE_MEMORY_CLOCK, ///< the highest, in kHz
  XCC_DEVICE_MEMORY_BUS,   ///< width in bits
  XCC_DEVICE_CACHE,        ///< the second level's size in bytes
  XCC_DEVICE_REGISTERS,    ///< of 32 bits, for the threads of a block
  XCC_DEVICE_STACK         ///< bytes for a thread, if its use is not known
} xcc_device_number;
/// Stores in \p value what number \p what of a device is (-1: the current
/// device); 0 if it is not known.
XCC_API xcc_status xcc_device_get_number(int device, xcc_device_number what,
                                         uint64_t *value);

/*===-- What device code may ask of the host ------------------------------===*/

/** Kinds of services, as bits. */
typedef enum xcc_service {
  XCC_SERVICE_OUTPUT = 1,       /**< stdout and stderr */
  XCC_SERVICE_INPUT = 2,        /**< stdin */
  XCC_SERVICE_READ_FILES = 4,   /**< fopen for reading */
  XCC_SERVICE_WRITE_FILES = 8,  /**< fopen for anything else, remove, rename,
                                     dprintf to other descriptors than 1, 2 */
  XCC_SERVICE_ENVIRONMENT = 16, /**< getenv */
  XCC_SERVICE_PROCESS = 32,     /**< system, exit */
  XCC_SERVICE_HOST_CALLS = 64,  /**< functions of the program */
  XCC_SERVICE_ALL = 127
} xcc_service;

/** Denies \p services (xcc_service bits) to the device code of this process, for
 *  good: no call gives them back. Calls of device code that begin after this
 *  returns fail with EPERM; getenv finds nothing; exit, and a call of a function
 *  of the program, end the launch with an error. Open files stay open. Memory,
 *  time and traps are always served. XCC_ERROR_INVALID_VALUE for other bits.
 *
 *  Use it in programs that load kernels of others. It is about what device code
 *  asks the host for, and GPUs can do nothing else. Kernels on the CPU device run
 *  in this process and can do what the process can: do not run foreign kernels
 *  there. XCC_DENY_SERVICES=NAME,... in the environment does the same (output,
 *  input, read-files, write-files, environment, process, host-calls, all). */
XCC_API xcc_status xcc_services_deny(uint32_t services);
/** Returns the services that device code may use, as bits. */
XCC_API uint32_t xcc_services_allowed(void);

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

/// An ordered sequence of work. Work in one stream runs in the order in which
/// it was enqueued. Several streams run at the same time. A null stream is the
/// current device's default stream. All threads share it, and it is not ordered
/// with other streams.
typedef struct xcc_stream xcc_stream;

/// Creates a stream of the calling thread's device. Free it with
/// xcc_stream_destroy or xcc_stream_release.
XCC_API xcc_status xcc_stream_create(xcc_stream **stream);
/// Creates a stream with a priority. Lower numbers are more urgent; other
/// streams have 0. Where the device has a choice, it begins work of the more
/// urgent stream first. Work that runs is not interrupted.
/// XCC_ERROR_INVALID_VALUE outside the range of xcc_device_get_priorities.
XCC_API xcc_status xcc_stream_create_with_priority(int priority,
                                                   xcc_stream **stream);
/// Returns the range of a device's priorities (-1: the current device): \p
/// least is 0 or more, \p greatest is 0 or less. Both are 0 if the device has
/// no priorities.
XCC_API xcc_status xcc_device_get_priorities(int device, int *least,
                                             int *greatest);
/// Waits for the stream's work and frees the stream. Reports an error that was
/// not reported yet. The stream is freed in that case too.
XCC_API xcc_status xcc_stream_destroy(xcc_stream *stream);
/// Does the same for callers that cannot handle an error, such as destructors.
/// The error is kept for the next wait for the stream's device, or printed when
/// the program ends.
XCC_API void xcc_stream_release(xcc_stream *stream);
/// Waits for the stream's work, and reports its error once.
XCC_API xcc_status xcc_stream_synchronize(xcc_stream *stream);
/// Returns XCC_SUCCESS if all work of the stream has ended, XCC_ERROR_NOT_READY
/// if not, or the error of work that failed. Does not wait.
XCC_API xcc_status xcc_stream_query(xcc_stream *stream);
/// Calls \p function with \p data on a thread of the host when all earlier work
/// of the stream has ended. Later work waits until it returns. The function
/// must not wait for work of the stream's device, and must not throw. It is not
/// called if the device has failed before. \p data stays the caller's.
XCC_API xcc_status xcc_stream_call(xcc_stream *stream, void (*function)(void *),
                                   void *data);
/// Returns the ordinal of the stream's device.
XCC_API xcc_status xcc_stream_device(xcc_stream *stream, int *device);

/// A point in a stream. It belongs to the device that is current when it is
/// created.
typedef struct xcc_event xcc_event;
/// Makes later work of the stream wait for the point that the event recorded
/// last. If the event was never recorded, nothing waits.
XCC_API xcc_status xcc_stream_wait_event(xcc_stream *stream, xcc_event *event);

/// Creates an event. Free it with xcc_event_destroy.
XCC_API xcc_status xcc_event_create(xcc_event **event);
/// Frees an event.
XCC_API xcc_status xcc_event_destroy(xcc_event *event);
/// Moves the event to the present end of the stream.
XCC_API xcc_status xcc_event_record(xcc_event *event, xcc_stream *stream);
/// Waits until the stream has reached the recorded point, and reports that
/// stream's error. Returns at once if the event was never recorded.
XCC_API xcc_status xcc_event_synchronize(xcc_event *event);
/// Returns XCC_SUCCESS if the stream has reached the recorded point, else
/// XCC_ERROR_NOT_READY. Does not wait.
XCC_API xcc_status xcc_event_query(xcc_event *event);
/// Returns the time between two recorded points, in \p milliseconds.
/// XCC_ERROR_NOT_READY until the streams have reached both.
XCC_API xcc_status xcc_event_elapsed(const xcc_event *from, const xcc_event *to,
                                     double *milliseconds);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Allocates \p bytes of the current device's memory, aligned to at least 64
/// bytes. The memory is not cleared. Zero bytes give a null pointer.
XCC_API xcc_status xcc_memory_alloc(size_t bytes, void **pointer);
/// Frees memory of xcc_memory_alloc, xcc_memory_alloc_async or
/// xcc_memory_alloc_pitched, after its device's work so far has ended. Null is
/// ignored.
XCC_API xcc_status xcc_memory_free(void *pointer);

/// Allocates \p bytes of host memory that the current device's kind copies from
/// and to fastest, without blocking the calling thread. It is aligned to at
/// least 64 bytes and not cleared.
XCC_API xcc_status xcc_memory_alloc_host(size_t bytes, void **pointer);
/// Frees memory of xcc_memory_alloc_host, after its device's work so far has
/// ended. Null is ignored.
XCC_API xcc_status xcc_memory_free_host(void *pointer);

/// Allocates memory that the host and kernels of the current device's kind use
/// at the same address. The host must not use it while a kernel that uses it is
/// in flight. On NVIDIA GPUs pages move to the side that accesses them. On AMD
/// GPUs the memory is the host's, and kernels access it through the bus.
/// XCC_ERROR_INVALID_DEVICE if the device has no such memory.
XCC_API xcc_status xcc_memory_alloc_managed(size_t bytes, void **pointer);
/// Frees memory of xcc_memory_alloc_managed, after its device's work so far has
/// ended. Null is ignored.
XCC_API xcc_status xcc_memory_free_managed(void *pointer);

/// Page-locks host memory that the program has allocated. Copies from and to it
/// are then fastest and do not block the calling thread, and kernels of the
/// current device's kind can access it at its address. The memory must stay
/// allocated until xcc_memory_unregister. Registered ranges must not overlap.
XCC_API xcc_status xcc_memory_register(void *pointer, size_t bytes);
/// Waits for the device's work so far and undoes xcc_memory_register.
XCC_API xcc_status xcc_memory_unregister(void *pointer);

/// Whose memory an address is in.
typedef enum xcc_memory_kind {
  XCC_MEMORY_UNKNOWN = 0, ///< not the runtime's: of malloc, a stack, ...
  XCC_MEMORY_DEVICE =
      1,               ///< xcc_memory_alloc, xcc_memory_alloc_async, a variable
  XCC_MEMORY_HOST = 2, ///< xcc_memory_alloc_host
  XCC_MEMORY_MANAGED = 3,   ///< xcc_memory_alloc_managed
  XCC_MEMORY_REGISTERED = 4 ///< xcc_memory_register
} xcc_memory_kind;
/// The allocation that an address is in.
typedef struct xcc_memory_info {
  xcc_memory_kind kind; ///< whose it is
  int device;           ///< that gave it; -1 of unknown memory
  void *begin;          ///< of the allocation; null of unknown memory
  uint64_t size;        ///< in bytes
} xcc_memory_info;
/// Describes in \p info the allocation that \p at is in. Unknown memory is not
/// an error. The allocation may be one that another thread has just freed.
XCC_API xcc_status xcc_memory_find(const void *at, xcc_memory_info *info);

/// Allocates memory of the stream's device for work that is enqueued in the
/// stream after this call. Other streams may use it once this stream has
/// reached the allocation.
XCC_API xcc_status xcc_memory_alloc_async(size_t bytes, xcc_stream *stream,
                                          void **pointer);
/// Frees memory when the stream reaches this point. Null is ignored. Later
/// calls must not use the pointer.
XCC_API xcc_status xcc_memory_free_async(void *pointer, xcc_stream *stream);

/// The pool of xcc_memory_alloc_async and xcc_memory_free_async. A device
/// without a pool keeps no freed memory.
typedef struct xcc_pool_info {
  uint64_t used;  ///< bytes that are allocated in stream order
  uint64_t kept;  ///< bytes that were freed and stay with the process
  uint64_t limit; ///< the most bytes that are kept when a stream is waited for
} xcc_pool_info;
/// Describes the pool of a device in \p info (-1: the current device).
XCC_API xcc_status xcc_device_get_pool(int device, xcc_pool_info *info);
/// Sets the limit of a device's pool, in bytes (-1: the current device). On
/// NVIDIA GPUs it is UINT64_MAX at first: all freed memory is kept until memory
/// runs out. On the CPU device it is 256 MiB, or a sixteenth of the machine's
/// memory if that is less. Has no effect on a device without a pool.
XCC_API xcc_status xcc_device_set_pool_limit(int device, uint64_t bytes);
/// Returns freed memory beyond \p keep bytes to the system, after the device's
/// work so far has ended.
XCC_API xcc_status xcc_device_trim_pool(int device, uint64_t keep);

/// Copies \p bytes between any two places in host memory or in memory of any
/// device, and returns when the copy is done. First waits for the earlier work
/// of the current device and of the devices that own the memory. Reports its
/// own failure, and failures of launches by the calling thread. Failures of
/// other threads' launches stay with their streams.
XCC_API xcc_status xcc_memory_copy(void *to, const void *from, size_t bytes);
/// Sets \p bytes of memory to \p byte. Waits and reports as xcc_memory_copy.
XCC_API xcc_status xcc_memory_fill(void *to, int byte, size_t bytes);
/// Copies in stream order. Both ranges must stay valid, and must not be
/// changed, until the stream has done the copy.
XCC_API xcc_status xcc_memory_copy_async(void *to, const void *from,
                                         size_t bytes, xcc_stream *stream);
/// Sets \p bytes of memory to \p byte in stream order.
XCC_API xcc_status xcc_memory_fill_async(void *to, int byte, size_t bytes,
                                         xcc_stream *stream);
/// Fills memory with \p count copies of an element of \p size bytes. The
/// element is read before the call returns. Waits and reports as
/// xcc_memory_copy.
XCC_API xcc_status xcc_memory_fill_elements(void *to, const void *element,
                                            size_t size, size_t count);
/// Does the same in stream order.
XCC_API xcc_status xcc_memory_fill_elements_async(void *to, const void *element,
                                                  size_t size, size_t count,
                                                  xcc_stream *stream);
/// The size of an image or volume, or of a part: rows that are one pitch apart,
/// and slices of such rows.
typedef struct xcc_extent {
  size_t width;  ///< bytes of a row that count
  size_t height; ///< rows of a slice
  size_t depth;  ///< slices; 1 for an image
} xcc_extent;
/// The distances between rows and slices, in bytes.
typedef struct xcc_pitch {
  size_t row;   ///< from the beginning of a row to the next one's
  size_t slice; ///< the same of slices; 0: they follow each other, height * row
} xcc_pitch;

/// Allocates memory of the current device for an extent. Each row begins where
/// the device reads it fastest; \p pitch returns the distances. Free it with
/// xcc_memory_free. An empty extent gives a null pointer.
XCC_API xcc_status xcc_memory_alloc_pitched(const xcc_extent *extent,
                                            xcc_pitch *pitch, void **pointer);
/// Copies an extent, as xcc_memory_copy does. Bytes between rows are not
/// changed. Rows of the source must not overlap rows of the destination.
XCC_API xcc_status xcc_memory_copy_pitched(void *to, const xcc_pitch *to_pitch,
                                           const void *from,
                                           const xcc_pitch *from_pitch,
                                           const xcc_extent *extent);
/// Does the same in stream order.
XCC_API xcc_status xcc_memory_copy_pitched_async(
    void *to, const xcc_pitch *to_pitch, const void *from,
    const xcc_pitch *from_pitch, const xcc_extent *extent, xcc_stream *stream);
/// Fills an extent, as xcc_memory_fill_elements does. Its width must be a
/// multiple of \p size.
XCC_API xcc_status xcc_memory_fill_pitched(void *to, const xcc_pitch *pitch,
                                           const void *element, size_t size,
                                           const xcc_extent *extent);
/// Does the same in stream order.
XCC_API xcc_status xcc_memory_fill_pitched_async(
    void *to, const xcc_pitch *pitch, const void *element, size_t size,
    const xcc_extent *extent, xcc_stream *stream);

/// Fails if \p count objects are more than \p room. For libraries on top of this
/// one, which copy objects and not bytes.
XCC_API xcc_status xcc_check_room(size_t count, size_t room);
/// Fails unless the \p given size of an image, in elements, is the \p wanted one.
XCC_API xcc_status xcc_check_extent(size_t given, size_t wanted);
/// Fails if the number of a loop's indices is negative, or was negative before
/// it became a size_t. \p file and \p line are the loop's place in the source;
/// null and 0 if unknown.
XCC_API xcc_status xcc_check_indices(size_t count, const char *file,
                                     uint32_t line);
/// Fails if an algorithm's range has \p room for less than \p count elements.
/// \p what names the range in the message.
XCC_API xcc_status xcc_check_range(const char *what, size_t count, size_t room,
                                   const char *file, uint32_t line);

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Bits of xcc_launch_config::flags.
enum xcc_launch_flags {
  /// All blocks run at once, or the launch fails.
  XCC_LAUNCH_COOPERATIVE = 1,
  /// For xcc::parallel_for: if the row of the kernel says that one thread can
  /// compute several indices, the device may launch fewer blocks.
  XCC_LAUNCH_LOOP = 2
};

/// How to launch. Initialise it with zeros, then set the fields that you need.
typedef struct xcc_launch_config {
  uint32_t grid[3];      ///< blocks in each dimension, at least 1
  uint32_t block[3];     ///< threads in each dimension, at least 1
  uint64_t shared_bytes; ///< dynamic block-shared memory
  xcc_stream *stream;    ///< null: the current device's default stream
  const char *file;      ///< the launch's place, for messages; may be null.
                         ///< Must stay valid until the kernel has ended
  uint32_t line;
  uint32_t flags; ///< enum xcc_launch_flags
} xcc_launch_config;

/// Enqueues a kernel and returns. \p kernarg holds \p size bytes of arguments,
/// laid out as the descriptor says. They are copied before the call returns.
/// The first launch of a kernel on a device loads the image of its linked unit
/// there.
///     xcc_launch_config config = {{blocks, 1, 1}, {256, 1, 1}};
///     xcc_status status =
///         xcc_kernel_launch(kernel, &config, &args, sizeof(args));
XCC_API xcc_status xcc_kernel_launch(const xcc_kernel_info *kernel,
                                     const xcc_launch_config *config,
                                     const void *kernarg, size_t size);

/*===-- Graphs -------------------------------------------------------------===*/

/// Launches, copies and fills that are recorded once and launched as one.
/// Launching a graph costs less than enqueuing its steps one by one. A graph
/// belongs to the device of the stream in which it was recorded. Any thread may
/// use it.
typedef struct xcc_graph xcc_graph;

/// Begins to record a stream. Until xcc_graph_end, launches with their
/// arguments, copies, fills and launches of graphs are recorded, not enqueued,
/// from any thread.
/// Every other call with the stream fails: events, calls of the host, waits,
/// allocation in stream order, and mapping. In the calling thread, allocations,
/// waits for the device, copies and fills that wait, and work for the default
/// stream fail too, because the graph would not contain them.
/// A launch on a device with memory of its own fails if it refers to memory
/// that has to be mapped. The default stream cannot be recorded.
XCC_API xcc_status xcc_graph_begin(xcc_stream *stream);
/// Ends the recording, in the thread that began it, and returns the graph in \p
/// graph. If \p graph is null, the recording is discarded. If a call could not
/// be recorded, this fails as the first such call did.
XCC_API xcc_status xcc_graph_end(xcc_stream *stream, xcc_graph **graph);
/// Returns how many steps were recorded so far. This is the number of the next
/// step.
XCC_API xcc_status xcc_stream_recorded(xcc_stream *stream, uint64_t *steps);
/// Enqueues all \p steps of a graph in their order, with their present arguments.
/// A step that fails is reported as a launch that fails, and the other steps
/// run. The graph may be launched again while it runs, in any stream of its
/// device.
XCC_API xcc_status xcc_graph_launch(xcc_graph *graph, xcc_stream *stream);
/// Returns the number of steps.
XCC_API xcc_status xcc_graph_size(xcc_graph *graph, uint64_t *steps);
/// Replaces steps of a graph, from number \p first on, by all steps of \p with,
/// a graph of the same device. They may have other arguments, sizes and
/// kernels. Earlier launches are not affected. \p with is not changed.
XCC_API xcc_status xcc_graph_update(xcc_graph *graph, uint64_t first,
                                    xcc_graph *with);
/// Frees a graph. Its launches continue. Null is ignored.
XCC_API xcc_status xcc_graph_destroy(xcc_graph *graph);

/// The resources that a kernel needs on a device.
typedef struct xcc_kernel_properties {
  uint32_t shared_size;  ///< static block-shared memory, bytes
  uint32_t scratch_size; ///< private memory of each thread, bytes
  uint32_t max_threads;  ///< the largest block it may be launched with
  uint32_t reserved;
} xcc_kernel_properties;

/// Loads a kernel on the current device, so that the first launch does not have
/// to, and describes what it needs in \p properties, which may be null.
XCC_API xcc_status xcc_kernel_prepare(const xcc_kernel_info *kernel,
                                      xcc_kernel_properties *properties);

/// Finds the kernel of a \p function of the host by the function's address. The
/// function is marked __global__, and some unit takes its address. \p file and
/// \p line are the place of the launch, for the message; \p file may be null.
XCC_API xcc_status xcc_kernel_of_function(const void *function,
                                          const char *file, uint32_t line,
                                          const xcc_kernel_info **kernel);

/*===-- Code that is generated as the program runs ------------------------===*/

/** How a kernel is generated. A field that is 0 stands for the setting with which
 *  the program was built; opt_level has -1 for that. */
typedef struct xcc_jit_options {
  uint32_t size;      /**< sizeof(xcc_jit_options) */
  int32_t opt_level;  /**< 0 to 3; -1: as the program was built with */
  uint32_t fast_math; /**< 1: as -ffast-math, for all that the kernel reaches */
  uint32_t max_threads; /**< launch bounds: the largest block, */
  uint32_t min_blocks;  /**< and blocks on a compute unit, as a wish */
  uint32_t reserved;    /**< 0 */
  const char *arch; /**< as in --offload-arch=, one that the device can run */
  /** Changes the kernel's module before code is generated. The module is an
   *  LLVMModuleRef of the LLVM that libxcc-jit is linked with; it is linked and
   *  not optimised, and the kernel is the function that has the descriptor's
   *  symbol. Returns 0, or another number to give up. Called once, on a thread
   *  of the runtime, before xcc_kernel_generate returns. */
  int (*transform)(void *module, void *user);
  void *user;
} xcc_jit_options;

/// Generates code for a kernel again, for the current device, from the
/// program's portable image. \p made is a descriptor for launches on that
/// device. It lives as long as the program or library of the kernel. The same
/// kernel with the same options is generated once, unless there is a transform.
/// XCC_ERROR_NO_IMAGE if there is no portable image, or if the kernel's code
/// cannot exist twice because it has variables of its own or calls through
/// pointers. XCC_ERROR_INVALID_IMAGE if no code could be generated. In both
/// cases the kernel is not changed.
XCC_API xcc_status xcc_kernel_generate(const xcc_kernel_info *kernel,
                                       const xcc_jit_options *options,
                                       const xcc_kernel_info **made);

/// Finds a kernel by its name in all linked units of the process. \p name is
/// xcc_kernel_info::name or ::symbol. XCC_ERROR_INVALID_KERNEL if no kernel or
/// several have the name, or if \p params is not null and the kernel has other
/// parameters.
XCC_API xcc_status xcc_kernel_find(const char *name,
                                   const xcc_argument_place *params,
                                   uint32_t count,
                                   const xcc_kernel_info **kernel);

/// What a generated kernel may assume about its launches in addition to values.
/// Bits.
enum xcc_constant_shape {
  XCC_CONSTANT_BLOCK = 1,
  XCC_CONSTANT_GRID = 2,
  /// Properties of the addresses in the arguments: whether each is in an
  /// allocation of its own, and its alignment.
  XCC_CONSTANT_POINTERS = 4
};

/// Finds or generates the kernel for a launch whose arguments are known. The \p
/// count ranges of \p kernarg are numbers of at most 8 bytes. The new code
/// knows their values, and what \p shape names (enum xcc_constant_shape): the
/// block, the grid, properties of addresses. Use \p made for launches with
/// these values on the config's device only. If no code can be generated, \p
/// made is the kernel itself, and XCC_LOG=load says why.
XCC_API xcc_status xcc_kernel_specialize(const xcc_kernel_info *kernel,
                                         const xcc_launch_config *config,
                                         const void *kernarg,
                                         const xcc_argument_place *ranges,
                                         uint32_t count, uint32_t shape,
                                         const xcc_kernel_info **made);

/*===-- Source that is compiled as the program runs -----------------------===*/

/** A header that exists as text. */
typedef struct xcc_source_header {
  const char *name; /**< as an #include has it */
  const char *text;
  uint64_t size; /**< bytes of text */
} xcc_source_header;

/** How a source is compiled. Pointers may be null where their count is 0. */
typedef struct xcc_source_options {
  uint32_t size;     /**< sizeof(xcc_source_options) */
  uint32_t reserved; /**< 0 */
  const char *name;  /**< what messages call the text; null: "source" */
  const char *arch; /**< as --offload-arch=; null: that of the current device */
  const char *const *arguments; /**< options of xcc's, as on its command line */
  uint64_t argument_count;
  const xcc_source_header *headers;
  uint64_t header_count;
  const char *const *kernels; /**< expressions that name more kernels */
  uint64_t kernel_count;
  /** A file in the include folder of an installation of xcc. Its lib folder is
   *  searched if the system does not find libxcc-rtc; null: not known. */
  const char *beside;
  double seconds; /**< the longest time that compiling may take; 0: no limit */
  /** The most bytes of memory that compiling may add to the process; 0: no
   *  limit. */
  uint64_t memory;
} xcc_source_options;

/// How severe a diagnostic of the compiler is.
enum xcc_source_level {
  XCC_SOURCE_NOTE = 0, /**< to the diagnostic before it */
  XCC_SOURCE_REMARK = 1,
  XCC_SOURCE_WARNING = 2,
  XCC_SOURCE_ERROR = 3
};

/** A message of the compiler. Strings live as long as the source. */
typedef struct xcc_source_diagnostic {
  const char *message;
  const char *file;      /**< "" if the message has no place */
  uint32_t line, column; /**< from 1 on; 0 if the message has no place */
  uint32_t level;        /**< enum xcc_source_level */
  uint32_t reserved;
} xcc_source_diagnostic;

/** A type, for comparison with that of a parameter or variable. */
typedef struct xcc_source_type {
  const char *mangled; /**< as the Itanium C++ ABI has it; null: not known. For
                        *   a reference, the name of the pointer type */
  uint32_t size;       /**< bytes in the kernarg segment, or of the variable */
  uint32_t reference;  /**< 1: an lvalue reference, 2: an rvalue reference */
} xcc_source_type;

/** A source that was compiled: its kernels and variables. It has a reference
 *  count. Any thread may use it. */
typedef struct xcc_source xcc_source;

/** Compiles C++ for devices, or finds the result on disk. \p text has \p size
 *  bytes. The caller owns one reference to \p source. After
 *  XCC_ERROR_INVALID_SOURCE there is a source too: it has the messages of the
 *  compiler. XCC_ERROR_NO_IMAGE if the compiler is not installed. */
XCC_API xcc_status xcc_source_compile(const char *text, uint64_t size,
                                      const xcc_source_options *options,
                                      xcc_source **source);
/** Adds a reference, and returns \p source. */
XCC_API xcc_source *xcc_source_retain(xcc_source *source);
/** Drops a reference. The last one waits for the kernels and unloads them. Null
 *  is ignored. */
XCC_API void xcc_source_release(xcc_source *source);
/** Returns all diagnostics as Clang prints them, a string that lives as long as
 *  the source, and their number in \p count. */
XCC_API const char *xcc_source_log(const xcc_source *source, uint64_t *count);
/** Writes diagnostic number \p index to \p diagnostic; zeroes beyond the last. */
XCC_API void xcc_source_get_diagnostic(const xcc_source *source, uint64_t index,
                                       xcc_source_diagnostic *diagnostic);
/** Finds a kernel by its \p name (xcc_kernel_info::name or ::symbol, or an
 *  expression of the options). Fails if it has not these \p count parameters;
 *  with null \p types, any will do. The descriptor lives as long as the source. */
XCC_API xcc_status xcc_source_kernel(const xcc_source *source, const char *name,
                                     const xcc_source_type *types,
                                     uint32_t count,
                                     const xcc_kernel_info **kernel);
/** Fails if arguments of these types do not fit the parameters of a kernel of the
 *  source. Arguments are not converted. */
XCC_API xcc_status xcc_source_check(const xcc_source *source,
                                    const xcc_kernel_info *kernel,
                                    const xcc_source_type *types,
                                    uint32_t count);
/** Finds a variable by its \p name, if it has this type: \p place is what
 *  xcc_symbol_address takes. The descriptor lives as long as the source. */
XCC_API xcc_status xcc_source_variable(const xcc_source *source,
                                       const char *name,
                                       const xcc_source_type *type,
                                       const xcc_kernel_info **place);
/** Returns kernel number \p index, in the source's order; null beyond the last. */
XCC_API const xcc_kernel_info *xcc_source_get_kernel(const xcc_source *source,
                                                     uint64_t index);

/// Returns the \p address of a global variable of \p size bytes in a device's
/// memory (an ordinal; -1: the current device). \p place is the descriptor of
/// xcc::symbol_place<...> for the variable; see <xcc/symbol.h>. The first call
/// runs that kernel and waits for it. Copies may use the memory like that of
/// xcc_memory_alloc. It is never freed.
XCC_API xcc_status xcc_symbol_address(const xcc_kernel_info *place, int device,
                                      uint64_t size, void **address);

/// Returns the \p block size, in threads, with the highest occupancy on the
/// current device, for this kernel and \p shared_bytes of dynamic shared
/// memory.
XCC_API xcc_status xcc_kernel_suggest_block(const xcc_kernel_info *kernel,
                                            uint64_t shared_bytes,
                                            uint32_t *block);
/// Returns how many \p blocks the current device runs at once, for blocks of \p
/// block[3] threads and \p shared_bytes of dynamic shared memory each.
XCC_API xcc_status xcc_kernel_cooperative_blocks(const xcc_kernel_info *kernel,
                                                 const uint32_t *block,
                                                 uint64_t shared_bytes,
                                                 uint32_t *blocks);

//===----------------------------------------------------------------------===//
// Mapping: host memory on devices with memory of their own
//===----------------------------------------------------------------------===//
//
// A device shares the host's memory or has memory of its own. In the second
// case, host memory that a launch's arguments refer to is mapped: it has a copy
// on the device. Every address in mapped memory that points into mapped memory
// becomes the address of the copy. The caller, who knows the types, collects a
// mapping: ranges of host memory, and where in them (or among the arguments)
// addresses are. <xcc/visit_members.h> does so for C++.
//
// What a launch maps for itself stays on the device while work that uses it is
// in flight, and is back on the host after the next synchronisation: of its
// stream, of its device, of an event recorded after it, or by a query of one of
// these that returns XCC_SUCCESS. Until then the host must not write what the
// launch refers to, and must not read what the kernel writes. That is the rule
// for work in flight on every device.

/// The ranges and addresses that are collected for one launch, scope or update.
/// Only one thread may use it.
typedef struct xcc_mapping xcc_mapping;

/// The directions in which a range's bytes are copied, and properties of the
/// range; a set of bits. 0: both directions, unless more is known.
enum xcc_map_flags {
  XCC_MAP_IN = 1,      ///< to the device, before kernels use it
  XCC_MAP_OUT = 2,     ///< to the host, after kernels wrote it
  XCC_MAP_KEEP = 4,    ///< no direction, unless another range adds one
  XCC_MAP_OBJECTS = 8, ///< its elements may hold addresses; an address that a
                       ///< kernel adds to them cannot be copied back
  XCC_MAP_CONST = 16,  ///< with XCC_MAP_IN, if it is so by the type and not by
                       ///< the user: kernels may write it by another path
  XCC_MAP_SINGLE = 32, ///< one object: an address one past it is another's
  XCC_MAP_NAMED = 64,  ///< the program names it itself
  XCC_MAP_OWNED =
      128, ///< one allocation of operator new, which the object that
           ///< holds its address frees by operator delete
  XCC_MAP_ARRAY = 256, ///< with XCC_MAP_OWNED: by new[] and delete[]
  /// With XCC_MAP_OWNED: an allocation of another allocator than std::allocator
  /// (xcc_mapping_allocator). If the allocator is not known, kernels may use the
  /// memory; what they allocate or free of it cannot be copied back.
  XCC_MAP_FOREIGN = 512,
  /// With XCC_MAP_OWNED: kernels may free it, but cannot allocate one that the
  /// host could use.
  XCC_MAP_UNMADE = 1024,
  XCC_MAP_PART = 2048, ///< visited together with the object that leads to it
  XCC_MAP_HELD = 4096 ///< with the direction of an update: ranges that no scope
                      ///< holds are left out
};

/// What an address means in the object that holds it. Bits are added to
/// XCC_ADDRESS_POINTER, _REFERENCE or _ROOM.
enum xcc_address_kind {
  XCC_ADDRESS_POINTER = 0,   ///< points to an element, or one past the last
  XCC_ADDRESS_REFERENCE = 1, ///< points to an object that begins there
  XCC_ADDRESS_ROOM = 2,  ///< place for an address, which a kernel may put there
  XCC_ADDRESS_CONST = 4, ///< bit: nothing is written through it
  XCC_ADDRESS_NONE = 8,  ///< bit of XCC_ADDRESS_ROOM: the host's value is not
                         ///< an address, even if it looks like one
  XCC_ADDRESS_END = 16,  ///< bit: the end of an array, if an array ends there
  XCC_ADDRESS_SCALAR = 32, ///< bit of XCC_ADDRESS_REFERENCE: the object has no
                           ///< parts
  XCC_ADDRESS_CONSTANT = 64, ///< bit of XCC_ADDRESS_POINTER: points to const
                             ///< elements. Memory that the program cannot
                             ///< write, as a string literal, needs no range
  XCC_ADDRESS_NUMBERS = 128  ///< bit of XCC_ADDRESS_CONSTANT: these elements
                             ///< hold no addresses
};

/// Begins a launch. If the stream's device shares the host's memory, this is
/// xcc_kernel_launch, and \p mapping is null. Otherwise nothing is launched yet:
/// the caller names ranges and addresses in \p mapping, and ends with
/// xcc_mapping_launch or xcc_mapping_cancel. Until then \p kernarg must stay
/// valid: addresses among the arguments are named by their place in it.
XCC_API xcc_status xcc_launch_begin(const xcc_kernel_info *kernel,
                                    const xcc_launch_config *config,
                                    const void *kernarg, size_t size,
                                    xcc_mapping **mapping);
/// Names host memory that the mapping refers to. The first \p bytes of it hold
/// values; \p allocated bytes are allocated, and addresses may point anywhere in
/// them. \p flags are xcc_map_flags. Returns 1 if the caller has to name the
/// addresses in the range and what they refer to. Returns 0 if it need not: the
/// range is known, or it is device memory. The call that ends the mapping
/// reports errors.
XCC_API int xcc_mapping_range(xcc_mapping *mapping, const void *begin,
                              uint64_t bytes, uint64_t allocated,
                              uint32_t flags);
/// A function that names the addresses in the elements of a range, \p bytes from
/// \p first on, and what they refer to.
typedef void xcc_mapping_visitor(xcc_mapping *mapping, void *first,
                                 uint64_t bytes);
/// Does the same as xcc_mapping_range, with the same \p allocated and \p flags, for
/// elements that may hold addresses. \p visitor names them. The runtime calls it again when kernels that allocate
/// memory have ended, with a mapping that copies back what they left in the
/// elements.
XCC_API int xcc_mapping_objects(xcc_mapping *mapping, const void *begin,
                                uint64_t bytes, uint64_t allocated,
                                uint32_t flags, xcc_mapping_visitor *visitor);
/// How the host allocates and frees memory of an object. The functions need only
/// the size. They may throw std::bad_alloc.
typedef struct xcc_mapping_allocator_functions {
  void *(*allocate)(uint64_t bytes);
  void (*deallocate)(void *memory, uint64_t bytes);
} xcc_mapping_allocator_functions;
/// Sets the \p functions of the XCC_MAP_FOREIGN ranges that are named after this
/// call; null: not known. They must live as long as the program.
XCC_API void
xcc_mapping_allocator(xcc_mapping *mapping,
                      const xcc_mapping_allocator_functions *functions);
/// Returns the host's address for \p at, which is an address of the host or of
/// the device. Null: only the device has that memory. For visitors that the
/// runtime calls.
XCC_API void *xcc_mapping_home(xcc_mapping *mapping, const void *at);
/// Translates the address at \p location, in an \p object of the host, if it
/// points into that object on the device. For visitors that the runtime calls.
XCC_API void xcc_mapping_within(xcc_mapping *mapping, void *location,
                                const void *object, uint64_t bytes);
/// Returns 1 if an \p object holds addresses of memory that only the device has.
/// For visitors that the runtime calls.
XCC_API int xcc_mapping_away(xcc_mapping *mapping, const void *object,
                             uint64_t bytes);
/// Names a \p location in a range, or among the arguments, that holds an address
/// (\p kind: enum xcc_address_kind).
XCC_API void xcc_mapping_address(xcc_mapping *mapping, const void *location,
                                 uint32_t kind);
/// Says, for messages, to what the ranges and addresses belong that are named
/// until xcc_mapping_leave: the member or variable \p name, a string that lives
/// as long as the program; if it is null, the element or parameter \p index.
XCC_API void xcc_mapping_enter(xcc_mapping *mapping, const char *name,
                               uint64_t index);
XCC_API void xcc_mapping_leave(xcc_mapping *mapping);
/// Makes the call that ends the mapping fail with the message \p why.
XCC_API void xcc_mapping_refuse(xcc_mapping *mapping, const char *why);
/// Begins a launch as xcc_launch_begin does, for a caller who names with
/// xcc_mapping_depends the objects that decide what is named. While the
/// arguments' addresses and the bytes of those objects are the same, every call
/// with that kernel names the same. If all of it was named before and is still
/// present, the kernel is launched and \p mapping is null.
XCC_API xcc_status xcc_launch_repeat(const xcc_kernel_info *kernel,
                                     const xcc_launch_config *config,
                                     const void *kernarg, size_t size,
                                     xcc_mapping **mapping);
/// Says that the bytes of \p object, a container for example, decide what is
/// named after this call. Addresses that are named themselves need no such call.
/// A null \p object: something else decides it, so each launch has to name it
/// again.
XCC_API void xcc_mapping_depends(xcc_mapping *mapping, const void *object,
                                 uint64_t bytes);
/// Maps what was named, launches, and frees the mapping, also when it fails:
/// then nothing was launched and host memory is as it was.
XCC_API xcc_status xcc_mapping_launch(xcc_mapping *mapping);
/// Does the same for a caller who can name everything again. If \p mapping is
/// not null when this returns, nothing was launched: kernels in flight have
/// ended meanwhile and changed objects in which addresses were found (by
/// swapping two vectors, for example). The mapping is empty then, and the caller
/// names everything again.
XCC_API xcc_status xcc_mapping_launch_visited(xcc_mapping **mapping);
/// Frees a mapping without a launch.
XCC_API void xcc_mapping_cancel(xcc_mapping *mapping);

/// Memory that stays on a device until the scope ends. Launches that use it copy
/// none of it. Scopes nest and overlap: memory that several hold stays until the
/// last one ends.
typedef struct xcc_scope xcc_scope;

/// Begins to collect ranges for a scope or an update on the stream's device.
/// \p file and \p line are its place in the source. \p mapping is null if the
/// device shares the host's memory: there is nothing to do.
XCC_API xcc_status xcc_mapping_begin(xcc_stream *stream, const char *file,
                                     uint32_t line, xcc_mapping **mapping);
/// Copies the collected ranges to the device and frees the mapping. \p scope
/// holds them until xcc_scope_end. A range of which only a part is present
/// already is an error. A null mapping gives a scope that holds nothing.
XCC_API xcc_status xcc_mapping_hold(xcc_mapping *mapping, xcc_scope **scope);
/// Copies the collected ranges, which scopes hold, to the device (\p direction
/// XCC_MAP_IN) or back (XCC_MAP_OUT), after the device's work so far, and frees
/// the mapping. XCC_MAP_OUT waits for the current device's work even with a null
/// mapping, if a device is in use. With XCC_MAP_HELD in \p direction, ranges
/// that no scope holds are left out; held ranges to which addresses in them
/// point are copied instead.
XCC_API xcc_status xcc_mapping_update(xcc_mapping *mapping, uint32_t direction);
/// Returns the bytes of the range around \p at that a scope holds on the current
/// device, and where it \p begin s; 0 if there is none. For a null \p at it
/// returns 1 if any scope holds anything there.
XCC_API uint64_t xcc_held_range(const void *at, void **begin);
/// Ends a scope: waits for the device, and copies back and frees what no other
/// scope holds. Only memory that kernels may have written is copied. The scope
/// is freed also if that fails. Null is ignored.
XCC_API xcc_status xcc_scope_end(xcc_scope *scope);
/// Does the same for callers that cannot handle an error, such as destructors.
/// The error is kept for the next wait for the device, or printed when the
/// program ends.
XCC_API void xcc_scope_release(xcc_scope *scope);

/// Makes \p count ranges of host memory present on the stream's device, for
/// compilers of other languages: \p pointers and \p sizes (bytes) are the
/// ranges. If an entry of \p bases is not null, it is a place in some range of
/// the call that holds an address of this range. \p flags are xcc_map_flags.
/// \p names, for messages, and its entries may be null, and live as long as the
/// program. The arrays are read before the call returns.
XCC_API xcc_status xcc_data_begin(xcc_stream *stream, uint32_t count,
                                  void *const *bases, void *const *pointers,
                                  const uint64_t *sizes, const uint32_t *flags,
                                  const char *const *names);
/// Copies each of \p count ranges in the directions of its \p flags. \p bases,
/// \p pointers, \p sizes and \p names are those of xcc_data_begin.
XCC_API xcc_status xcc_data_update(xcc_stream *stream, uint32_t count,
                                   void *const *bases, void *const *pointers,
                                   const uint64_t *sizes, const uint32_t *flags,
                                   const char *const *names);
/// Ends what one xcc_data_begin made present. \p count, \p bases, \p pointers,
/// \p sizes, \p flags and \p names are the same as in that call.
XCC_API xcc_status xcc_data_end(xcc_stream *stream, uint32_t count,
                                void *const *bases, void *const *pointers,
                                const uint64_t *sizes, const uint32_t *flags,
                                const char *const *names);

//===----------------------------------------------------------------------===//
// Linked units
//===----------------------------------------------------------------------===//

/// One image embedded in a linked unit. The strings are inside the unit.
typedef struct xcc_image_info {
  const void *data; ///< the image's bytes
  uint64_t size;
  const char *triple;
  const char *arch;
  const char *hash;    ///< hexadecimal FNV-1a of the bytes, "" when absent
  const char *kernels; ///< the kernel table as text, "" when absent
} xcc_image_info;

/// Calls \p visit with \p user for each image, until it returns non-zero.
XCC_API xcc_status xcc_binary_visit_images(
    const xcc_binary *binary,
    int (*visit)(const xcc_image_info *image, void *user), void *user);

/// Makes a unit's images known, so that a device can be chosen that has them
/// all. Called by the unit's own start-up code; starts nothing.
XCC_API void xcc_binary_register(xcc_binary *binary);

/// Waits for the unit's kernels and unloads its images everywhere. Called by
/// the unit's own termination code; harmless when nothing was ever launched,
/// when called twice, and while the process exits. No other thread may launch
/// the unit's kernels during or after the call.
XCC_API void xcc_binary_unload(xcc_binary *binary);

/// Adds or removes the \p table of a translation unit's host functions, which
/// device code calls. Constructors and destructors that the compiler makes call
/// it. The table stays the caller's, and must live until it is removed.
XCC_API void xcc_host_table_register(xcc_host_table *table);
XCC_API void xcc_host_table_unregister(xcc_host_table *table);

/// Tells libxcc that main returns and destroys its objects. From now on the main
/// thread does not wait for ever in xcc_memory_free and xcc_scope_release: after
/// XCC_EXIT_WAIT a message names the work that does not end, and the process
/// exits with \p status. In C++ the compiler makes the call.
XCC_API void xcc_main_returns(int status);

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

struct sigaction;
/// Does what sigaction(2) does with \p signal, \p now and \p before. The CPU
/// device has handlers of its own for faults of kernels (SIGSEGV, SIGBUS,
/// SIGFPE, SIGILL); they stay, and this sets and returns the action for faults
/// of the program itself. Calls of sigaction and signal in programs that xcc
/// links come here.
XCC_API int xcc_signal_action(int signal, const struct sigaction *now,
                              struct sigaction *before);

#include <xcc/renamed.h>

#ifdef __cplusplus
}
#endif
#endif // XCC_RUNTIME_H
