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

/// As programs write it: with references that are not const.
struct difference {
  template <class Number>
  __device__ Number operator()(Number &one, Number &other) const {
    return one - other;
  }
};

/// Differences of neighbours: whole tiles, with ends, and of 100 items only.
template <int Threads> __global__ void differences(const int *in, int *out) {
  using differ = cub::BlockAdjacentDifference<int, Threads>;
  using shuffle = cub::BlockShuffle<int, Threads>;
  __shared__ typename differ::TempStorage storage;
  __shared__ typename shuffle::TempStorage exchanged;
  const int first = int(threadIdx.x) * Items;
  int made[6][Items], items[Items], rotated = -1, next = -1;
  for (int at = 0; at < Items; ++at)
    items[at] = made[0][at] = in[first + at];
  differ(storage).SubtractLeft(made[0], made[0], difference());
  __syncthreads();
  differ(storage).SubtractLeft(items, made[1], difference(), 7);
  __syncthreads();
  differ(storage).SubtractRight(items, made[2], difference(), 9);
  __syncthreads();
  differ(storage).SubtractLeftPartialTile(items, made[3], difference(), 100);
  __syncthreads();
  differ(storage).SubtractRightPartialTile(items, made[4], difference(), 100);
  shuffle(exchanged).Up(items, made[5]);
  __syncthreads();
  shuffle(exchanged).Rotate(items[0], rotated, Threads - 2);
  __syncthreads();
  shuffle(exchanged).Offset(items[1], next);
  if (threadIdx.x == 0)
    made[5][0] = rotated;
  if (threadIdx.x == Threads - 1)
    made[5][0] = next;
  for (int way = 0; way < 6; ++way)
    for (int at = 0; at < Items; ++at)
      out[way * Threads * Items + first + at] = made[way][at];
}

/// Items of a warp, and of half a warp: read, exchanged, sorted and written.
__global__ void warp_items(const int *in, int *out, int *origins) {
  using load = cub::WarpLoad<int, Items, cub::WARP_LOAD_STRIPED>;
  using exchange = cub::WarpExchange<int, Items>;
  using sort = cub::WarpMergeSort<int, Items, 16, int>;
  __shared__ union {
    typename load::TempStorage load;
    typename exchange::TempStorage exchange;
    typename sort::TempStorage sort[2];
  } storage[2];
  const int warp = threadIdx.x / 32, half = threadIdx.x / 16 % 2;
  int items[Items], from[Items];
  load(storage[warp].load).Load(in + warp * 32 * Items, items);
  exchange(storage[warp].exchange).StripedToBlocked(items, items);
  for (int at = 0; at < Items; ++at)
    from[at] = int(threadIdx.x) % 16 * Items + at;
  __syncwarp();
  sort(storage[warp].sort[half])
      .Sort(items, from, [](int one, int other) { return one < other; });
  const int start = int(threadIdx.x) / 16 * 16 * Items;
  cub::WarpStore<int, Items, cub::WARP_STORE_TRANSPOSE, 16>().Store(out + start,
                                                                   items);
  cub::WarpStore<int, Items, cub::WARP_STORE_DIRECT, 16>().Store(
      origins + start, from);
}

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

template <int Threads>
static void neighbours(const std::vector<int> &in, const int *from, int *out) {
  constexpr int count = Threads * Items;
  ::xcc::cuda::configure(1, Threads), differences<Threads>(from, out);
  const std::vector<int> all = read(out, 6 * count);
  const auto made = [&](int way, int at) { return all[way * count + at]; };
  for (int at = 0; at < count; ++at) {
    const int before = at ? in[at] - in[at - 1] : in[at];
    const int behind = at + 1 < count ? in[at] - in[at + 1] : in[at] - 9;
    check(made(0, at) == before, "SubtractLeft");
    check(made(1, at) == (at ? before : in[0] - 7), "SubtractLeft of an item");
    check(made(2, at) == behind, "SubtractRight of an item");
    check(made(3, at) == (at < 100 ? before : in[at]), "left, partial");
    check(made(4, at) == (at < 99 ? behind : in[at]), "right, partial");
    check(made(5, at) == (at == 0 ? in[(Threads - 2) * Items]
                          : at == count - Items ? -1
                                                : in[at - 1]),
          "BlockShuffle");
  }
  run([&](void *memory, std::size_t &bytes) {
    return cub::DeviceAdjacentDifference::SubtractLeft(memory, bytes, out, 50);
  });
  run([&](void *memory, std::size_t &bytes) {
    return cub::DeviceAdjacentDifference::SubtractRightCopy(
        memory, bytes, from, out + 50, 50, longest());
  });
  const std::vector<int> twice = read(out, 100);
  check(twice[0] == all[0] && twice[99] == in[49], "the ends");
  for (int at = 1; at < 50; ++at)
    check(twice[at] == all[at] - all[at - 1] &&
              twice[49 + at] == std::max(in[at - 1], in[at]),
          "DeviceAdjacentDifference");
}

static void warps_of_items(const std::vector<int> &in, const int *from,
                           int *out) {
  constexpr int count = 64 * Items, part = 16 * Items;
  ::xcc::cuda::configure(1, 64), warp_items(from, out, out + count);
  const std::vector<int> all = read(out, 2 * count);
  for (int start = 0; start < count; start += part) {
    std::vector<int> ranks(part);
    std::iota(ranks.begin(), ranks.end(), 0);
    std::sort(ranks.begin(), ranks.end(), [&](int one, int other) {
      const int a = in[start + one], b = in[start + other];
      return a != b ? a < b : one < other;
    });
    for (int at = 0; at < part; ++at)
      check(all[start + at] == in[start + ranks[at]] &&
                all[count + start + at] == ranks[at],
            "WarpMergeSort");
  }
}

/// Ranks by three bits, downwards too, and runs of one to three equal items.
template <int Threads>
__global__ void ranks_and_runs(const int *in, int *ranks, int *items,
                               int *ends) {
  using up = cub::BlockRadixRank<Threads, 3, false>;
  using down = cub::BlockRadixRank<Threads, 3, true>;
  using decode = cub::BlockRunLengthDecode<int, Threads, 2, 3>;
  __shared__ typename up::TempStorage storage;
  __shared__ typename down::TempStorage other;
  __shared__ typename decode::TempStorage runs;
  const int thread = int(threadIdx.x);
  unsigned keys[Items];
  int upwards[Items], downwards[Items], prefix[up::BINS_TRACKED_PER_THREAD];
  for (int at = 0; at < Items; ++at)
    keys[at] = unsigned(in[thread * Items + at]);
  const cub::BFEDigitExtractor<unsigned> digits(1, 3);
  up(storage).RankKeys(keys, upwards, digits, prefix);
  down(other).RankKeys(keys, downwards, digits);
  for (int at = 0; at < Items; ++at) {
    ranks[thread * Items + at] = upwards[at];
    ranks[Threads * Items + thread * Items + at] = downwards[at];
  }
  if (thread < 8)
    ends[1 + thread] = prefix[0];
  int values[2] = {2 * thread, 2 * thread + 1};
  int lengths[2] = {thread % 3, 1 + thread % 2}, total = 0;
  decode runs_of(runs, values, lengths, total);
  for (int first = 0; first < total; first += 3 * Threads) {
    int decoded[3], places[3];
    runs_of.RunLengthDecode(decoded, places, unsigned(first));
    for (int at = 0; at < 3; ++at)
      if (first + 3 * thread + at < total)
        items[first + 3 * thread + at] = 10 * decoded[at] + places[at];
  }
  if (thread == 0)
    ends[0] = total;
}
template <int Threads>
static void ranked(const std::vector<int> &in, const int *from, int *out) {
  constexpr int count = Threads * Items;
  ::xcc::cuda::configure(1, Threads),
      ranks_and_runs<Threads>(from, out, out + 2 * count, out + 4 * count);
  const std::vector<int> all = read(out, 4 * count + 9);
  const auto digit = [&](int at) { return unsigned(in[at]) >> 1 & 7; };
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int one, int two) {
    return digit(one) < digit(two);
  });
  for (int at = 0; at < count; ++at)
    check(all[order[at]] == at, "BlockRadixRank");
  for (int at = 0; at < 8; ++at)
    check(all[4 * count + 1 + at] ==
              std::count_if(order.begin(), order.end(),
                            [&](int each) { return int(digit(each)) < at; }),
          "the prefix of digits");
  std::stable_sort(order.begin(), order.end(), [&](int one, int two) {
    return digit(one) > digit(two);
  });
  for (int at = 0; at < count; ++at)
    check(all[count + order[at]] == at, "BlockRadixRank downwards");
  int item = 2 * count;
  for (int thread = 0; thread < Threads; ++thread)
    for (int run : {0, 1})
      for (int at = 0; at < (run ? 1 + thread % 2 : thread % 3); ++at)
        check(all[item++] == 10 * (2 * thread + run) + at,
              "BlockRunLengthDecode");
  check(all[4 * count] == item - 2 * count, "the items of all runs");
}

/// A function of each element, copies of ranges, and a merge.
static void each_element(const std::vector<int> &in, const int *from,
                         int *out) {
  const int n = 200;
  cub::DeviceFor::Bulk(n, [=](int at) { out[at] = from[at] * 2 + at; });
  cub::DeviceFor::ForEachN(out, n, [](int &value) { value += 7; });
  cub::DeviceTransform::Transform(std::make_tuple(out, from), out + n, n,
                                  [](int a, int b) { return a - b; });
  run([&](void *memory, std::size_t &bytes) {
    return cub::DeviceFor::ForEach(memory, bytes, out + n, out + 2 * n,
                                   [](int &value) { ++value; });
  });
  std::vector<int> made = read(out, 2 * n);
  for (int at = 0; at < n; ++at)
    check(made[at] == in[at] * 2 + at + 7 && made[n + at] == in[at] + at + 8,
          "DeviceFor");
  // Three ranges, one of them empty.
  const void *sources[] = {from + 3, from, from + 50}, **source;
  void *targets[] = {out + 100, out, out + 20}, **target;
  std::size_t sizes[] = {4 * 90, 0, 4 * 70}, *size;
  cudaMalloc(&source, sizeof sources);
  cudaMalloc(&target, sizeof targets);
  cudaMalloc(&size, sizeof sizes);
  cudaMemcpy(source, sources, sizeof sources, cudaMemcpyHostToDevice);
  cudaMemcpy(target, targets, sizeof targets, cudaMemcpyHostToDevice);
  cudaMemcpy(size, sizes, sizeof sizes, cudaMemcpyHostToDevice);
  run([&](void *memory, std::size_t &bytes) {
    return cub::DeviceMemcpy::Batched(memory, bytes, source, target, size, 3);
  });
  std::vector<int> copied = made;
  std::copy_n(in.begin() + 3, 90, copied.begin() + 100);
  std::copy_n(in.begin() + 50, 70, copied.begin() + 20);
  check(read(out, 2 * n) == copied, "DeviceMemcpy");
  std::vector<int> sorted = in;
  std::sort(sorted.begin(), sorted.begin() + 100);
  std::sort(sorted.begin() + 100, sorted.begin() + 180);
  cudaMemcpy(out, sorted.data(), 4 * 180, cudaMemcpyHostToDevice);
  run([&](void *memory, std::size_t &bytes) {
    return cub::DeviceMerge::MergeKeys(memory, bytes, out, 100, out + 100, 80,
                                       out + 180);
  });
  std::sort(sorted.begin(), sorted.begin() + 180);
  sorted.resize(180);
  check(read(out + 180, 180) == sorted, "DeviceMerge");
  cudaFree(source);
  cudaFree(target);
  cudaFree(size);
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

  neighbours<64>(numbers, in, out);
  warps_of_items(numbers, in, out);
  ranked<64>(numbers, in, out);
  ranked<50>(numbers, in, out);
  each_element(numbers, in, out);

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
