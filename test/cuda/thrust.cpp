// Thrust: vectors, iterators, and algorithms over device and host memory, compared with the standard's.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <list>
#include <numeric>
#include <random>
#include <sstream>
#include <xcc/cuda/thrust.h>

static int failures = 0;
static void check(bool right, const char *what) {
  if (!right) {
    std::printf("wrong: %s\n", what);
    ++failures;
  }
}
struct odd {
  __host__ __device__ bool operator()(int value) const { return value % 2; }
};
struct add_two {
  template <class Tuple> __host__ __device__ void operator()(Tuple of) const {
    thrust::get<2>(of) = thrust::get<0>(of) + 2 * thrust::get<1>(of);
  }
};
__host__ __device__ static thrust::pair<float, int> halved(int value) {
  return {0.5f * value, value};
}
/// Pairs and tuples in a kernel: tie(), structured bindings, order.
__global__ void pairs(float *halves, int *numbers) {
  const int i = threadIdx.x;
  thrust::tie(halves[i], numbers[i]) = halved(i);
  const auto [half, number] = halved(2 * i);
  thrust::tie(thrust::ignore, numbers[i]) =
      thrust::make_tuple(0, numbers[i] + number);
  thrust::tuple<double, long> both = halved(i), before;
  thrust::swap(both, before);
  const thrust::pair limit(1.0f, 2);
  if (before >= thrust::make_tuple(1.0, 2L) && limit <= halved(i) &&
      !(limit > halved(i)))
    halves[i] = half + thrust::get<0>(halved(i)) + both.get<1>();
}

int main() {
  const int n = 700;
  std::vector<int> numbers(n);
  std::mt19937 random(7);
  for (int &each : numbers)
    each = int(random() % 50) - 25;

  // Copies in both directions, and references.
  thrust::host_vector<int> host(numbers.begin(), numbers.end());
  thrust::device_vector<int> x = host, y(n, 3);
  std::list<short> list{4, 5, 6};
  thrust::device_vector<int> small(list.begin(), list.end());
  small[1] += 10;
  small.push_back(small[0] * 2);
  std::ostringstream text;
  thrust::copy(small.begin(), small.end(),
               std::ostream_iterator<int>(text, " "));
  check(text.str() == "4 15 6 8 ", "copies and references");

  // Reductions, over iterators that make their elements too.
  using namespace thrust::placeholders;
  check(thrust::reduce(x.begin(), x.end()) ==
            std::accumulate(numbers.begin(), numbers.end(), 0),
        "reduce");
  const auto squares = thrust::make_transform_iterator(
      thrust::make_counting_iterator(0), _1 * _1);
  check(thrust::reduce(squares, squares + 100, 0) == 328350, "counting");
  check(*thrust::max_element(x.begin(), x.end()) ==
                *std::max_element(numbers.begin(), numbers.end()) &&
            thrust::max_element(x.begin(), x.end()) - x.begin() ==
                std::max_element(numbers.begin(), numbers.end()) -
                    numbers.begin(),
        "max_element");

  // Several ranges at once.
  thrust::device_vector<int> z(n);
  thrust::for_each(
      thrust::make_zip_iterator(
          thrust::make_tuple(x.begin(), y.begin(), z.begin())),
      thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end(), z.end())),
      add_two());
  check(z[n - 1] == numbers[n - 1] + 6, "zip_iterator");

  // Scans and groups.
  std::vector<int> wanted(n);
  std::exclusive_scan(numbers.begin(), numbers.end(), wanted.begin(), 5);
  thrust::exclusive_scan(x.begin(), x.end(), z.begin(), 5);
  check(z == wanted, "exclusive_scan");
  thrust::device_vector<int> keys = x, sums(n), groups(n);
  thrust::sort(keys.begin(), keys.end());
  std::vector<int> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  check(keys == sorted, "sort");
  const auto end = thrust::reduce_by_key(keys.begin(), keys.end(),
                                         thrust::make_constant_iterator(1),
                                         groups.begin(), sums.begin());
  groups.resize(end.first - groups.begin());
  sums.resize(end.second - sums.begin());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  check(groups == sorted, "reduce_by_key's keys");
  check(sums[3] == std::count(numbers.begin(), numbers.end(), sorted[3]),
        "reduce_by_key");

  // Choices, in place and by raw addresses.
  std::vector<int> kept;
  std::remove_copy_if(numbers.begin(), numbers.end(), std::back_inserter(kept),
                      odd());
  y = x;
  y.erase(thrust::remove_if(y.begin(), y.end(), odd()), y.end());
  check(y == kept, "remove_if");
  int *raw = thrust::raw_pointer_cast(z.data());
  check(thrust::copy_if(thrust::device, raw, raw + n, raw, odd()) - raw ==
            std::count_if(wanted.begin(), wanted.end(), odd()),
        "a raw address");

  // A stable sort by key of a pair of values, in a stream.
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  thrust::device_vector<int> order(n);
  thrust::device_vector<float> with(n);
  thrust::sequence(order.begin(), order.end());
  thrust::transform(order.begin(), order.end(), with.begin(), 0.5f * _1);
  keys = x;
  thrust::sort_by_key(thrust::cuda::par.on(stream), keys.begin(), keys.end(),
                      thrust::make_zip_iterator(
                          thrust::make_tuple(order.begin(), with.begin())),
                      thrust::greater<int>());
  std::iota(wanted.begin(), wanted.end(), 0);
  std::stable_sort(wanted.begin(), wanted.end(), [&](int one, int other) {
    return numbers[one] > numbers[other];
  });
  check(order == wanted && with[5] == 0.5f * wanted[5], "sort_by_key");
  cudaStreamDestroy(stream);

  // A shuffle has all of them again.
  thrust::default_random_engine engine(3);
  thrust::shuffle(order.begin(), order.end(), engine);
  check(order != wanted, "shuffle");
  thrust::sort(order.begin(), order.end());
  check(order[0] == 0 && order[n - 1] == n - 1, "all of a shuffle");

  // Searches and sets.
  const int one[] = {1, 2, 2, 3, 7}, other[] = {2, 2, 2, 5, 7};
  thrust::device_vector<int> first(one, one + 5), second(other, other + 5),
      made(10);
  made.resize(thrust::set_union(first.begin(), first.end(), second.begin(),
                                second.end(), made.begin()) -
              made.begin());
  check(made == std::vector<int>{1, 2, 2, 2, 3, 5, 7}, "set_union");
  check(thrust::lower_bound(first.begin(), first.end(), 3) - first.begin() == 3,
        "lower_bound");

  // The host's memory needs no device.
  thrust::sort(host.begin(), host.end(), thrust::greater<int>());
  check(std::is_sorted(host.begin(), host.end(), std::greater<int>()),
        "on the host");
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  std::vector<int> copy = numbers;
  thrust::sort_by_key(copy.begin(), copy.end(), values.begin(),
                      thrust::greater<int>());
  check(std::equal(values.begin(), values.end(), wanted.begin()),
        "by key on the host");

  // Pairs are tuples of two.
  thrust::device_vector<float> halves(4);
  thrust::device_vector<int> thrice(4);
  xcc::cuda::launch(pairs, 1, 4)(thrust::raw_pointer_cast(halves.data()),
                                 thrust::raw_pointer_cast(thrice.data()));
  check(halves == std::vector<float>{0, 0.5f, 3, 4.5f} &&
            thrice == std::vector<int>{0, 3, 6, 9},
        "pairs in a kernel");
  thrust::device_vector<int>::iterator least, most;
  thrust::tie(least, most) = thrust::minmax_element(x.begin(), x.end());
  const auto [from, to] = thrust::minmax_element(x.begin(), x.end());
  check(*least == sorted.front() && *most == sorted.back() && from == least &&
            to == most,
        "minmax_element");
  const std::pair<float, int> standard = halved(3);
  check(standard == std::pair(1.5f, 3), "a pair of the standard library's");
  std::puts(failures ? "FAIL" : "PASS"); // CHECK: PASS
}
