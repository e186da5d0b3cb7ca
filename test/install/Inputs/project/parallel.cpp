#include <algorithm>
#include <cstdio>
#include <execution>
#include <vector>
int main() {
  std::vector<int> v(5000, 1);
  std::fill(std::execution::par, v.begin(), v.end(), 7);
  std::printf("the last number is %d\n", v.back());
}
