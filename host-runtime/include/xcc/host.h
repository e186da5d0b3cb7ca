// Devices, streams and events
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side of xcc in C++: ownership and exceptions on top of the C
// interface in <xcc/runtime.h>. Everything is inline and small; the header
// pulls in no container, string or stream.
//
// Errors. A failing call throws xcc::error. The failure of a kernel that runs is
// thrown by the next call that synchronises with its stream or device. This
// holds for all headers that build on this one.
//
// Threads. Any thread may call any function here and in the headers that build
// on this one. Several threads may use one stream or one event at a time. As in
// the standard library, only one thread at a time may change an object itself,
// as an assignment does.
//
// Parameters. As in <xcc/runtime.h>; and, in all headers:
// * on, stream: the stream in which work is enqueued. It stays the caller's, and
//   must live until the call returns.
// * to, from, data, x, y, z, width, height, depth: addresses, positions and
//   sizes of objects, not of bytes.
// * file, line: where the call is written. The compiler fills them in.
// * handle, mapping, state: an object of the C interface.

#ifndef XCC_HOST_H
#define XCC_HOST_H

#include <xcc/range.h>
#include <xcc/runtime.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

/// Null in a program without the runtime.
extern "C" __attribute__((weak)) void xcc_main_returns(int status);

namespace xcc {

namespace detail {
/// The compiler passes the value of each return of main through this function.
inline int main_returns(int status) noexcept {
#ifndef __XCC_DEVICE_PASS__ // a whole program on a device ends as it is told
  if (xcc_main_returns)
    xcc_main_returns(status);
#endif
  return status;
}
} // namespace detail

/// The failure of a call: a message, the kernel and the source location.
/// Copying is cheap and never throws.
///     try {
///       s.synchronize();
///     } catch (const xcc::error &failure) {
///       std::fprintf(stderr, "%s\n", failure.what());
///     }
class error : public std::exception {
public:
  /// The calling thread's last failure.
  error() noexcept : state_(xcc_error_capture()) {}
  error(const error &other) noexcept
      : std::exception(other), state_(xcc_error_retain(other.state_)) {}
  error &operator=(const error &other) noexcept {
    xcc_error *old = state_;
    state_ = xcc_error_retain(other.state_);
    xcc_error_release(old);
    return *this;
  }
  ~error() override { xcc_error_release(state_); }

  /// One sentence that says what failed and what to do.
  const char *what() const noexcept override {
    return state_ ? xcc_error_message(state_) : "out of memory";
  }
  /// What kind of failure it is.
  xcc_status status() const noexcept {
    return state_ ? xcc_error_status(state_) : XCC_ERROR_OUT_OF_MEMORY;
  }
  /// The name of the kernel that failed, "" if the failure is about no kernel.
  const char *kernel() const noexcept { return xcc_error_kernel(state_); }
  /// The file and line of its launch, "" and 0 if they are not known.
  const char *file() const noexcept { return xcc_error_file(state_); }
  std::uint32_t line() const noexcept { return xcc_error_line(state_); }
  /// The device's ordinal, -1 when there is none.
  int device() const noexcept { return xcc_error_device(state_); }
  /// Whether a kernel's exception is the cause: then an xcc::device_exception
  /// is thrown.
  bool is_exception() const noexcept {
    return xcc_error_exception(state_) != nullptr;
  }

protected:
  /// The failure in the C interface, which this object owns.
  xcc_error *state() const noexcept { return state_; }

private:
  xcc_error *state_;
};

namespace detail {
[[noreturn]] void throw_failure();

/// Throws unless the call succeeded.
inline void check(xcc_status status) {
  if (status != XCC_SUCCESS)
    throw_failure();
}

/// A parameter whose type the argument of another parameter decides.
template <class Type> struct same {
  using type = Type;
};
template <class Type> using as_written = typename same<Type>::type;

/// Throws if there are more objects than there is room for.
inline void check_room(std::size_t given, std::size_t room) {
  if (given > room)
    check(xcc_check_room(given, room));
}

/// The size of \p count objects, in bytes. For too many it is a size that every
/// call rejects.
template <class Type> constexpr std::size_t size_of_objects(std::size_t count) {
  return count > SIZE_MAX / sizeof(Type)
             ? SIZE_MAX / sizeof(Type) * sizeof(Type)
             : count * sizeof(Type);
}
} // namespace detail

} // namespace xcc

#include <xcc/device_exception.h>

namespace xcc {

/// A device of this machine. A value: copies name the same device.
///     for (int i = 0; i != xcc::device::count(); ++i) {
///       const auto one = xcc::device::get(i);
///       std::printf("%s: %s, %u cores\n", one.id(), one.name(), one.cores());
///     }
class device {
public:
  /// Returns how many devices the program can use.
  static int count() {
    int found = 0;
    detail::check(xcc_device_count(&found));
    return found;
  }
  /// Returns the device with that \p ordinal, 0 to count() - 1.
  static device get(int ordinal) { return device(ordinal); }
  /// Returns the calling thread's device. XCC_DEVICE chooses it until
  /// set_current() is called:
  ///     const bool on_cpu = xcc::device::current().kind() == std::string("host");
  static device current() {
    int ordinal = 0;
    detail::check(xcc_device_get_current(&ordinal));
    return device(ordinal);
  }
  /// Makes this the calling thread's device:
  ///     xcc::device::get(1).set_current();
  void set_current() const { detail::check(xcc_device_set_current(ordinal_)); }

  /// Its number, from 0 to count() - 1, and the vendor's name for it.
  int ordinal() const { return ordinal_; }
  const char *name() const { return properties_.name; }
  /// "host", "cuda" or "hsa".
  const char *kind() const { return properties_.kind; }
  /// What XCC_DEVICE calls it: "cuda:0".
  const char *id() const { return properties_.id; }
  /// What -offload-arch= calls it.
  const char *arch() const { return properties_.arch; }
  unsigned cores() const { return properties_.compute_units; }
  /// Bytes.
  std::uint64_t memory() const { return properties_.total_memory; }
  /// How many of these bytes are free at present:
  ///     const auto most = xcc::device::current().free_memory() / sizeof(float);
  std::uint64_t free_memory() const {
    std::uint64_t free = 0, total = 0;
    detail::check(xcc_device_get_memory(ordinal_, &free, &total));
    return free;
  }
  /// The largest block, in threads.
  unsigned max_block() const { return properties_.max_block; }
  /// The most block-shared memory of a block, bytes:
  ///     const auto tile = device.shared_memory() >= 96 << 10 ? 64u : 32u;
  std::uint64_t shared_memory() const { return properties_.shared_memory; }
  unsigned warp_size() const { return properties_.warp_size; }
  const xcc_device_properties &properties() const { return properties_; }

  /// Waits for all work enqueued on it so far, and throws the error of work
  /// that failed:
  ///     xcc::device::get(1).synchronize();
  void synchronize() const { detail::check(xcc_device_synchronize(ordinal_)); }

  /// Sets the stack of each thread, in bytes, of kernels with recursion, calls
  /// through pointers, or arrays of variable length. Call it before their first
  /// launch. GPUs only.
  ///     xcc::device::current().set_stack(16 << 10);
  void set_stack(std::size_t bytes) const {
    detail::check(xcc_device_set_stack(ordinal_, bytes));
  }

  /// The range of its streams' priorities. The least urgent is 0 or more, the
  /// most urgent 0 or less.
  ///     xcc::stream in_the_background(device.least_priority());
  int least_priority() const { return priorities().first; }
  int greatest_priority() const { return priorities().second; }

  /// Describes the pool of xcc_memory_alloc_async: bytes in use, freed bytes
  /// that are kept, and the limit of these:
  ///     if (device.pool().kept > limit) device.trim_pool();
  xcc_pool_info pool() const {
    xcc_pool_info info;
    detail::check(xcc_device_get_pool(ordinal_, &info));
    return info;
  }
  /// Limits how many freed bytes the pool keeps:
  ///     xcc::device::current().set_pool_limit(256 << 20);
  void set_pool_limit(std::uint64_t bytes) const {
    detail::check(xcc_device_set_pool_limit(ordinal_, bytes));
  }
  /// Returns freed memory beyond \p keep bytes to the system, after the device's
  /// work so far:
  ///     xcc::device::current().trim_pool();
  void trim_pool(std::uint64_t keep = 0) const {
    detail::check(xcc_device_trim_pool(ordinal_, keep));
  }

private:
  std::pair<int, int> priorities() const {
    int least = 0, greatest = 0;
    detail::check(xcc_device_get_priorities(ordinal_, &least, &greatest));
    return {least, greatest};
  }
  explicit device(int ordinal) : ordinal_(ordinal) {
    detail::check(xcc_device_get_properties(ordinal, &properties_));
  }
  int ordinal_;
  xcc_device_properties properties_;
};

/// Waits for all work enqueued on the current device. Throws the error of work
/// that failed.
///     xcc::launch({{blocks}, {256}}, scale, n, x.data());
///     xcc::synchronize();
inline void synchronize() { detail::check(xcc_device_synchronize(-1)); }

/// Denies services of the host (XCC_SERVICE_...) to device code. This cannot be
/// undone:
///     xcc::deny_services(XCC_SERVICE_WRITE_FILES | XCC_SERVICE_PROCESS);
inline void deny_services(std::uint32_t services) {
  detail::check(xcc_services_deny(services));
}

class event;

/// An ordered sequence of work on the device that was current when the stream
/// was created. A launch, copy or fill begins when all earlier work of the
/// stream has ended. Several threads may use a stream at the same time. A
/// stream that was moved from stands for the device's default stream.
///     xcc::stream s;
///     s.copy(x.data(), on_host, n);
///     xcc::launch({{n / 256}, {256}, 0, s}, scale, n, x.data());
///     s.copy(on_host, x.data(), n);
///     s.synchronize();
class stream {
public:
  stream() { detail::check(xcc_stream_create(&handle_)); }
  /// Creates a stream with a priority in the device's range. Lower numbers are
  /// more urgent; other streams have 0:
  ///     xcc::stream urgent(xcc::device::current().greatest_priority());
  explicit stream(int priority) {
    detail::check(xcc_stream_create_with_priority(priority, &handle_));
  }
  stream(stream &&other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)) {}
  stream &operator=(stream &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  /// Waits for the work. A failure that no synchronisation has thrown is thrown
  /// by the next wait for the device, or printed when the program ends.
  ~stream() {
    if (handle_)
      xcc_stream_release(handle_);
  }

  /// Waits for all its work, and throws the error of work that failed:
  ///     s.synchronize();
  void synchronize() { detail::check(xcc_stream_synchronize(handle_)); }
  /// Returns whether all its work has ended, without waiting. Throws the error
  /// of work that failed.
  ///     while (!s.query())
  ///       do_something_else();
  bool query() {
    xcc_status status = xcc_stream_query(handle_);
    if (status == XCC_ERROR_NOT_READY)
      return false;
    detail::check(status);
    return true;
  }
  [[deprecated("call query()")]] bool idle() { return query(); }
  /// Makes later work wait for the point that the event recorded last:
  ///     copied.record(one);
  ///     other.wait(copied);
  inline void wait(event &failure);

  /// Copies \p count objects in stream order between memory of the host or of
  /// any device. Both ranges must stay valid and unchanged until the copy is
  /// done:
  ///     s.copy(on_device.data(), on_host, 1000);
  template <class Type>
  void copy(Type *to, const detail::as_written<Type> *from, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Type>,
                  "memory is copied byte by byte");
    detail::check(xcc_memory_copy_async(
        to, from, detail::size_of_objects<Type>(count), handle_));
  }
  /// Does the same for buffers, containers, spans and arrays, which know their
  /// sizes. Copies all objects of \p from, or the first \p count. Throws if \p
  /// to has less room.
  ///     s.copy(on_device, samples);
  ///     s.copy(samples, on_device.part(100, 50), 50);
  template <class To, class From, detail::if_copy<To, From, 0> = nullptr,
            class = std::enable_if_t<detail::has_elements<From>>>
  void copy(To &&to, From &&from) {
    copy(to, from, detail::count_at(from));
  }
  template <class To, class From, detail::if_copy<To, From, 0> = nullptr>
  void copy(To &&to, From &&from, std::size_t count) XCC_CHECKED_COUNT(count) {
    detail::check_room(count, detail::count_at(from));
    detail::check_room(count, detail::count_at(to));
    copy(detail::first_at(to),
         static_cast<const detail::object_at<To> *>(detail::first_at(from)),
         count);
  }
  template <class To, class From, detail::if_copy<To, From *, 0> = nullptr>
  void copy(To &&, From *)
      XCC_REFUSED("an address does not say how many objects are there: "
                  "stream.copy(to, from, count)");
  template <class To, class From, class... Count,
            detail::if_copy<To, From, 1> = nullptr>
  void copy(To &&, From &&, Count...)
      XCC_REFUSED("both sides of a copy have objects of one type: convert them "
                  "with xcc::transform or in a kernel");
  template <class To, class From, class... Count,
            detail::if_copy<To, From, 2> = nullptr>
  void copy(To &&, From &&, Count...)
      XCC_REFUSED("where a copy goes comes first, and is not const: "
                  "stream.copy(to, from)");
  template <class To, class From, class... Count,
            detail::if_copy<To, From, 3> = nullptr>
  void copy(To &&, From &&, Count...)
      XCC_REFUSED("a copy in a stream uses this container after the statement "
                  "that made it has ended: give it a name, and keep it until "
                  "the stream has made the copy");

  /// Sets \p count objects, in stream order:
  ///     s.fill(sums.data(), 0.5f, 1000);
  template <class Type>
  void fill(Type *to, const detail::as_written<Type> &value,
            std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Type>,
                  "memory is filled byte by byte");
    detail::check(xcc_memory_fill_elements_async(to, __builtin_addressof(value),
                                                 sizeof(Type), count, handle_));
  }
  /// Does the same for a buffer, a container, a span or an array: for all
  /// objects, or the first \p count. Throws if there are fewer.
  ///     s.fill(sums, 0.5f);
  template <class Range, class = std::enable_if_t<detail::has_elements<Range>>>
  void fill(Range &&to,
            const detail::as_written<detail::element_t<Range>> &value) {
    fill(detail::first_at(to), value, detail::count_at(to));
  }
  template <class Range, class = std::enable_if_t<detail::has_elements<Range>>>
  void fill(Range &&to,
            const detail::as_written<detail::element_t<Range>> &value,
            std::size_t count) XCC_CHECKED_COUNT(count) {
    detail::check_room(count, detail::count_at(to));
    fill(detail::first_at(to), value, count);
  }

  /// Calls a function object, of which the stream keeps a copy, on a thread of
  /// the host when all earlier work has ended. Later work waits until it returns:
  ///     s.call([&] { ++parts_done; });
  /// It must not throw, and must not wait for work of the stream's device. It
  /// is not called if the device has failed before.
  template <class Function> void call(Function function) {
    auto *held = new Function(std::move(function));
    const xcc_status status = xcc_stream_call(
        handle_,
        [](void *data) noexcept {
          auto *held = static_cast<Function *>(data);
          (*held)();
          delete held;
        },
        held);
    if (status != XCC_SUCCESS)
      delete held;
    detail::check(status);
  }

  /// The stream of the C interface.
  xcc_stream *handle() const noexcept { return handle_; }

private:
  xcc_stream *handle_ = nullptr;
};

/// A point in a stream's work, for waiting and for measuring.
///     xcc::event begun, done;
///     begun.record(s);
///     xcc::launch({{n / 256}, {256}, 0, s}, scale, n, x.data());
///     done.record(s);
///     using milliseconds = std::chrono::duration<double, std::milli>;
///     std::printf("%.3f ms\n", begun.elapsed<milliseconds>(done).count());
class event {
public:
  event() { detail::check(xcc_event_create(&handle_)); }
  event(event &&other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)) {}
  event &operator=(event &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~event() {
    if (handle_)
      (void)xcc_event_destroy(handle_);
  }

  /// Moves the point to the end of a stream, or of the default stream:
  ///     done.record(s);
  void record(stream &on) {
    detail::check(xcc_event_record(handle_, on.handle()));
  }
  void record() { detail::check(xcc_event_record(handle_, nullptr)); }
  /// Waits for the work that was before it when it was recorded:
  ///     done.synchronize();
  void synchronize() { detail::check(xcc_event_synchronize(handle_)); }
  /// Returns whether that work has ended, without waiting:
  ///     if (done.query())
  ///       use(on_host);
  bool query() {
    xcc_status status = xcc_event_query(handle_);
    if (status == XCC_ERROR_NOT_READY)
      return false;
    detail::check(status);
    return true;
  }
  [[deprecated("call query()")]] bool reached() { return query(); }
  /// Returns the time from this event to a later one, in the unit of \p Duration,
  /// a std::chrono::duration. Waits for both.
  ///     auto took = begun.elapsed<std::chrono::microseconds>(done);
  template <class Duration> Duration elapsed(event &later) {
    using period = typename Duration::period;
    return Duration(static_cast<typename Duration::rep>(
        milliseconds_to(later) * (double(period::den) / period::num / 1000)));
  }
  [[deprecated("call elapsed<std::chrono::duration<double, std::milli>>"
               "(later).count()")]] double
  elapsed(event &later) {
    return milliseconds_to(later);
  }
  [[deprecated("call earlier.elapsed<Duration>(*this)")]] double
  since(event &earlier) {
    return earlier.milliseconds_to(*this);
  }
  xcc_event *handle() const noexcept { return handle_; }

private:
  double milliseconds_to(event &later) {
    synchronize();
    later.synchronize();
    double milliseconds = 0;
    detail::check(xcc_event_elapsed(handle_, later.handle_, &milliseconds));
    return milliseconds;
  }

  xcc_event *handle_ = nullptr;
};

/// A parameter for the stream in which work is enqueued: a stream, its address,
/// or none for the current device's default stream.
class stream_ref {
public:
  constexpr stream_ref(std::nullptr_t = nullptr) noexcept {}
  constexpr stream_ref(stream *on) noexcept : on_(on) {}
  constexpr stream_ref(stream &on) noexcept : on_(__builtin_addressof(on)) {}
  /// The stream of the C interface; null is the current device's default
  /// stream.
  xcc_stream *handle() const noexcept { return on_ ? on_->handle() : nullptr; }
  constexpr explicit operator bool() const noexcept { return on_; }

private:
  stream *on_ = nullptr;
};

/// Launches, copies and fills that are recorded once and replayed as one. A
/// replay costs less than enqueuing the steps one by one:
///     auto step = xcc::graph::record(s, [&] {
///       s.copy(in.data(), host, n);
///       xcc::launch({{blocks}, {threads}, 0, s}, advance, in.data(), out.data());
///       xcc::launch({{blocks}, {threads}, 0, s}, advance, out.data(), in.data());
///     });
///     for (int i = 0; i != 1000; ++i)
///       step.replay(s);
/// Nothing runs during the recording. These cannot be recorded and throw:
/// waits, allocations, events, calls of the host, work for the default stream,
/// and launches that would map host memory.
class graph {
public:
  /// Records the work that \p work enqueues in the stream. It names the stream
  /// in each call.
  template <class Function> static graph record(stream &on, Function &&work) {
    detail::check(xcc_graph_begin(on.handle()));
    recording open{on.handle()};
    std::forward<Function>(work)();
    graph made;
    detail::check(
        xcc_graph_end(std::exchange(open.handle, nullptr), &made.handle_));
    return made;
  }
  graph(graph &&other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)) {}
  graph &operator=(graph &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  /// Replays that were enqueued continue.
  ~graph() { (void)xcc_graph_destroy(handle_); }

  /// Enqueues all steps in a stream of the device on which the graph was
  /// recorded. May be called several times, from any thread.
  void replay(stream &on) {
    detail::check(xcc_graph_launch(handle_, on.handle()));
  }
  /// In the current device's default stream.
  void replay() { detail::check(xcc_graph_launch(handle_, nullptr)); }

  /// The number of steps. Launches, copies and fills are numbered from 0 in
  /// their order.
  std::size_t size() const {
    std::uint64_t steps = 0;
    detail::check(xcc_graph_size(handle_, &steps));
    return steps;
  }
  /// The number of the next step while \p on is recorded, for update().
  static std::size_t next_step(const stream &on) {
    std::uint64_t steps = 0;
    detail::check(xcc_stream_recorded(on.handle(), &steps));
    return steps;
  }
  /// Records steps that replace as many, from number \p first on. Later replays
  /// have the new arguments, sizes and kernels:
  ///     step.update(1, s, [&] {
  ///       xcc::launch({{blocks}, {threads}, 0, s}, advance, a, b);
  ///     });
  template <class Function>
  void update(std::size_t first, stream &on, Function &&work) {
    graph with = record(on, std::forward<Function>(work));
    detail::check(xcc_graph_update(handle_, first, with.handle_));
  }

  /// The graph of the C interface.
  xcc_graph *handle() const noexcept { return handle_; }

private:
  graph() = default;
  /// Ends the recording if an exception leaves it.
  struct recording {
    xcc_stream *handle;
    ~recording() {
      if (handle)
        (void)xcc_graph_end(handle, nullptr);
    }
  };
  xcc_graph *handle_ = nullptr;
};

inline void stream::wait(event &failure) {
  detail::check(xcc_stream_wait_event(handle_, failure.handle()));
}

} // namespace xcc

#include <xcc/memory.h>
#include <xcc/pitched.h>

#endif // XCC_HOST_H
