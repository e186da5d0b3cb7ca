// Thrust's vectors, iterators and algorithms, for programs in CUDA
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/cuda/thrust.h>            // for every <thrust/...>
//     thrust::device_vector<int> keys = on_host;
//     thrust::sort(keys.begin(), keys.end());
//     int sum = thrust::reduce(thrust::device, p, p + n);
//
// Algorithms run on the current device, by <xcc/algorithm.h>; those over the
// host's memory, or with thrust::host or thrust::seq, run in loops. They wait for
// their work. In a kernel, use thrust::seq. Failures are xcc::error.
//
// tuple.h       tuple, pair
// functional.h  plus, maximum, placeholders
// memory.h      device_ptr, device_reference, device_malloc
// iterators.h   counting_iterator, zip_iterator, transform_iterator
// execution.h   device, host, cuda::par.on(stream)
// elements.h    copy, transform, fill, sequence, gather
// sums.h        reduce, inclusive_scan, reduce_by_key, min_element
// choices.h     copy_if, remove_if, unique, partition
// orders.h      sort, sort_by_key, lower_bound, merge, set_union
// vectors.h     device_vector, host_vector
// random.h      default_random_engine, uniform_real_distribution

#ifndef XCC_CUDA_THRUST_H
#define XCC_CUDA_THRUST_H

#include <xcc/cuda.h>
#include <xcc/cuda/thrust/orders.h>
#include <xcc/cuda/thrust/random.h>
#include <xcc/cuda/thrust/vectors.h>

#include <complex>
#include <iostream> // as Thrust's headers do

#define THRUST_VERSION 300000
#define THRUST_MAJOR_VERSION 3
#define THRUST_MINOR_VERSION 0
#define THRUST_SUBMINOR_VERSION 0

namespace thrust {
/// The standard's, whose functions take it: std::abs, std::exp.
template <class Type> using complex = std::complex<Type>;
using std::abs;
using std::arg;
using std::conj;
using std::cos;
using std::exp;
using std::log;
using std::max;
using std::min;
using std::norm;
using std::polar;
using std::pow;
using std::sin;
using std::sqrt;
using std::swap;
using std::tan;
} // namespace thrust

#undef XCC_THRUST_ALGORITHM
#endif // XCC_CUDA_THRUST_H
