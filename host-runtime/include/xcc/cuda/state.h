// Errors, streams and events behind CUDA's and HIP's functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their functions return a status where xcc's throw or return one of its own,
// and keep the thread's last failure. A failure that a thread never asked for is
// shown when it ends. The default stream waits for all other streams, and they
// for it, unless they were made non-blocking; xcc's own does not, so that is
// done here, with events.

#ifndef XCC_CUDA_STATE_H
#define XCC_CUDA_STATE_H

#include <xcc/cuda/errors.h>
#include <xcc/xcc.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace xcc::cuda {

/// The numbers are CUDA's; HIP has most of them, too. As there, they convert to
/// int and to bool: `if (cudaDeviceSynchronize())`.
struct status_values {
  enum [[clang::annotate("xcc.status")]] type : int {
    success = 0,
    invalid_value = 1,
    out_of_memory = 2,
    not_initialised = 3,
    unloading = 4,
    invalid_configuration = 9,
    invalid_symbol = 13,
    invalid_pointer = 17,
    invalid_direction = 21,
    old_driver = 35,
    invalid_function = 98,
    no_device = 100,
    invalid_device = 101,
    invalid_image = 200,
    no_image = 209,
    invalid_source = 218,
    system = 304,
    invalid_handle = 400,
    not_ready = 600,
    illegal_address = 700,
    out_of_resources = 701,
    timeout = 702,
    peer_enabled = 704,
    peer_not_enabled = 705,
    assertion = 710,
    registered = 712,
    not_registered = 713,
    launch_failed = 719,
    not_supported = 801,
    graph_update_failed = 910,
    unknown = 999,
// CUDA's others, by CUDA's names: a switch over a status may have them.
#define XCC_CUDA_ERROR(name, number) name = number,
    XCC_CUDA_OTHER_ERRORS(XCC_CUDA_ERROR)
#undef XCC_CUDA_ERROR
  };
};
using status = status_values::type;

namespace detail {

inline status status_of(xcc_status from) {
  switch (from) {
  case XCC_SUCCESS:
    return status::success;
  case XCC_ERROR_INVALID_VALUE:
    return status::invalid_value;
  case XCC_ERROR_INVALID_KERNEL:
    return status::invalid_function;
  case XCC_ERROR_INVALID_LAUNCH:
    return status::invalid_configuration;
  case XCC_ERROR_INVALID_IMAGE:
    return status::invalid_image;
  case XCC_ERROR_NO_IMAGE:
    return status::no_image;
  case XCC_ERROR_INVALID_DEVICE:
    return status::invalid_device;
  case XCC_ERROR_OUT_OF_MEMORY:
    return status::out_of_memory;
  case XCC_ERROR_LAUNCH_FAILED:
    return status::launch_failed;
  case XCC_ERROR_NOT_READY:
    return status::not_ready;
  case XCC_ERROR_SYSTEM:
    return status::system;
  case XCC_ERROR_INVALID_SOURCE:
    return status::invalid_source;
  default:
    return status::unknown;
  }
}

/// The same of a failure. An assertion has a number of its own.
inline status status_of(const xcc_error *failure) {
  const status what = status_of(xcc_error_status(failure));
  return what == status::launch_failed &&
                 std::strstr(xcc_error_message(failure), ": assertion failed: ")
             ? status::assertion
             : what;
}

inline const char *name_of(status of) {
  switch (of) {
  case status::success:
    return "success";
  case status::invalid_value:
    return "invalid value";
  case status::out_of_memory:
    return "out of memory";
  case status::invalid_configuration:
    return "invalid configuration of a launch";
  case status::invalid_function:
    return "invalid kernel";
  case status::invalid_device:
    return "no such device";
  case status::invalid_image:
    return "damaged device code";
  case status::no_image:
    return "no device code for this device";
  case status::invalid_source:
    return "source that does not compile";
  case status::system:
    return "the operating system refused something";
  case status::not_ready:
    return "not ready";
  case status::launch_failed:
    return "a kernel stopped with an error";
  case status::assertion:
    return "an assertion of a kernel failed";
  case status::not_supported:
    return "not supported";
  case status::graph_update_failed:
    return "a graph with other steps cannot take the place of this one";
  default:
    return "unknown error";
  }
}

/// A thread's last failure, and the first one that the program did not look at.
class last_failure {
public:
  ~last_failure() {
    if (unread_)
      tell();
    xcc_error_release(first_.why);
    xcc_error_release(held_);
  }
  static last_failure &get() {
    static thread_local last_failure failure;
    return failure;
  }

  /// What failed just now in libxcc, or before it was called.
  void set(status what, xcc_error *why) {
    // Later failures often follow from the first one, which is kept.
    if (unread_++ == 0)
      first_ = {what, why ? xcc_error_retain(why) : nullptr};
    xcc_error_release(held_);
    held_ = why;
    what_ = what;
    last_unread_ = true;
    ++count_;
  }
  /// The program does something with the result of the call that noted a failure.
  void looked() {
    if (!last_unread_)
      return;
    last_unread_ = false;
    if (--unread_ == 0)
      read();
  }
  /// How many there were.
  unsigned long count() const { return count_; }
  status last() const { return what_; }
  status look() {
    read();
    return what_;
  }
  status take() {
    const status what = look();
    what_ = status::success;
    return what;
  }
  /// One sentence, of the last failure's own if that is meant.
  const char *text(status of) {
    read();
    return own_text({of, held_});
  }

private:
  struct failure {
    status what;
    xcc_error *why;
  };
  static const char *own_text(failure of) {
    return of.why && of.what == status_of(of.why) ? xcc_error_message(of.why)
                                                  : name_of(of.what);
  }
  void read() {
    unread_ = 0;
    last_unread_ = false;
    xcc_error_release(first_.why);
    first_.why = nullptr;
  }
  void tell() const {
    std::fprintf(stderr, "xcc: error that the program did not ask for: %s\n",
                 own_text(first_));
    if (unread_ == 1)
      return;
    std::fprintf(stderr, "xcc: %lu more followed it", unread_ - 1);
    if (last_unread_)
      std::fprintf(stderr, ", the last one: %s", own_text({what_, held_}));
    std::fputc('\n', stderr);
  }
  failure first_ = {status::success, nullptr};
  xcc_error *held_ = nullptr;
  status what_ = status::success;
  unsigned long count_ = 0;
  unsigned long unread_ = 0; ///< failures that the program has not looked at
  bool last_unread_ = false; ///< the last one is one of these
};

/// What the compiler puts around a call whose result the program uses: a failure
/// that a program looks at is not shown when the thread ends.
[[clang::annotate("xcc.looked")]] inline status looked(status at) {
  if (at != status::success)
    last_failure::get().looked();
  return at;
}

/// Notes a failure of libxcc's, and says what it was.
inline status note(xcc_status from) {
  status what = status_of(from);
  if (what != status::success && what != status::not_ready) {
    xcc_error *failure = xcc_error_capture();
    if (failure && what == status::launch_failed)
      what = status_of(failure);
    last_failure::get().set(what, failure);
  }
  return what;
}
inline status note(status what) {
  if (what != status::success)
    last_failure::get().set(what, nullptr);
  return what;
}
/// The same of what throws.
template <class Call> inline status attempt(const Call &call) {
  try {
    call();
    return status::success;
  } catch (const xcc::error &failure) {
    return note(failure.status());
  } catch (const std::bad_alloc &) {
    return note(status::out_of_memory);
  }
}

/// Which work of a device's default stream and of its others is ordered so far.
class streams {
public:
  static streams &get() {
    static streams *all = new streams; // streams may outlive other statics
    return *all;
  }

  void add(xcc::stream *made) {
    std::lock_guard<std::mutex> lock(busy_);
    int device = 0;
    xcc::detail::check(xcc_stream_device(made->handle(), &device));
    others_.push_back(
        std::make_unique<other>(other{made, device, {}, 0, 0, 0, false}));
    any_ = true;
  }
  void remove(xcc::stream *gone) {
    std::lock_guard<std::mutex> lock(busy_);
    others_.erase(std::remove_if(others_.begin(), others_.end(),
                                 [gone](const auto &known) {
                                   return known->stream == gone;
                                 }),
                  others_.end());
  }

  /// What is put into a captured stream is ordered when the graph is launched.
  void capture(xcc::stream *which, bool begins) {
    std::lock_guard<std::mutex> lock(busy_);
    for (auto &known : others_)
      if (known->stream == which)
        known->captured = begins;
  }

  /// Before work is put into a stream, null for the default one.
  void order(xcc::stream *on) {
    if (!any_)
      return;
    std::lock_guard<std::mutex> lock(busy_);
    if (on) {
      for (auto &known : others_)
        if (known->stream == on && !known->captured)
          behind_default(*known);
      return;
    }
    int device = 0;
    xcc::detail::check(xcc_device_get_current(&device));
    for (auto &known : others_)
      if (known->device == device && known->work != known->awaited) {
        known->end.record(*known->stream);
        xcc::detail::check(xcc_stream_wait_event(nullptr, known->end.handle()));
        known->awaited = known->work;
      }
    ++of(device).work;
  }

private:
  struct other {
    xcc::stream *stream;
    int device;
    xcc::event end;
    unsigned long work;         ///< how much was put into it,
    unsigned long awaited;      ///< and how much the default stream waits for
    unsigned long default_work; ///< of which it waits
    bool captured;
  };
  struct default_stream {
    xcc::event end;
    unsigned long work = 0;
  };
  std::mutex busy_;
  std::vector<std::unique_ptr<other>> others_;
  std::deque<std::unique_ptr<default_stream>> defaults_; ///< by ordinal
  bool any_ = false;

  default_stream &of(int device) {
    while (defaults_.size() <= std::size_t(device))
      defaults_.emplace_back();
    auto &found = defaults_[std::size_t(device)];
    if (!found)
      found = std::make_unique<default_stream>();
    return *found;
  }
  void behind_default(other &known) {
    int current = 0;
    xcc::detail::check(xcc_device_get_current(&current));
    ++known.work;
    // Events and the default stream are the current device's.
    if (current != known.device)
      return;
    default_stream &first = of(known.device);
    if (first.work == known.default_work)
      return;
    first.end.record();
    known.stream->wait(first.end);
    known.default_work = first.work;
  }
};

/// How streams were made.
struct stream_facts {
  unsigned flags = 0;
  int priority = 0;

  static stream_facts get(xcc::stream *of) {
    std::lock_guard<std::mutex> lock(all().busy);
    const auto found = all().of.find(of);
    return found == all().of.end() ? stream_facts() : found->second;
  }
  static void set(xcc::stream *made, unsigned flags, int priority) {
    std::lock_guard<std::mutex> lock(all().busy);
    all().of[made] = {flags, priority};
  }
  static void drop(xcc::stream *gone) {
    std::lock_guard<std::mutex> lock(all().busy);
    all().of.erase(gone);
  }

private:
  struct table {
    std::mutex busy;
    std::map<xcc::stream *, stream_facts> of;
  };
  static table &all() {
    static table *made = new table; // streams may outlive other statics
    return *made;
  }
};

inline xcc_stream *handle(xcc::stream *of) {
  return of ? of->handle() : nullptr;
}

} // namespace detail
} // namespace xcc::cuda

#endif // XCC_CUDA_STATE_H
