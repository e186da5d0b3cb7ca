// Source that is compiled as the program runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     auto source = xcc::jit::compile_source(R"(
//       void scale(float *x, float a, int n) {
//         int i = xcc::global_id();
//         if (i < n) x[i] *= a * FACTOR;
//       })", {.arguments = {"-DFACTOR=2"}});
//     auto scale = source.kernel<void(float *, float, int)>("scale");
//     xcc::launch({{blocks}, {256}}, scale, x, 3.0f, n);
//
// xcc's compiler, libxcc-rtc, has to be installed where the program runs:
// "Run-time source" in docs/runtime.md. Errors and threads: as in <xcc/host.h>.

#ifndef XCC_SOURCE_H
#define XCC_SOURCE_H

#include <xcc/jit.h>
#include <xcc/symbol.h>

#include <chrono>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace xcc::jit {

/// A header that exists as text.
struct header {
  std::string name; ///< as an #include has it
  std::string text;
};

/// How a source is compiled.
struct source_options {
  /// The name of the text in messages.
  std::string name = "source";
  /// Options of xcc, as on its command line: -D, -I, -std=, -O, -ffast-math, -W
  /// and the like.
  std::vector<std::string> arguments = {};
  std::vector<header> headers = {};
  /// Expressions that name more kernels than the functions that the text defines:
  /// "axpy<float>", "static_cast<void (*)(int)>(f)".
  std::vector<std::string> kernels = {};
  /// As -offload-arch=; else that of the current device.
  std::string arch = {};
  /// The longest time that compiling may take; 0: no limit.
  std::chrono::duration<double> timeout{};
  [[deprecated("set timeout")]] double seconds = 0;
  /// The most bytes of memory that compiling may add to the process; 0: no limit.
  std::uint64_t memory = 0;
};

/// A message of the compiler.
struct diagnostic {
  /// How severe it is.
  enum class level { note, remark, warning, error };
  level severity;
  std::string message, file; ///< no file: it is of no place
  unsigned line, column;     ///< from 1 on
};

namespace detail {
/// A reference to a source.
class source_handle {
public:
  source_handle() = default;
  explicit source_handle(xcc_source *taken) noexcept : raw(taken) {}
  source_handle(const source_handle &other) noexcept
      : raw(xcc_source_retain(other.raw)) {}
  source_handle(source_handle &&other) noexcept
      : raw(std::exchange(other.raw, nullptr)) {}
  source_handle &operator=(source_handle other) noexcept {
    std::swap(raw, other.raw);
    return *this;
  }
  ~source_handle() { xcc_source_release(raw); }
  xcc_source *get() const noexcept { return raw; }

  std::string log() const { return xcc_source_log(raw, nullptr); }
  std::vector<diagnostic> diagnostics() const {
    std::uint64_t count = 0;
    xcc_source_log(raw, &count);
    std::vector<diagnostic> list;
    for (std::uint64_t next = 0; next != count; ++next) {
      xcc_source_diagnostic said{};
      xcc_source_get_diagnostic(raw, next, &said);
      list.push_back({static_cast<diagnostic::level>(said.level), said.message,
                      said.file, said.line, said.column});
    }
    return list;
  }

private:
  xcc_source *raw = nullptr;
};

/// A type as the source's compiler knows it.
template <class Type> xcc_source_type source_type() {
  using Bare = std::remove_reference_t<Type>;
  using Stored = xcc::detail::stored_t<Type>;
  xcc_source_type type{};
  type.size = sizeof(Stored);
  type.reference = std::is_lvalue_reference_v<Type>   ? 1
                   : std::is_rvalue_reference_v<Type> ? 2
                                                      : 0;
#ifdef __cpp_rtti
  type.mangled =
      typeid(std::conditional_t<std::is_reference_v<Type>, Bare *, Bare>)
          .name();
  // GCC marks names that are compared by their addresses.
  if (*type.mangled == '*')
    ++type.mangled;
#endif
  return type;
}

template <class Signature> struct parameters;
template <class... Param> struct parameters<void(Param...)> {
  using made = function<Param...>;
  static std::vector<xcc_source_type> types() {
    return {source_type<Param>()...};
  }
};

/// The type of the parameter that an argument is for: its own, or the pointer
/// that a buffer becomes as in any launch.
template <class Arg, class = void> struct given {
  using type = std::decay_t<Arg>;
};
template <class Arg>
struct given<Arg, std::enable_if_t<std::is_convertible_v<
                      Arg &, decltype(std::declval<Arg &>().data())>>> {
  using type = decltype(std::declval<Arg &>().data());
};
template <class Arg>
using given_t = typename given<std::remove_reference_t<Arg>>::type;
} // namespace detail

/// A source that does not compile. what() is one sentence with the first error.
///     try {
///       xcc::jit::compile_source(text);
///     } catch (const xcc::jit::compile_error &failure) {
///       std::cerr << failure.log();
///     }
class compile_error : public error {
public:
  explicit compile_error(detail::source_handle source)
      : log_(source.log()), diagnostics_(source.diagnostics()) {
    if (log_.empty())
      log_ = std::string(what()) + "\n";
  }
  /// All diagnostics as the compiler prints them.
  const std::string &log() const noexcept { return log_; }
  const std::vector<diagnostic> &diagnostics() const noexcept {
    return diagnostics_;
  }

private:
  std::string log_;
  std::vector<diagnostic> diagnostics_;
};

/// A kernel of a source. Each launch compares the types of its arguments with
/// those of the parameters. Arguments are not converted, but a buffer is passed
/// as a pointer. Cheap to copy; it keeps the source.
class any_kernel {
public:
  /// Returns its descriptor, like those of kernel_info_for.
  const kernel_info &info() const noexcept { return *described; }

  template <class... Arg>
  void operator()(const launch_config &config, Arg &&...args) const {
    const xcc_source_type types[] = {
        detail::source_type<detail::given_t<Arg>>()..., {}};
    xcc::detail::check(
        xcc_source_check(source.get(), described, types, sizeof...(Arg)));
    xcc::detail::launch_function(
        config, *described, xcc::detail::type_list<detail::given_t<Arg>...>{},
        std::forward<Arg>(args)...);
  }

  /// For source::kernel.
  any_kernel(detail::source_handle source, const kernel_info &info)
      : source(std::move(source)), described(&info) {}

private:
  detail::source_handle source;
  const kernel_info *described;
};

/// A source that was compiled: its kernels, and variables of its own on each
/// device. Cheap to copy. The last copy or kernel of it that is destroyed waits
/// for its launches and unloads it.
class source {
public:
  /// Returns the kernel that is called \p name. Throws xcc::error, with the
  /// kernels that there are, if it has other parameters than Signature:
  ///     auto scale = source.kernel<void(float *, float, int)>("scale");
  template <class Signature>
  typename detail::parameters<Signature>::made
  kernel(const std::string &name) const {
    const auto types = detail::parameters<Signature>::types();
    const kernel_info *found = nullptr;
    xcc::detail::check(xcc_source_kernel(handle.get(), name.c_str(),
                                         types.data(),
                                         std::uint32_t(types.size()), &found));
    return typename detail::parameters<Signature>::made(
        *found, std::make_shared<detail::source_handle>(handle));
  }
  /// Returns the kernel that is called \p name, whatever its parameters are:
  ///     xcc::launch({{blocks}, {256}}, source.kernel("scale"), x, 3.0f, count);
  any_kernel kernel(const std::string &name) const {
    const kernel_info *found = nullptr;
    xcc::detail::check(
        xcc_source_kernel(handle.get(), name.c_str(), nullptr, 0, &found));
    return any_kernel(handle, *found);
  }

  /// Returns the variable of that \p name and type, which the text defines with
  /// external linkage. It is valid as long as the source lives:
  ///     source.symbol<int>("hits").copy_from(0);
  template <class Type>
  device_variable<Type> symbol(const std::string &name) const {
    const xcc_source_type type = [] {
      xcc_source_type made = detail::source_type<std::remove_cv_t<Type>>();
      made.size = sizeof(Type);
      return made;
    }();
    const kernel_info *place = nullptr;
    xcc::detail::check(
        xcc_source_variable(handle.get(), name.c_str(), &type, &place));
    return device_variable<Type>(place);
  }

  /// Returns the descriptors of all its kernels, which live as long as the source:
  ///     for (const xcc::kernel_info *one : source.kernels())
  ///       std::puts(one->name);
  std::vector<const kernel_info *> kernels() const {
    std::vector<const kernel_info *> list;
    while (auto *next = xcc_source_get_kernel(handle.get(), list.size()))
      list.push_back(next);
    return list;
  }

  /// Returns the compiler's warnings, as it prints them, or one by one.
  std::string log() const { return handle.log(); }
  std::vector<diagnostic> diagnostics() const { return handle.diagnostics(); }

  /// For compile_source.
  explicit source(detail::source_handle handle) : handle(std::move(handle)) {}

private:
  detail::source_handle handle;
};

/// Compiles C++ for the current device, or finds on disk the result for the same
/// text, options and headers. <xcc/xcc.h> is included before the text. Throws
/// compile_error with the compiler's messages, or xcc::error.
///     const auto source = xcc::jit::compile_source("void f(int *x) { ++*x; }");
inline source compile_source(std::string_view text,
                             const source_options &how = {}) {
  std::vector<const char *> arguments, kernels;
  std::vector<xcc_source_header> headers;
  for (const std::string &argument : how.arguments)
    arguments.push_back(argument.c_str());
  for (const std::string &kernel : how.kernels)
    kernels.push_back(kernel.c_str());
  for (const header &each : how.headers)
    headers.push_back({each.name.c_str(), each.text.data(), each.text.size()});
  xcc_source_options raw{};
  raw.size = sizeof(raw);
  raw.name = how.name.c_str();
  raw.arch = how.arch.empty() ? nullptr : how.arch.c_str();
  raw.arguments = arguments.data();
  raw.argument_count = arguments.size();
  raw.headers = headers.data();
  raw.header_count = headers.size();
  raw.kernels = kernels.data();
  raw.kernel_count = kernels.size();
  raw.beside = __FILE__;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  raw.seconds = how.timeout.count() != 0 ? how.timeout.count() : how.seconds;
#pragma GCC diagnostic pop
  raw.memory = how.memory;
  xcc_source *made = nullptr;
  xcc_status status = xcc_source_compile(text.data(), text.size(), &raw, &made);
  detail::source_handle handle(made);
  if (status == XCC_ERROR_INVALID_SOURCE)
    throw compile_error(std::move(handle));
  xcc::detail::check(status);
  return source(std::move(handle));
}

} // namespace xcc::jit

#endif // XCC_SOURCE_H
