// CUDA's arrays, texture objects and surface objects
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In software: an array is memory of the device, and a texture or surface object is
// the address of its description, which is in the device's memory too. So all
// devices give the same numbers. Filters weigh with 8 bits after the point, as
// CUDA's programming guide says. There are no mipmaps and no cube maps.

#ifndef XCC_CUDA_TEXTURES_H
#define XCC_CUDA_TEXTURES_H

#include <xcc/cuda/runtime.h>
#include <xcc/cuda/vectors.h>
#include <xcc/cuda/volumes.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
/// Bits of each channel, and what they are.
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode {
  cudaReadModeElementType,
  cudaReadModeNormalizedFloat
};
enum cudaResourceType {
  cudaResourceTypeArray,
  cudaResourceTypeMipmappedArray,
  cudaResourceTypeLinear,
  cudaResourceTypePitch2D
};
enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero,
  cudaBoundaryModeClamp,
  cudaBoundaryModeTrap
};
inline constexpr unsigned cudaArrayDefault = 0;
inline constexpr unsigned cudaArrayLayered = 1;
inline constexpr unsigned cudaArraySurfaceLoadStore = 2;

struct cudaArray : xcc::cuda::array_memory {
  cudaChannelFormatDesc format;
  cudaExtent size; ///< in elements; 0 of the dimensions that it does not have
  unsigned flags;

  std::size_t slices() const { return size.depth ? size.depth : 1; }
};
using cudaArray_t = cudaArray *;
using cudaArray_const_t = const cudaArray *;

struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      std::size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      std::size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
  unsigned flags;
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc; // there are no other views
using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;

//===-- Descriptions of elements ------------------------------------------===//

namespace xcc::cuda::detail {
/// The type of an element's channels, and how many there are.
template <class Type, class = void> struct channels {
  using type = Type;
  static constexpr int count = 1;
};
template <class Type>
struct channels<Type, std::void_t<decltype(std::declval<Type &>().x)>> {
  using type = std::remove_reference_t<decltype(std::declval<Type &>().x)>;
  static constexpr int count = sizeof(Type) / sizeof(type);
};
inline int bytes_of(const cudaChannelFormatDesc &format) {
  return (format.x + format.y + format.z + format.w) / 8;
}
} // namespace xcc::cuda::detail

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
template <class Type> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using known = xcc::cuda::detail::channels<Type>;
  using channel = typename known::type;
  constexpr int bits = 8 * sizeof(channel);
  return {bits, known::count > 1 ? bits : 0, known::count > 2 ? bits : 0,
          known::count > 3 ? bits : 0,
          !std::is_integral_v<channel> ? cudaChannelFormatKindFloat
          : std::is_signed_v<channel>  ? cudaChannelFormatKindSigned
                                       : cudaChannelFormatKindUnsigned};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}

//===-- Arrays ------------------------------------------------------------===//

inline cudaError_t cudaMalloc3DArray(cudaArray_t *made,
                                     const cudaChannelFormatDesc *format,
                                     cudaExtent size, unsigned flags = 0) {
  const int element = xcc::cuda::detail::bytes_of(*format);
  *made = nullptr;
  if (!size.width || element <= 0 ||
      (flags & ~(cudaArrayLayered | cudaArraySurfaceLoadStore)))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  const std::size_t rows = size.height ? size.height : 1;
  auto *array = new cudaArray{
      {nullptr, std::size_t(element), size.width * unsigned(element), rows},
      *format,
      size,
      flags};
  const cudaError_t ended =
      xcc::cuda::allocate(&array->memory, array->row * rows * array->slices());
  if (ended)
    delete array;
  else
    *made = array;
  return ended;
}
inline cudaError_t cudaMallocArray(cudaArray_t *made,
                                   const cudaChannelFormatDesc *format,
                                   std::size_t width, std::size_t height = 0,
                                   unsigned flags = 0) {
  return cudaMalloc3DArray(made, format, {width, height, 0}, flags);
}
inline cudaError_t cudaFreeArray(cudaArray_t gone) {
  if (!gone)
    return cudaSuccess;
  const cudaError_t ended = cudaFree(gone->memory);
  delete gone;
  return ended;
}
inline cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format,
                                    cudaExtent *size, unsigned *flags,
                                    cudaArray_t of) {
  if (format)
    *format = of->format;
  if (size)
    *size = of->size;
  if (flags)
    *flags = of->flags;
  return cudaSuccess;
}
inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format,
                                      cudaArray_const_t of) {
  *format = of->format;
  return cudaSuccess;
}

namespace xcc::cuda::detail {
/// Where a row's byte is.
inline char *place(cudaArray_const_t of, std::size_t x, std::size_t y) {
  return static_cast<char *>(of->memory) + y * of->row + x;
}
/// Whether such a part is in an array of one or two dimensions.
inline bool holds(cudaArray_const_t of, std::size_t x, std::size_t y,
                  std::size_t width, std::size_t height) {
  return x <= of->row && width <= of->row - x && y <= of->rows &&
         height <= of->rows - y;
}
/// Whether the bytes from there on, row after row, are.
inline bool holds_bytes(cudaArray_const_t of, std::size_t x, std::size_t y,
                        std::size_t bytes) {
  const std::size_t all = of->row * of->rows, before = y * of->row + x;
  return before <= all && bytes <= all - before;
}
} // namespace xcc::cuda::detail

// Offsets and widths of these are in bytes.
inline cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x,
                                       std::size_t y, const void *from,
                                       std::size_t pitch, std::size_t width,
                                       std::size_t height,
                                       cudaMemcpyKind = cudaMemcpyDefault) {
  if (!xcc::cuda::detail::holds(to, x, y, width, height))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpy2D(xcc::cuda::detail::place(to, x, y), to->row, from, pitch,
                      width, height);
}
inline cudaError_t cudaMemcpy2DToArrayAsync(
    cudaArray_t to, std::size_t x, std::size_t y, const void *from,
    std::size_t pitch, std::size_t width, std::size_t height,
    cudaMemcpyKind kind = cudaMemcpyDefault, cudaStream_t on = nullptr) {
  if (!xcc::cuda::detail::holds(to, x, y, width, height))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpy2DAsync(xcc::cuda::detail::place(to, x, y), to->row, from,
                           pitch, width, height, kind, on);
}
inline cudaError_t cudaMemcpy2DFromArray(void *to, std::size_t pitch,
                                         cudaArray_const_t from, std::size_t x,
                                         std::size_t y, std::size_t width,
                                         std::size_t height,
                                         cudaMemcpyKind = cudaMemcpyDefault) {
  if (!xcc::cuda::detail::holds(from, x, y, width, height))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpy2D(to, pitch, xcc::cuda::detail::place(from, x, y),
                      from->row, width, height);
}
inline cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x,
                                     std::size_t y, const void *from,
                                     std::size_t bytes,
                                     cudaMemcpyKind = cudaMemcpyDefault) {
  if (!xcc::cuda::detail::holds_bytes(to, x, y, bytes))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpy(xcc::cuda::detail::place(to, x, y), from, bytes);
}
inline cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from,
                                       std::size_t x, std::size_t y,
                                       std::size_t bytes,
                                       cudaMemcpyKind = cudaMemcpyDefault) {
  if (!xcc::cuda::detail::holds_bytes(from, x, y, bytes))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpy(to, xcc::cuda::detail::place(from, x, y), bytes);
}

#include <xcc/cuda/array_copies.h>

//===-- Objects -----------------------------------------------------------===//

namespace xcc::cuda::detail {
/// What a texture or surface object is the address of.
struct image {
  const char *memory;
  int size[3];            ///< in elements, at least 1
  std::size_t row, slice; ///< bytes
  int element, bits, count;
  cudaChannelFormatKind kind;
  cudaTextureAddressMode mode[3];
  cudaTextureFilterMode filter;
  cudaTextureReadMode read;
  bool normalized, layered;
  float border[4];
};

inline void set_format(image &made, const cudaChannelFormatDesc &format) {
  made.element = bytes_of(format);
  made.bits = format.x;
  made.count = 1 + (format.y != 0) + (format.z != 0) + (format.w != 0);
  made.kind = format.f;
}
/// The memory of a resource; false if there is no such.
inline bool set_resource(image &made, const cudaResourceDesc &of) {
  if (of.resType == cudaResourceTypeArray && of.res.array.array) {
    const cudaArray &array = *of.res.array.array;
    set_format(made, array.format);
    made.memory = static_cast<const char *>(array.memory);
    made.layered = array.flags & cudaArrayLayered;
    made.size[0] = static_cast<int>(array.size.width);
    made.size[1] = static_cast<int>(array.rows);
    made.size[2] = static_cast<int>(array.slices());
    made.row = array.row;
  } else if (of.resType == cudaResourceTypeLinear) {
    set_format(made, of.res.linear.desc);
    made.memory = static_cast<const char *>(of.res.linear.devPtr);
    made.row = of.res.linear.sizeInBytes;
    made.size[0] = made.element ? int(made.row / unsigned(made.element)) : 0;
    made.size[1] = made.size[2] = 1;
  } else if (of.resType == cudaResourceTypePitch2D) {
    set_format(made, of.res.pitch2D.desc);
    made.memory = static_cast<const char *>(of.res.pitch2D.devPtr);
    made.row = of.res.pitch2D.pitchInBytes;
    made.size[0] = static_cast<int>(of.res.pitch2D.width);
    made.size[1] = static_cast<int>(of.res.pitch2D.height);
    made.size[2] = 1;
  } else {
    return false;
  }
  made.slice = made.row * unsigned(made.size[1]);
  return made.memory && made.element > 0;
}
inline status create_object(unsigned long long *made, const image &what) {
  image *there = nullptr;
  if (const status failed = allocate(&there, sizeof what))
    return failed;
  *made = reinterpret_cast<std::uintptr_t>(there);
  return copy(there, &what, sizeof what);
}
} // namespace xcc::cuda::detail

inline cudaError_t
cudaCreateTextureObject(cudaTextureObject_t *made, const cudaResourceDesc *of,
                        const cudaTextureDesc *how,
                        const cudaResourceViewDesc *view = nullptr) {
  xcc::cuda::detail::image what = {};
  const bool known = xcc::cuda::detail::set_resource(what, *of);
  if (!known || (how->filterMode == cudaFilterModeLinear &&
                 what.kind != cudaChannelFormatKindFloat &&
                 how->readMode == cudaReadModeElementType))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  if (view || how->sRGB)
    return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
  what.filter = how->filterMode;
  what.read = how->readMode;
  what.normalized = how->normalizedCoords;
  for (int at = 0; at < 3; ++at) {
    // As in CUDA, the others are of normalized coordinates.
    const cudaTextureAddressMode mode = how->addressMode[at];
    what.mode[at] = what.normalized || mode == cudaAddressModeBorder
                        ? mode
                        : cudaAddressModeClamp;
  }
  std::memcpy(what.border, how->borderColor, sizeof what.border);
  return xcc::cuda::detail::create_object(made, what);
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t gone) {
  return cudaFree(reinterpret_cast<void *>(gone));
}
inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *made,
                                           const cudaResourceDesc *of) {
  xcc::cuda::detail::image what = {};
  if (of->resType != cudaResourceTypeArray ||
      !xcc::cuda::detail::set_resource(what, *of))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return xcc::cuda::detail::create_object(made, what);
}
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t gone) {
  return cudaFree(reinterpret_cast<void *>(gone));
}

//===-- Reading and writing in kernels ------------------------------------===//

namespace xcc::cuda::detail {
inline const image &image_of(unsigned long long object) {
  return *reinterpret_cast<const image *>(object);
}
template <class Stored> inline Stored stored(const char *at, int channel) {
  Stored value;
  __builtin_memcpy(&value, at + unsigned(channel) * sizeof value, sizeof value);
  return value;
}
/// A number of 16 bits, in compilers that have no type for it too.
inline float half_channel(const char *at, int channel) {
#ifdef __FLT16_MAX__
  return static_cast<float>(stored<_Float16>(at, channel));
#else
  const unsigned bits = stored<unsigned short>(at, channel);
  const int exponent = int(bits >> 10 & 31), digits = int(bits & 1023);
  const float value =
      exponent == 31
          ? (digits ? __builtin_nanf("") : __builtin_inff())
          : __builtin_ldexpf(float(exponent ? digits | 1024 : digits),
                             (exponent ? exponent : 1) - 25);
  return bits >> 15 ? -value : value;
#endif
}
/// A channel as it is, or of an integer its part of the largest one.
inline float channel_float(const image &of, const char *at, int channel) {
  if (of.kind == cudaChannelFormatKindFloat)
    return of.bits == 16 ? half_channel(at, channel)
                         : stored<float>(at, channel);
  if (of.kind == cudaChannelFormatKindUnsigned)
    return of.bits == 8
               ? static_cast<float>(stored<unsigned char>(at, channel)) / 255
               : static_cast<float>(stored<unsigned short>(at, channel)) /
                     65535;
  const float value =
      of.bits == 8 ? static_cast<float>(stored<signed char>(at, channel)) / 127
                   : static_cast<float>(stored<short>(at, channel)) / 32767;
  return value < -1 ? -1.0f : value;
}
template <class Channel>
inline Channel channel_of(const image &of, const char *at, int channel) {
  if constexpr (!std::is_integral_v<Channel>)
    return static_cast<Channel>(channel_float(of, at, channel));
  else if (of.bits == 8)
    return static_cast<Channel>(stored<unsigned char>(at, channel));
  else if (of.bits == 16)
    return static_cast<Channel>(stored<unsigned short>(at, channel));
  else
    return static_cast<Channel>(stored<unsigned>(at, channel));
}

/// An index in the range, by the mode of addressing; -1 of the border.
inline int wrapped(int at, int size, cudaTextureAddressMode mode) {
  if (at >= 0 && at < size)
    return at;
  switch (mode) {
  case cudaAddressModeWrap:
    return (at % size + size) % size;
  case cudaAddressModeMirror: {
    const int twice = (at % (2 * size) + 2 * size) % (2 * size);
    return twice < size ? twice : 2 * size - 1 - twice;
  }
  case cudaAddressModeBorder:
    return -1;
  default:
    return at < 0 ? 0 : size - 1;
  }
}
/// The channels of an element, in \p into.
template <class Channel>
inline void read_element(const image &of, int x, int y, int z, int count,
                         Channel *into) {
  x = wrapped(x, of.size[0], of.mode[0]);
  y = wrapped(y, of.size[1], of.mode[1]);
  z = wrapped(z, of.size[2], of.layered ? cudaAddressModeClamp : of.mode[2]);
  const bool border = x < 0 || y < 0 || z < 0;
  const char *at = of.memory + unsigned(border ? 0 : z) * of.slice +
                   unsigned(border ? 0 : y) * of.row +
                   unsigned(border ? 0 : x) * unsigned(of.element);
  for (int channel = 0; channel < count; ++channel)
    into[channel] = channel >= of.count ? Channel()
                    : border ? static_cast<Channel>(of.border[channel])
                             : channel_of<Channel>(of, at, channel);
}
/// A coordinate as a number of elements, within what an int holds.
inline float position_of(const image &of, int dimension, float at) {
  if (of.normalized)
    at *= static_cast<float>(of.size[dimension]);
  return !(at > -1e9f) ? -1e9f : at > 1e9f ? 1e9f : at;
}
/// The elements before and behind a point, and how much of the latter counts.
struct between {
  int index;
  float part;
  between(const image &of, int dimension, float at) {
    at = position_of(of, dimension, at) - 0.5f;
    const float below = std::floor(at);
    index = static_cast<int>(below);
    part = std::floor((at - below) * 256 + 0.5f) / 256;
  }
};
/// The sum of the elements around a point in up to three dimensions.
template <class Channel>
inline void filter_element(const image &of, int dimensions, const float *at,
                           int layer, int count, Channel *into) {
  const between x(of, 0, at[0]), y(of, 1, dimensions > 1 ? at[1] : 0),
      z(of, 2, dimensions > 2 ? at[2] : 0);
  for (int channel = 0; channel < count; ++channel)
    into[channel] = 0;
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    const int right = corner & 1, low = corner >> 1 & 1, back = corner >> 2;
    float weight = right ? x.part : 1 - x.part;
    if (dimensions > 1)
      weight *= low ? y.part : 1 - y.part;
    if (dimensions > 2)
      weight *= back ? z.part : 1 - z.part;
    if (weight == 0)
      continue;
    Channel found[4];
    read_element(of, x.index + right, dimensions > 1 ? y.index + low : 0,
                 dimensions > 2 ? z.index + back : layer, count, found);
    for (int channel = 0; channel < count; ++channel)
      into[channel] += weight * found[channel];
  }
}
template <class Type>
inline Type sample(unsigned long long object, int dimensions, float x,
                   float y = 0, float z = 0, int layer = 0) {
  using known = channels<Type>;
  using channel = typename known::type;
  const image &of = image_of(object);
  const float at[] = {x, y, z};
  channel found[known::count];
  bool filters = false;
  if constexpr (!std::is_integral_v<channel>)
    filters = of.filter == cudaFilterModeLinear;
  if (filters) {
    if constexpr (!std::is_integral_v<channel>)
      filter_element(of, dimensions, at, layer, known::count, found);
  } else {
    int index[3] = {0, 0, layer};
    for (int dimension = 0; dimension < dimensions; ++dimension)
      index[dimension] = static_cast<int>(
          std::floor(position_of(of, dimension, at[dimension])));
    read_element(of, index[0], index[1], index[2], known::count, found);
  }
  Type made;
  __builtin_memcpy(&made, found, sizeof made);
  return made;
}
/// Where a surface's element is; null beyond its end.
inline char *surface_place(const image &of, int x, int y, int z,
                           cudaSurfaceBoundaryMode mode, std::size_t bytes) {
  const long long last = (long long)of.size[0] * of.element - (long long)bytes;
  const bool inside = x >= 0 && x <= last && y >= 0 && y < of.size[1] &&
                      z >= 0 && z < of.size[2];
  if (!inside) {
    if (mode == cudaBoundaryModeTrap)
      __builtin_trap();
    if (mode == cudaBoundaryModeZero)
      return nullptr;
    x = x < 0 ? 0 : x > last ? static_cast<int>(last) : x;
    y = wrapped(y, of.size[1], cudaAddressModeClamp);
    z = wrapped(z, of.size[2], cudaAddressModeClamp);
  }
  return const_cast<char *>(of.memory) + unsigned(z) * of.slice +
         unsigned(y) * of.row + unsigned(x);
}
template <class Type>
inline Type read_surface(unsigned long long object, int x, int y, int z,
                         cudaSurfaceBoundaryMode mode) {
  Type value = {};
  if (const char *at =
          surface_place(image_of(object), x, y, z, mode, sizeof value))
    __builtin_memcpy(&value, at, sizeof value);
  return value;
}
template <class Type>
inline void write_surface(const Type &value, unsigned long long object, int x,
                          int y, int z, cudaSurfaceBoundaryMode mode) {
  if (mode == cudaBoundaryModeClamp) // which is of reading alone
    mode = cudaBoundaryModeZero;
  if (char *at = surface_place(image_of(object), x, y, z, mode, sizeof value))
    __builtin_memcpy(at, &value, sizeof value);
}
} // namespace xcc::cuda::detail

/// An element of linear memory; zero beyond its end.
template <class Type>
inline Type tex1Dfetch(cudaTextureObject_t texture, int at) {
  using known = xcc::cuda::detail::channels<Type>;
  const xcc::cuda::detail::image &of = xcc::cuda::detail::image_of(texture);
  typename known::type found[known::count] = {};
  if (at >= 0 && at < of.size[0])
    xcc::cuda::detail::read_element(of, at, 0, 0, known::count, found);
  Type made;
  __builtin_memcpy(&made, found, sizeof made);
  return made;
}

// Each function has a form with the result at a pointer, too. A level of detail is
// always 0, since there are no mipmaps.
#define XCC_CUDA_TEXTURE(name, parameters, arguments)                          \
  template <class Type>                                                        \
  inline Type name(cudaTextureObject_t texture, XCC_CUDA_LIST parameters) {    \
    return xcc::cuda::detail::sample<Type>(texture, XCC_CUDA_LIST arguments);  \
  }                                                                            \
  template <class Type>                                                        \
  inline void name(Type *into, cudaTextureObject_t texture,                    \
                   XCC_CUDA_LIST parameters) {                                 \
    *into = xcc::cuda::detail::sample<Type>(texture, XCC_CUDA_LIST arguments); \
  }
#define XCC_CUDA_LIST(...) __VA_ARGS__
XCC_CUDA_TEXTURE(tex1D, (float x), (1, x))
XCC_CUDA_TEXTURE(tex2D, (float x, float y), (2, x, y))
XCC_CUDA_TEXTURE(tex3D, (float x, float y, float z), (3, x, y, z))
XCC_CUDA_TEXTURE(tex1DLod, (float x, float), (1, x))
XCC_CUDA_TEXTURE(tex2DLod, (float x, float y, float), (2, x, y))
XCC_CUDA_TEXTURE(tex3DLod, (float x, float y, float z, float), (3, x, y, z))
XCC_CUDA_TEXTURE(tex1DLayered, (float x, int layer), (1, x, 0, 0, layer))
XCC_CUDA_TEXTURE(tex2DLayered, (float x, float y, int layer),
                 (2, x, y, 0, layer))
#undef XCC_CUDA_TEXTURE

// x of surfaces is in bytes.
#define XCC_CUDA_SURFACE(dimensions, parameters, arguments)                    \
  template <class Type>                                                        \
  inline Type surf##dimensions##read(                                          \
      cudaSurfaceObject_t surface, XCC_CUDA_LIST parameters,                   \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    return xcc::cuda::detail::read_surface<Type>(                              \
        surface, XCC_CUDA_LIST arguments, mode);                               \
  }                                                                            \
  template <class Type>                                                        \
  inline void surf##dimensions##read(                                          \
      Type *into, cudaSurfaceObject_t surface, XCC_CUDA_LIST parameters,       \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    *into = xcc::cuda::detail::read_surface<Type>(                             \
        surface, XCC_CUDA_LIST arguments, mode);                               \
  }                                                                            \
  template <class Type>                                                        \
  inline void surf##dimensions##write(                                         \
      Type value, cudaSurfaceObject_t surface, XCC_CUDA_LIST parameters,       \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    xcc::cuda::detail::write_surface(value, surface, XCC_CUDA_LIST arguments,  \
                                     mode);                                    \
  }
XCC_CUDA_SURFACE(1D, (int x), (x, 0, 0))
XCC_CUDA_SURFACE(2D, (int x, int y), (x, y, 0))
XCC_CUDA_SURFACE(3D, (int x, int y, int z), (x, y, z))
XCC_CUDA_SURFACE(1DLayered, (int x, int layer), (x, 0, layer))
XCC_CUDA_SURFACE(2DLayered, (int x, int y, int layer), (x, y, layer))
#undef XCC_CUDA_SURFACE
#undef XCC_CUDA_LIST

#endif // XCC_CUDA_TEXTURES_H
