#include <xcc/xcc.h>
#define API XCC_EXPORT
extern API int before(int);
int before(int x) { return x + 1; }
[[nodiscard]] API int behind(int x) { return x + 2; }
int API between(int x) { return x + 3; }
extern "C" API int in_c(int x) { return x + 4; }
extern API const int table[2];
const int table[2] = {50, 60};
class API parser {
public:
  static int made;
  explicit parser(int at);
  int next();

private:
  int at;
};
int parser::made = 70;
parser::parser(int at) : at(at) {}
int parser::next() { return at += made; }
namespace API space {
int inside(int x) { return x + 8; }
template <class T> T chosen(T x) { return x + 9; }
template int chosen(int);
} // namespace space
