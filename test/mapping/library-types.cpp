// What owns or refers to memory: the library's types, in one launch.
// RUN: %everywhere
#include "Inputs/check.h"

#include <vector>
#include <string>
#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <tuple>
#include <span>
#include <string_view>
#include <functional>
#include <valarray>
struct node { int value; std::unique_ptr<node> next; };
int main() {
  std::array<int, 4> arr{1,2,3,4};
  std::array<std::vector<int>, 2> av{std::vector<int>{1,2}, std::vector<int>{3}};
  std::string s = "short", l = "a long string that is on the heap";
  std::string_view sv = "literal";
  std::optional<std::vector<int>> o{std::vector<int>{5,6}}, none;
  std::variant<int, std::string, std::vector<double>> v = std::vector<double>{1.5, 2.5};
  std::tuple<int, std::string, std::vector<int>> t{1, "tuple with a long string", {7,8}};
  std::pair<std::vector<int>, std::string> p{{9}, "second second second"};
  auto u = std::make_unique<int>(11);
  auto ua = std::make_unique<int[]>(5);
  auto us = std::make_unique<std::string[]>(3);
  us[1] = "a string that is certainly on the heap";
  std::vector<bool> bits(100); bits[77] = true;
  std::valarray<double> va(3);
  std::vector<std::string> vs{"x", "another string on the heap for sure"};
  std::span<int> sp(arr);
  auto it = o->begin();
  node list{1, std::make_unique<node>(node{2, std::make_unique<node>(node{3, nullptr})})};
  int count = 0;
  auto rw = std::ref(count);
  xcc::launch({{1},{1}}, [&] {
    arr[0] += 1; av[0][1] += av[1][0]; s[0] = 'S'; l[2] = 'L'; count += sv.size() + sv[1];
    (*o)[1] = 66; count += none.has_value();
    if (auto *d = std::get_if<2>(&v)) (*d)[0] = 9.5;
    std::get<2>(t)[1] = std::get<1>(t).size(); p.first[0]++; p.second[0] = 'S';
    *u += 1; ua[4] = 44; us[1][0] = 'A'; bits[3] = bits[77]; va[2] = 2; vs[1][0] = 'A';
    sp[3] = 40; *it = 55;
    int sum = 0; for (node *n = &list; n; n = n->next.get()) sum += n->value++;
    count += sum; rw.get() += 1000;
  });
  xcc::synchronize();
  CHECK(arr[0] == 2); CHECK(av[0][1] == 5); CHECK(s == "Short"); CHECK(l[2] == 'L');
  CHECK((*o)[1] == 66); CHECK(std::get<2>(v)[0] == 9.5); CHECK(std::get<2>(t)[1] == (int)std::get<1>(t).size());
  CHECK(p.first[0] == 10 && p.second[0] == 'S'); CHECK(*u == 12); CHECK(ua[4] == 44); CHECK(us[1][0] == 'A'); CHECK(bits[3] == 1);
  CHECK(va[2] == 2); CHECK(vs[1][0] == 'A'); CHECK(arr[3] == 40); CHECK((*o)[0] == 55);
  CHECK(count == 7 + 'i' + 6 + 1000); CHECK(list.next->next->value == 4);
}
