// Handlers of UndefinedBehaviorSanitizer on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fsanitize=undefined inserts calls to these, with a constant that describes
// the source location and the types. The names and layouts are those that
// Clang's code generator writes (clang/lib/CodeGen/CGExpr.cpp, EmitCheck) and
// that the host's library reads (compiler-rt/lib/ubsan/ubsan_handlers.h). The
// messages equal the host's. Each location is reported once per device, by the
// first thread that gets there.

using size_t = decltype(sizeof 0);
using uint16_t = unsigned short;
using uint32_t = unsigned;
using uint64_t = unsigned long;
using int64_t = long;

extern "C" {
extern void *stderr;
int fprintf(void *stream, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;
}

namespace {

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

struct Place {
  const char *file;
  uint32_t line, column; ///< column: may be Told or Telling instead
};
constexpr uint32_t Told = ~0u, Telling = ~0u - 1;

struct Type {
  enum Kind : uint16_t { Integer = 0, Float = 1 };
  uint16_t kind;
  /// For integers: bit 0 is set if signed, the bits above are the logarithm of
  /// the width. For floating point: the width.
  uint16_t info;
  char name[1]; ///< in quotes, ends with a zero

  bool isSigned() const { return info & 1; }
  unsigned bits() const { return kind == Integer ? 1u << (info >> 1) : info; }
};

/// A value that fits a register, or the address of a wider value.
using Handle = uint64_t;

struct Overflow {
  Place at;
  const Type &type;
};
struct Shift {
  Place at;
  const Type &value, &amount;
};
struct Bounds {
  Place at;
  const Type &array, &index;
};
struct Conversion {
  Place at;
  const Type &from, &to;
};
struct Mismatch {
  Place at;
  const Type &type;
  unsigned char logAlignment, kind;
};
struct Assumption {
  Place at, assumed;
  const Type &type;
};
struct Argument {
  Place at, attribute;
  int index;
};
struct Builtin {
  Place at;
  unsigned char kind;
};

//===----------------------------------------------------------------------===//
// Values as text
//===----------------------------------------------------------------------===//

struct Text {
  char of[48];
};

/// Messages show the lower 64 bits of wider integers.
int64_t integerOf(const Type &t, Handle h) {
  uint64_t value = t.bits() > 64 ? *reinterpret_cast<const uint64_t *>(h) : h;
  if (t.bits() < 64) {
    const unsigned unused = 64 - t.bits();
    value = t.isSigned() ? uint64_t(int64_t(value << unused) >> unused)
                         : value << unused >> unused;
  }
  return int64_t(value);
}

double numberOf(const Type &t, Handle h) {
  if (t.bits() == 32) {
    const uint32_t low = uint32_t(h);
    return __builtin_bit_cast(float, low);
  }
  if (t.bits() == 16) {
    const uint16_t low = uint16_t(h);
    return double(float(__builtin_bit_cast(_Float16, low)));
  }
  return __builtin_bit_cast(double, h);
}

Text textOf(const Type &t, Handle h) {
  Text out;
  if (t.kind == Type::Float)
    snprintf(out.of, sizeof(out.of), "%g", numberOf(t, h));
  else if (t.kind != Type::Integer)
    snprintf(out.of, sizeof(out.of), "<unknown>");
  else if (t.isSigned())
    snprintf(out.of, sizeof(out.of), "%ld", integerOf(t, h));
  else
    snprintf(out.of, sizeof(out.of), "%lu", uint64_t(integerOf(t, h)));
  return out;
}

bool isNegative(const Type &t, Handle h) {
  return t.isSigned() && integerOf(t, h) < 0;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// Waits while another thread reports the location. The wait is limited,
/// because that thread may be a lane of the same warp.
void await(const Place &at, unsigned turns) {
  while (turns-- && __atomic_load_n(&at.column, __ATOMIC_RELAXED) == Telling)
    ;
}

/// Returns true if the calling thread is to report the location. Other threads
/// wait for the report, because the fault after the check may end the kernel.
bool isFirst(Place &at, uint32_t &column) {
  column = __atomic_load_n(&at.column, __ATOMIC_RELAXED);
  while (column != Told && column != Telling)
    if (__atomic_compare_exchange_n(&at.column, &column, Telling, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return true;
  await(at, 1 << 14);
  return false;
}

template <class... Values>
void tell(Place &at, const char *format, Values... values) {
  uint32_t column;
  if (!isFirst(at, column))
    return;
  char text[384];
  if constexpr (sizeof...(values) == 0)
    snprintf(text, sizeof(text), "%s", format);
  else
    snprintf(text, sizeof(text), format, values...);
  // One call of the host, so that lines of different threads do not mix.
  fprintf(stderr, "%s:%u:%u: runtime error: %s\n",
          at.file ? at.file : "<unknown>", at.line, column, text);
  __atomic_store_n(&at.column, Told, __ATOMIC_RELAXED);
}

[[noreturn]] void end(const Place &at) {
  await(at, 1 << 20);
  __xcc_trap(0, "undefined behavior, which is reported above", at.file,
             at.line);
}

void tellOverflow(Overflow &d, Handle left, Handle right, char operation) {
  tell(d.at, "%s integer overflow: %s %c %s cannot be represented in type %s",
       d.type.isSigned() ? "signed" : "unsigned", textOf(d.type, left).of,
       operation, textOf(d.type, right).of, d.type.name);
}

void tellNegation(Overflow &d, Handle value) {
  tell(d.at, "negation of %s cannot be represented in type %s%s",
       textOf(d.type, value).of, d.type.name,
       d.type.isSigned()
           ? "; cast to an unsigned type to negate this value to itself"
           : "");
}

void tellDivision(Overflow &d, Handle left, Handle right) {
  if (d.type.kind == Type::Integer && isNegative(d.type, right))
    tell(d.at, "division of %s by -1 cannot be represented in type %s",
         textOf(d.type, left).of, d.type.name);
  else
    tell(d.at, "division by zero");
}

void tellShift(Shift &d, Handle value, Handle amount) {
  const Text by = textOf(d.amount, amount), of = textOf(d.value, value);
  if (isNegative(d.amount, amount))
    tell(d.at, "shift exponent %s is negative", by.of);
  else if (uint64_t(integerOf(d.amount, amount)) >= d.value.bits())
    tell(d.at, "shift exponent %s is too large for %u-bit type %s", by.of,
         d.value.bits(), d.value.name);
  else if (isNegative(d.value, value))
    tell(d.at, "left shift of negative value %s", of.of);
  else
    tell(d.at, "left shift of %s by %s places cannot be represented in type %s",
         of.of, by.of, d.value.name);
}

void tellBounds(Bounds &d, Handle index) {
  tell(d.at, "index %s out of bounds for type %s", textOf(d.index, index).of,
       d.array.name);
}

void tellBound(Overflow &d, Handle bound) {
  tell(d.at, "variable length array bound evaluates to non-positive value %s",
       textOf(d.type, bound).of);
}

void tellCast(Conversion &d, Handle from) {
  tell(d.at, "%s is outside the range of representable values of type %s",
       textOf(d.from, from).of, d.to.name);
}

void tellValue(Overflow &d, Handle value) {
  tell(d.at, "load of value %s, which is not a valid value for type %s",
       textOf(d.type, value).of, d.type.name);
}

void tellConversion(Conversion &d, Handle from, Handle to) {
  auto sign = [](const Type &t) { return t.isSigned() ? "" : "un"; };
  tell(d.at,
       "implicit conversion from type %s of value %s (%u-bit, %ssigned) to "
       "type %s changed the value to %s (%u-bit, %ssigned)",
       d.from.name, textOf(d.from, from).of, d.from.bits(), sign(d.from),
       d.to.name, textOf(d.to, to).of, d.to.bits(), sign(d.to));
}

/// The use of a pointer, by Clang's number.
const char *useOf(unsigned kind) {
  static const char *const names[] = {"load of",
                                      "store to",
                                      "reference binding to",
                                      "member access within",
                                      "member call on",
                                      "constructor call on",
                                      "downcast of",
                                      "downcast of",
                                      "upcast of",
                                      "cast to virtual base of",
                                      "_Nonnull binding to",
                                      "dynamic operation on"};
  return kind < sizeof(names) / sizeof(*names) ? names[kind] : "use of";
}

void tellMismatch(Mismatch &d, Handle pointer) {
  const uint64_t alignment = uint64_t(1) << d.logAlignment;
  if (!pointer)
    tell(d.at, "%s null pointer of type %s", useOf(d.kind), d.type.name);
  else if (pointer & (alignment - 1))
    tell(d.at,
         "%s misaligned address 0x%012lx for type %s, which requires %lu byte "
         "alignment",
         useOf(d.kind), pointer, d.type.name, alignment);
  else
    tell(d.at,
         "%s address 0x%012lx with insufficient space for an object of type "
         "%s",
         useOf(d.kind), pointer, d.type.name);
}

void tellAssumption(Assumption &d, Handle, Handle alignment, Handle) {
  tell(d.at, "assumption of %lu byte alignment for pointer of type %s failed",
       alignment, d.type.name);
}

void tellArgument(Argument &d) {
  tell(d.at,
       "null pointer passed as argument %d, which is declared to never be null",
       d.index);
}

void tellPointer(Overflow &d, Handle base, Handle result) {
  if (!base && result)
    tell(d.at, "applying non-zero offset %lu to null pointer", result);
  else if (base && !result)
    tell(d.at,
         "applying non-zero offset to non-null pointer 0x%012lx "
         "produced null pointer",
         base);
  else
    tell(d.at,
         "pointer index expression with base 0x%012lx overflowed to "
         "0x%012lx",
         base, result);
}

void tellBuiltin(Builtin &d) {
  static const char *const calls[] = {"ctz()", "clz()"};
  if (d.kind < 2)
    tell(d.at, "passing zero to __builtin_%s, which is not a valid argument",
         calls[d.kind]);
  else
    tell(d.at, "assumption is violated during execution");
}

} // namespace

//===----------------------------------------------------------------------===//
// Entry points: each returns, except those with _abort, which end the kernel
//===----------------------------------------------------------------------===//

#define XCC_CHECK(name, parameters, data, call)                                \
  extern "C" void __ubsan_handle_##name parameters { call; }                   \
  extern "C" [[noreturn]] void __ubsan_handle_##name##_abort parameters {      \
    call;                                                                      \
    end(data.at);                                                              \
  }

XCC_CHECK(add_overflow, (Overflow & d, Handle a, Handle b), d,
          tellOverflow(d, a, b, '+'))
XCC_CHECK(sub_overflow, (Overflow & d, Handle a, Handle b), d,
          tellOverflow(d, a, b, '-'))
XCC_CHECK(mul_overflow, (Overflow & d, Handle a, Handle b), d,
          tellOverflow(d, a, b, '*'))
XCC_CHECK(negate_overflow, (Overflow & d, Handle a), d, tellNegation(d, a))
XCC_CHECK(divrem_overflow, (Overflow & d, Handle a, Handle b), d,
          tellDivision(d, a, b))
XCC_CHECK(shift_out_of_bounds, (Shift & d, Handle a, Handle b), d,
          tellShift(d, a, b))
XCC_CHECK(out_of_bounds, (Bounds & d, Handle index), d, tellBounds(d, index))
XCC_CHECK(local_out_of_bounds, (Overflow & d), d,
          tell(d.at, "access out of bounds"))
XCC_CHECK(vla_bound_not_positive, (Overflow & d, Handle bound), d,
          tellBound(d, bound))
XCC_CHECK(float_cast_overflow, (Conversion & d, Handle from), d,
          tellCast(d, from))
XCC_CHECK(load_invalid_value, (Overflow & d, Handle value), d,
          tellValue(d, value))
XCC_CHECK(implicit_conversion, (Conversion & d, Handle from, Handle to), d,
          tellConversion(d, from, to))
XCC_CHECK(invalid_builtin, (Builtin & d), d, tellBuiltin(d))
XCC_CHECK(type_mismatch_v1, (Mismatch & d, Handle pointer), d,
          tellMismatch(d, pointer))
XCC_CHECK(alignment_assumption,
          (Assumption & d, Handle pointer, Handle alignment, Handle offset), d,
          tellAssumption(d, pointer, alignment, offset))
XCC_CHECK(nonnull_arg, (Argument & d), d, tellArgument(d))
XCC_CHECK(nullability_arg, (Argument & d), d, tellArgument(d))
XCC_CHECK(pointer_overflow, (Overflow & d, Handle base, Handle result), d,
          tellPointer(d, base, result))

#undef XCC_CHECK

/// The location is that of the return statement, in the second argument.
#define XCC_CHECK_RETURN(name)                                                 \
  extern "C" void __ubsan_handle_##name(void *, Place &at) {                   \
    tell(at, "null pointer returned from function declared to never return "   \
             "null");                                                          \
  }                                                                            \
  extern "C" [[noreturn]] void __ubsan_handle_##name##_abort(void *d,          \
                                                             Place &at) {      \
    __ubsan_handle_##name(d, at);                                              \
    end(at);                                                                   \
  }

XCC_CHECK_RETURN(nonnull_return_v1)
XCC_CHECK_RETURN(nullability_return_v1)
#undef XCC_CHECK_RETURN

extern "C" [[noreturn]] void __ubsan_handle_builtin_unreachable(Overflow &d) {
  tell(d.at, "execution reached an unreachable program point");
  end(d.at);
}
extern "C" [[noreturn]] void __ubsan_handle_missing_return(Overflow &d) {
  tell(d.at, "execution reached the end of a value-returning function without "
             "returning a value");
  end(d.at);
}
