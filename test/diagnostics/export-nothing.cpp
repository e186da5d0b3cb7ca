// Marks that promise nothing are said, each where it is written; others are not.
// RUN: %xcc -fsyntax-only %s -Xclang -verify
// RUN: %xcc -fsyntax-only -w -Werror %s
#include <xcc/xcc.h>
#define API XCC_EXPORT

enum API color { red }; // expected-warning {{XCC_EXPORT has no effect on an enumeration: it has no code}}
typedef API int number; // expected-warning {{XCC_EXPORT has no effect on a name of a type: it has no code; mark the type itself}}
API static int hidden(int x) { return x; } // expected-warning {{XCC_EXPORT has no effect on a function of this translation unit alone: no other translation unit can name it}}
static API int count; // expected-warning {{XCC_EXPORT has no effect on a variable of this translation unit alone}}
namespace API { // expected-warning {{XCC_EXPORT has no effect on an unnamed namespace}}
int inside(int x) { return hidden(x) + count; }
} // namespace
class whole;
struct some {
  API int value; // expected-warning {{XCC_EXPORT has no effect on a member of each object}}
  enum API side { left }; // expected-warning {{XCC_EXPORT has no effect on an enumeration}}
  friend API int friendly(whole &);
  API static int all;
  API int member() const { return value; }
  template <class Type> API Type of(Type x) { return x; }
};
namespace {
class API local { // expected-warning {{XCC_EXPORT has no effect on a class of this translation unit alone}}
  int x;
};
} // namespace

extern API int declared(int);
class API whole {
public:
  int f();
};
template <class Type> API Type same(Type x) { return x; }
template <class Type> class API holder {};
API int variable = 3;
API const int constant = 4;
API inline int twice(int x) { return 2 * x; }
extern "C" {
API int plain(int x) { return inside(x); }
}
namespace API named {
int g() { return 1; }
} // namespace named
API extern int elsewhere;
