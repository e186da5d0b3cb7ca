// Classes of <stdexcept> on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard exceptions, which libstdc++'s headers declare and its library
// defines. Programs derive classes from them and create objects of them, even
// where a throw ends the launch. The layouts are libstdc++'s, whose logic_error
// and runtime_error hold one pointer to their text.
//
// Compiled without any header, because the GPU triples have no C++ library.

using size_t = decltype(sizeof 0);

extern "C" {
void *malloc(size_t size);
void free(void *memory);
void *memcpy(void *to, const void *from, size_t size);
size_t strlen(const char *text);
}
void operator delete(void *, size_t) noexcept;

// NOLINTBEGIN(readability-identifier-naming)
namespace std {

/// The first two members of std::string, which the constructors read.
template <class> struct char_traits;
template <class> class allocator;
inline namespace __cxx11 {
template <class C, class T, class A> class basic_string {
public:
  const C *data;
  size_t size;
};
} // namespace __cxx11
using string = basic_string<char, char_traits<char>, allocator<char>>;

/// A copy of the text, owned by the exception.
struct __cow_string {
  char *text;
  __cow_string(const char *from, size_t size);
  __cow_string(const __cow_string &other)
      : __cow_string(other.get(), strlen(other.get())) {}
  /// The text is empty if there was no memory for the copy.
  const char *get() const { return text ? text : ""; }
  __cow_string &operator=(const __cow_string &other) {
    __cow_string copy(other);
    char *old = text;
    text = copy.text;
    copy.text = old;
    return *this;
  }
  ~__cow_string() { free(text); }
};
__cow_string::__cow_string(const char *from, size_t size)
    : text(static_cast<char *>(malloc(size + 1))) {
  if (!text)
    return;
  memcpy(text, from, size);
  text[size] = 0;
}

class exception {
public:
  virtual ~exception() noexcept;
  virtual const char *what() const noexcept;
};
exception::~exception() noexcept = default;
const char *exception::what() const noexcept { return "std::exception"; }

#define XCC_PLAIN_EXCEPTION(name, base, text)                                  \
  class name : public base {                                                   \
  public:                                                                      \
    ~name() noexcept override;                                                 \
    const char *what() const noexcept override;                                \
  };                                                                           \
  name::~name() noexcept = default;                                            \
  const char *name::what() const noexcept { return text; }

XCC_PLAIN_EXCEPTION(bad_exception, exception, "std::bad_exception")
XCC_PLAIN_EXCEPTION(bad_alloc, exception, "std::bad_alloc")
XCC_PLAIN_EXCEPTION(bad_array_new_length, bad_alloc,
                    "std::bad_array_new_length")
XCC_PLAIN_EXCEPTION(bad_cast, exception, "std::bad_cast")
XCC_PLAIN_EXCEPTION(bad_typeid, exception, "std::bad_typeid")
XCC_PLAIN_EXCEPTION(bad_function_call, exception, "bad_function_call")
XCC_PLAIN_EXCEPTION(bad_weak_ptr, exception, "bad_weak_ptr")

#define XCC_ROOT_ERROR(name)                                                   \
  class name : public exception {                                              \
    __cow_string text;                                                         \
                                                                               \
  public:                                                                      \
    explicit name(const char *what);                                           \
    explicit name(const string &what);                                         \
    name(const name &) noexcept;                                               \
    name &operator=(const name &) noexcept;                                    \
    name(name &&) noexcept;                                                    \
    name &operator=(name &&) noexcept;                                         \
    ~name() noexcept override;                                                 \
    const char *what() const noexcept override;                                \
  };                                                                           \
  name::name(const char *what) : text(what, strlen(what)) {}                   \
  name::name(const string &what) : text(what.data, what.size) {}               \
  name::name(const name &) noexcept = default;                                 \
  name &name::operator=(const name &) noexcept = default;                      \
  name::name(name &&other) noexcept : exception(other), text(other.text) {}    \
  name &name::operator=(name &&other) noexcept {                               \
    text = other.text;                                                         \
    return *this;                                                              \
  }                                                                            \
  name::~name() noexcept = default;                                            \
  const char *name::what() const noexcept { return text.get(); }

XCC_ROOT_ERROR(logic_error)
XCC_ROOT_ERROR(runtime_error)

#define XCC_ERROR(name, base)                                                  \
  class name : public base {                                                   \
  public:                                                                      \
    explicit name(const char *what);                                           \
    explicit name(const string &what);                                         \
    ~name() noexcept override;                                                 \
  };                                                                           \
  name::name(const char *what) : base(what) {}                                 \
  name::name(const string &what) : base(what) {}                               \
  name::~name() noexcept = default;

XCC_ERROR(domain_error, logic_error)
XCC_ERROR(invalid_argument, logic_error)
XCC_ERROR(length_error, logic_error)
XCC_ERROR(out_of_range, logic_error)
XCC_ERROR(range_error, runtime_error)
XCC_ERROR(overflow_error, runtime_error)
XCC_ERROR(underflow_error, runtime_error)

} // namespace std

namespace __cxxabiv1 {
/// Thrown when a host thread is cancelled; streams let it pass. Device code
/// never throws it.
class __forced_unwind {
  virtual ~__forced_unwind() noexcept;
  virtual void __pure_dummy() = 0;
};
__forced_unwind::~__forced_unwind() noexcept = default;
} // namespace __cxxabiv1
// NOLINTEND(readability-identifier-naming)
