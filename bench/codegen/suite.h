// The kernels that are compared, as host functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kernel exists twice: kernels/NAME.cpp is C++ for xcc, kernels/NAME.cu is
// CUDA for nvcc. Types, index arithmetic, unrolling and __restrict are the same
// on both sides, so that what differs is the compiler. Both files define the
// functions below, which launch a kernel on the default stream and return.
// Pointers are device memory; sizes are elements unless they say otherwise.

#ifndef XCC_BENCH_CODEGEN_SUITE_H
#define XCC_BENCH_CODEGEN_SUITE_H

#include <cstddef>
#include <cstdint>

/// Before functions and tables that both sides use; CUDA has to be told where
/// they run. The host reference is C++ that includes them too.
#ifdef __CUDACC__
#define SUITE_INLINE __host__ __device__ inline
#define SUITE_DEVICE __device__ inline
#define SUITE_CONSTANT static __constant__ const
#else
#define SUITE_INLINE inline
#define SUITE_DEVICE inline
#define SUITE_CONSTANT static constexpr
#endif

namespace suite {

/// y += a x
void saxpy(int n, float a, const float *x, float *y);
/// c = a + s b
void triad(int n, float s, const float *a, const float *b, float *c);
/// A 5-point stencil; the border of `out` is not written.
void stencil2d(int width, int height, const float *in, float *out);
/// A 7-point stencil; the border of `out` is not written.
void stencil3d(int nx, int ny, int nz, const float *in, float *out);

constexpr int ReduceThreads = 256;
/// sums[block] = the sum of the elements that the block visits.
void reduce(int blocks, int n, const float *in, float *sums);

constexpr int ScanThreads = 256, ScanEach = 4;
constexpr int ScanTile = ScanThreads * ScanEach;
/// Inclusive prefix sums within each tile of ScanTile; n is a multiple of it.
void scan(int n, const int *in, int *out, int *totals);

/// out[x][y] = in[y][x]; both sides are multiples of 32.
void transpose(int width, int height, const float *in, float *out);

/// c = a b, n x n, n a multiple of 64: one element for each thread.
void matmulTiled(int n, const float *a, const float *b, float *c);
/// The same with 4 x 4 elements in each thread's registers.
void matmulRegister(int n, const float *a, const float *b, float *c);

/// y = A x in compressed sparse rows: a thread for each row.
void spmvScalar(int rows, const int *start, const int *column,
                const float *value, const float *x, float *y);
/// The same: a warp for each row.
void spmvWarp(int rows, const int *start, const int *column, const float *value,
              const float *x, float *y);

void blackScholes(int n, const float *price, const float *strike,
                  const float *years, float rate, float volatility, float *call,
                  float *put);
void blackScholesDouble(int n, const double *price, const double *strike,
                        const double *years, double rate, double volatility,
                        double *call, double *put);

/// The SHA-256 compression of one 64-byte block for each thread: n messages of
/// 16 words, word-major (word w of message i at w * n + i), n digests alike.
void sha256(int n, const std::uint32_t *message, std::uint32_t *digest);

/// Steps until the point of each pixel leaves the disk, at most `limit`.
void mandelbrot(int width, int height, int limit, std::uint16_t *steps);

struct alignas(16) Body {
  float x, y, z, mass;
};
constexpr int BodyThreads = 256;
/// Accelerations of n bodies, n a multiple of BodyThreads.
void nbody(int n, const Body *bodies, Body *acceleration);

/// a and b change places; out[n] = in, and backwards behind it, with another
/// mass.
void exchange(int n, float mass, const Body *in, Body *a, Body *b, Body *out);

constexpr int SmoothThreads = 256;
/// Each element becomes a mean with its neighbours of the block, in steps.
void smooth(int blocks, int steps, const float *in, float *out);
/// Four sums over the rows of two matrices with three weights for each row.
void moments(int n, int rows, const double *x, const double *y,
             const double *weight, double *out);
/// Each element with those behind it, weighted; at most 32 taps.
void convolve(int n, int taps, const float *in, float *out);

/// bins[256] += how often each byte occurs.
void histogram(int blocks, int n, const std::uint8_t *text,
               std::uint32_t *bins);

/// Vectors of 4 floats through expression templates.
void expression(int n, float s, const float *a, const float *b, float *out);
/// A functor made of policies: how to load, transform, combine and store.
void policies(int n, float scale, float low, float high, const float *a,
              const float *b, float *out);
/// A lambda with captures, passed to a generic kernel.
void lambdas(int n, float a, float b, const float *x, const float *y,
             float *out);

/// A CRC-32 of each row of `bytes` bytes (a multiple of 4), bit by bit.
void crc32(int rows, int bytes, const std::uint32_t *text, std::uint32_t *crc);
/// Morton codes, population counts, bit reversal, leading zeros, rotation.
void bits(int n, const std::uint32_t *x, const std::uint32_t *y,
          std::uint64_t *out);

/// Points of `samples` random pairs that lie in the quarter disk.
void monteCarlo(int threads, int samples, std::uint32_t seed,
                std::uint32_t *inside);

constexpr int SortTile = 512;
/// Sorts each tile of SortTile elements.
void bitonic(int blocks, const unsigned *in, unsigned *out);
/// A 7-point stencil; the border of `out` is not written.
void heat3d(std::size_t nx, std::size_t ny, std::size_t nz, const double *in,
            double *out);
/// exp(in) of each row, with sum 1.
void softmax(int rows, int columns, const float *in, float *out);
/// Each row with mean 0 and variance 1, then multiplied and added to.
void layernorm(int rows, int columns, float epsilon, const float *in,
               const float *gain, const float *bias, float *out);
/// out = A dense, A in compressed sparse rows.
void spmm(int rows, int columns, const int *start, const int *column,
          const float *value, const float *dense, float *out);
/// out = 2 in, between images with rows of different length; the width is a
/// multiple of 64, the height of 32.
void tiles(int width, int height, int pitch, const float *in, float *out);
/// The median of each pixel and its neighbours; the border is not written.
void median(int width, int height, const float *in, float *out);
/// The LU decomposition of each 16 x 16 block on the diagonal.
void lu(int n, double *matrix);
/// AES of n blocks of four words with the table of one column alone, without
/// the last round.
void aes(int n, int rounds, const std::uint32_t *in, const std::uint32_t *keys,
         std::uint32_t *out);

struct alignas(16) Particle {
  float x, y, z;
  std::uint32_t tag;
};
/// out[i] = in[index[i]]
void gather(int n, const int *index, const Particle *in, Particle *out);

struct alignas(16) Complex {
  double re, im;
};
/// out = factor a b
void complexProducts(std::size_t n, Complex factor, const Complex *a,
                     const Complex *b, Complex *out);

struct alignas(8) FloatComplex {
  float re, im;
};
/// A stage of an FFT of n elements, radix 4, of spans of that length.
void fft4(int n, int span, const FloatComplex *in, const FloatComplex *roots,
          FloatComplex *out);

/// y = A x, A of `columns` columns that lie one after the other.
void matvec(int rows, int columns, const float *a, const float *x, float *y);
/// c = a b, n x n, an element for each thread, and no shared memory.
void matmulNaive(int n, const float *a, const float *b, float *c);
/// Which of `clusters` centres is nearest to each point; features of points
/// lie one after the other, those of a centre together.
void kmeans(int points, int features, int clusters, const float *point,
            const float *centre, int *member);
/// A filter of 5 x 5, with zeros around the image.
void conv2d(int width, int height, const float *in, const float *filter,
            float *out);
/// sums[block] = the sum of the block's elements; `threads` is a power of 2, at
/// most 1024, as for the two below.
void reduceTree(int threads, int n, const int *in, int *sums);
/// Where the largest element of each row is.
void argmax(int threads, int rows, int columns, const float *in, int *where);
/// exp(in) of each row, with sum 1.
void softmaxBlock(int threads, int rows, int columns, const float *in,
                  float *out);
/// The area of a shape of some kind (0 to 2) and size.
void virtualCalls(int n, const int *kind, const float *size, float *out);

/// Fibonacci's and Ackermann's functions of each depth, by recursion.
void recursion(int n, const int *depth, int *out);
struct alignas(16) Ball {
  float x, y, z, radius;
};
struct Ray {
  float ox, oy, oz, dx, dy, dz;
};
/// Whether each ray meets one of the balls within `reach`.
void rayAny(int n, int balls, float reach, const Ball *ball, const Ray *ray,
            unsigned char *hit);
/// A box at x, y, z, turned by an angle of cosine c and sine s, with half its
/// width, length and height.
struct alignas(16) Box {
  float x, y, z, c, s, w, l, h;
};
/// How many others each box overlaps, and the first of them or -1.
void collide(int n, const Box *box, int *count, int *first);
struct Field;
/// r = in, then r = r r in modulo secp256k1's prime, in steps.
void fieldPowers(int n, int squarings, const Field *in, Field *out);
/// The energy of each cell after a time step; `table` is over temperatures.
void cooling(int n, int entries, double step, const double *table,
             const double *density, double *energy);
/// The best value for each room, of things that are the same for all.
void knapsack(int n, const int *value, const int *weight, const int *room,
              int *best);

} // namespace suite

#endif // XCC_BENCH_CODEGEN_SUITE_H
