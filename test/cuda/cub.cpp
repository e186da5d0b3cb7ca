// CUB: primitives of warps and blocks, and algorithms over a device's memory, compared with the standard's.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>
#include <xcc/cuda/cub.h>

static int failures = 0;
static void check(bool right, const char *what) {
  if (!right) {
    std::printf("wrong: %s\n", what);
    ++failures;
  }
}
constexpr int Items = 3;
struct longest {
  __device__ int operator()(int one, int other) const {
    return one < other ? other : one;
  }
};
/// What comes before a block's part of a scan.
struct carried {
  int sum;
  __device__ int operator()(int total) {
    const int before = sum;
    sum += total;
    return before;
  }
};

template <int Threads>
__global__ void block(const int *in, int *scanned, int *keys, int *values,
                      int *results) {
  using load = cub::BlockLoad<int, Threads, Items, cub::BLOCK_LOAD_TRANSPOSE>;
  using store =
      cub::BlockStore<int, Threads, Items, cub::BLOCK_STORE_TRANSPOSE>;
  using scan = cub::BlockScan<int, Threads>;
  using reduction = cub::BlockReduce<int, Threads>;
  using sort = cub::BlockRadixSort<int, Threads, Items, int>;
  __shared__ union {
    typename load::TempStorage load;
    typename store::TempStorage store;
    typename scan::TempStorage scan;
    typename reduction::TempStorage reduction;
    typename sort::TempStorage sort;
  } storage;
  int items[Items], sums[Items], ranks[Items];
  load(storage.load).Load(in, items);
  __syncthreads();
  carried before{100};
  scan(storage.scan).ExclusiveSum(items, sums, before);
  __syncthreads();
  store(storage.store).Store(scanned, sums);
  const int sum = reduction(storage.reduction).Sum(items);
  __syncthreads();
  const int part = reduction(storage.reduction).Reduce(items[0], longest(), 40);
  if (threadIdx.x == 0) {
    results[0] = sum;
    results[1] = part;
  }
  for (int at = 0; at < Items; ++at)
    ranks[at] = threadIdx.x * Items + at;
  __syncthreads();
  sort(storage.sort).SortDescending(items, ranks);
  store(storage.store).Store(keys, items);
  store(storage.store).Store(values, ranks);
}
__global__ void warp(int *out) {
  using whole = cub::WarpReduce<int>;
  using part = cub::WarpScan<int, 8>;
  __shared__ typename whole::TempStorage storage[2];
  __shared__ typename part::TempStorage parts[8];
  const int mine = threadIdx.x;
  const int sum = whole(storage[mine / 32]).Sum(mine);
  int before, total;
  part(parts[mine / 8]).ExclusiveSum(mine, before, total);
  const int segment =
      whole(storage[mine / 32]).HeadSegmentedSum(1, mine % 5 == 0);
  out[3 * mine] = mine % 32 ? 0 : sum;
  out[3 * mine + 1] = before * 1000 + total;
  out[3 * mine + 2] = segment;
}

static std::vector<int> read(const int *from, std::size_t count) {
  std::vector<int> made(count);
  cudaMemcpy(made.data(), from, count * sizeof(int), cudaMemcpyDeviceToHost);
  return made;
}
/// Asks for memory, and runs.
template <class Call> static void run(Call call) {
  void *memory = nullptr;
  std::size_t bytes = 0;
  call(memory, bytes);
  cudaMalloc(&memory, bytes);
  check(call(memory, bytes) == cudaSuccess,
        cudaGetErrorString(cudaGetLastError()));
  cudaFree(memory);
}

template <int Threads>
static void blocks(const std::vector<int> &numbers, const int *in, int *all) {
  const int count = Threads * Items;
  int *scanned = all, *keys = all + count, *values = keys + count,
      *results = values + count;
  ::xcc::cuda::configure(1, Threads),
      block<Threads>(in, scanned, keys, values, results);
  std::vector<int> wanted(count), order(count), sorted(count);
  std::exclusive_scan(numbers.begin(), numbers.begin() + count, wanted.begin(),
                      100);
  check(read(scanned, count) == wanted, "BlockScan");
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int one, int other) {
    return numbers[one] > numbers[other];
  });
  for (int at = 0; at < count; ++at)
    sorted[at] = numbers[order[at]];
  check(read(keys, count) == sorted && read(values, count) == order,
        "BlockRadixSort");
  const std::vector<int> both = read(results, 2);
  int most = numbers[0];
  for (int at = 0; at < 40; ++at)
    most = std::max(most, numbers[at * Items]);
  check(both[0] == std::accumulate(numbers.begin(), numbers.begin() + count, 0),
        "BlockReduce");
  check(both[1] == most, "BlockReduce of some threads");
}

int main() {
  const int n = 600;
  std::vector<int> numbers(n);
  std::mt19937 random(3);
  for (int &each : numbers)
    each = int(random() % 100) - 50;
  int *in, *out, *count;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 4 * n * sizeof(int));
  cudaMalloc(&count, 2 * sizeof(int));
  cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  blocks<128>(numbers, in, out);
  blocks<50>(numbers, in, out); // no whole number of warps

  ::xcc::cuda::configure(1, 64), warp(out);
  const std::vector<int> lanes = read(out, 3 * 64);
  check(lanes[3 * 32] == 32 * 32 + 31 * 16, "WarpReduce");
  check(lanes[3 * 11 + 1] == (8 + 9 + 10) * 1000 + 8 * 8 + 28, "WarpScan");
  check(lanes[3 * 6 + 2] == 4 && lanes[3 * 30 + 2] == 2, "HeadSegmentedSum");

  run([&](void *memory, std::size_t &bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, in, count, n);
  });
  check(read(count, 1)[0] == std::accumulate(numbers.begin(), numbers.end(), 0),
        "DeviceReduce");
  const auto positive = [](int value) { return value > 0; };
  run([&](void *memory, std::size_t &bytes) {
    return cub::DeviceSelect::If(memory, bytes, in, out, count, n, positive);
  });
  std::vector<int> wanted;
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(wanted),
               positive);
  check(read(out, read(count, 1)[0]) == wanted, "DeviceSelect");
  run([&](void *memory, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n);
  });
  std::sort(numbers.begin(), numbers.end());
  check(read(out, n) == numbers, "DeviceRadixSort");
  run([&](void *memory, std::size_t &bytes) {
    return cub::DeviceRunLengthEncode::Encode(memory, bytes, out, in, out + n,
                                              count, n);
  });
  check(read(out + n, 1)[0] ==
            std::count(numbers.begin(), numbers.end(), numbers[0]),
        "DeviceRunLengthEncode");
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
  std::puts(failures ? "FAIL" : "PASS"); // CHECK: PASS
}
