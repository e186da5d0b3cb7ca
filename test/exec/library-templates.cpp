// Templates of which a library has the instantiations ("extern template"), as
// libstdc++ has those of std::string, and what else its headers call in it.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// CHECK: 0 wrong
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <variant>
#include <vector>
#include <xcc/xcc.h>
template <class T> struct Own {
  virtual int f(T) const;
  virtual ~Own();
  int g() const;
  T t{};
  static int count;
  static int const table[3];
};
template <class T> int Own<T>::f(T x) const { return int(x) + g(); }
template <class T> Own<T>::~Own() {}
template <class T> int Own<T>::g() const { return 7 + table[1]; }
template <class T> int Own<T>::count = 5;
template <class T> int const Own<T>::table[3] = {1, 2, 3};
extern template struct Own<int>;
template <class T> int free_function(T t) { return t * 3; }
extern template int free_function<int>(int);
int add(int a, int b) { return a - b; }
void k(int *out, int n) {
  std::string s = "hello";
  s += " world, this is long enough for the heap";
  s.insert(3, "xyz");
  s.replace(0, 2, "QQQ");
  s.append(std::to_string(n));
  out[0] = int(s.size());
  out[1] = s[4];
  out[2] = int(s.find("heap"));
  out[3] = s.substr(3, 4) == "xyzl";
  out[4] = s.compare("a") > 0;
  auto b = std::bind(add, std::placeholders::_2, std::placeholders::_1);
  out[5] = b(n, 10);
  std::shared_ptr<int> p = std::make_shared<int>(n), q = p;
  out[6] = *q + int(p.use_count());
  std::vector<std::string> v{"b", "a"};
  v.push_back(s);
  out[7] = int(v[0] < v[1]) + int(v.size());
  std::map<std::string, int> m;
  m["x"] = n;
  m["y"] = 2;
  out[8] = m.at("x") + int(m.count("z"));
  std::function<int(int)> f = [n](int x) { return x * n; };
  out[9] = f(3);
  Own<int> o;
  out[10] = o.f(n);
  Own<int>::count += 1;
  out[11] = Own<int>::count;
  out[12] = free_function(n);
  std::optional<std::string> os("abc");
  out[13] = int(os.value().size());
  std::variant<int, std::string> va = std::string("zz");
  out[14] = int(std::get<std::string>(va).size());
  out[15] = int(std::hash<std::string>()(s) & 0xffff);
  std::unordered_map<int, int> um;
  um[3] = n;
  um[7] = 8;
  for (int i = 0; i < 40; ++i)
    um[i * 5] = i;
  out[16] = um[3] + int(um.size());
  out[17] = std::stoi("42");
  std::wstring w = L"wide";
  w += L"!";
  out[18] = int(w.size());
  out[19] = int(std::hash<double>()(2.5) & 0xffff);
}
int main() {
  const int N = 20;
  xcc::buffer<int> b(N);
  b.fill(0);
  xcc::launch({1, 1}, k, b.data(), 7);
  int got[N], want[N] = {};
  b.copy_to(got, N);
  k(want, 7);
  int bad = 0;
  for (int i = 0; i < N; ++i)
    if (got[i] != want[i]) {
      printf("%d: %d, host %d\n", i, got[i], want[i]);
      ++bad;
    }
  printf("%d wrong\n", bad);
  return bad;
}
template struct Own<int>;
template int free_function<int>(int);
