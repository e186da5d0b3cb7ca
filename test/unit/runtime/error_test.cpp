// Bad input gives one clear message
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit.h"
#include "xcc/host.h"

#include <gtest/gtest.h>

using namespace xcc::test;

/// Checks a status and that the message holds some words.
#define EXPECT_FAILS(call, status, words)                                      \
  do {                                                                         \
    EXPECT_EQ(call, status);                                                   \
    EXPECT_NE(std::string(xcc_error_last()).find(words), std::string::npos)    \
        << xcc_error_last();                                                   \
  } while (false)

TEST(Error, StatusNames) {
  EXPECT_STREQ(xcc_status_name(XCC_SUCCESS), "XCC_SUCCESS");
  EXPECT_STREQ(xcc_status_name(XCC_ERROR_SYSTEM), "XCC_ERROR_SYSTEM");
  EXPECT_STREQ(xcc_status_name(xcc_status(99)), "unknown xcc_status");
}

extern "C" xcc_status xcc_test_from_c(const xcc_kernel_info *kernel);

TEST(Error, CInterface) {
  Unit u;
  EXPECT_EQ(xcc_test_from_c(&u.kernel("nothing")), XCC_SUCCESS);
  EXPECT_EQ(xcc_test_from_c(nullptr), XCC_ERROR_INVALID_KERNEL);
}

TEST(Error, Descriptors) {
  Unit u;
  xcc_kernel_info k = u.kernel("nothing");
  xcc_launch_config c = config(1, 1);
  EXPECT_FAILS(xcc_kernel_launch(nullptr, &c, nullptr, 0),
               XCC_ERROR_INVALID_KERNEL, "null");
  EXPECT_FAILS(xcc_kernel_launch(&k, nullptr, nullptr, 0),
               XCC_ERROR_INVALID_VALUE, "config is null");
  k.magic = 1;
  EXPECT_FAILS(launch(k, c), XCC_ERROR_INVALID_KERNEL, "not made by xcc");
  k.magic = XCC_KERNEL_MAGIC;
  k.abi_version = XCC_ABI_VERSION + 1;
  EXPECT_FAILS(launch(k, c), XCC_ERROR_INVALID_KERNEL,
               ("version " + std::to_string(XCC_ABI_VERSION + 1)).c_str());
  k.abi_version = XCC_ABI_VERSION;
  k.binary = nullptr;
  EXPECT_FAILS(launch(k, c), XCC_ERROR_INVALID_KERNEL, "linked without xcc");
}

TEST(Error, Arguments) {
  Unit u;
  xcc_kernel_info &k = u.kernel("count", 8);
  xcc_launch_config c = config(1, 1);
  uint32_t small = 0;
  EXPECT_FAILS(launch(k, c, small), XCC_ERROR_INVALID_VALUE,
               "4 bytes of arguments, the kernel takes 8");
  EXPECT_FAILS(xcc_kernel_launch(&k, &c, nullptr, 8), XCC_ERROR_INVALID_VALUE,
               "kernarg is null");
}

TEST(Error, GridAndBlock) {
  Unit u;
  xcc_kernel_info &k = u.kernel("nothing");
  auto attempt = [&](uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx,
                     uint32_t by, uint32_t bz, uint64_t shared = 0) {
    xcc_launch_config c{{gx, gy, gz}, {bx, by, bz}, shared, nullptr, "f", 1, 0};
    return launch(k, c);
  };
  EXPECT_FAILS(attempt(0, 1, 1, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH,
               "grid.x is 0");
  EXPECT_FAILS(attempt(1, 1, 0, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH,
               "grid.z is 0");
  EXPECT_FAILS(attempt(1, 1, 1, 1, 0, 1), XCC_ERROR_INVALID_LAUNCH,
               "block.y is 0");
  EXPECT_FAILS(attempt(1, 1, 1, 1025, 1, 1), XCC_ERROR_INVALID_LAUNCH,
               "block.x is 1025");
  EXPECT_FAILS(attempt(1, 1, 1, 1, 1, 65), XCC_ERROR_INVALID_LAUNCH,
               "block.z is 65");
  EXPECT_FAILS(attempt(1, 1, 1, 1u << 31, 2, 1), XCC_ERROR_INVALID_LAUNCH,
               "block.x");
  EXPECT_FAILS(attempt(1, 1, 1, 64, 32, 1), XCC_ERROR_INVALID_LAUNCH,
               "2048 threads");
  EXPECT_FAILS(attempt(1u << 23, 1, 1, 512, 1, 1), XCC_ERROR_INVALID_LAUNCH,
               "4294967296 threads");
  EXPECT_FAILS(attempt(~0u, ~0u, ~0u, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH,
               "too large");
  EXPECT_FAILS(attempt(1, 1, 1, 1, 1, 1, XCC_CPU_MAX_SHARED + 1),
               XCC_ERROR_INVALID_LAUNCH, "dynamic shared memory");
  EXPECT_FAILS(attempt(1, 1, 1, 1, 1, 1, ~0ull), XCC_ERROR_INVALID_LAUNCH,
               "dynamic shared memory");
  EXPECT_EQ(attempt(1, 1, 1, 1, 1, 1, XCC_CPU_MAX_SHARED), XCC_SUCCESS);
}

TEST(Error, KernelsThatDoNotMatch) {
  Unit u;
  EXPECT_FAILS(launch(u.kernel("absent"), config(1, 1)),
               XCC_ERROR_INVALID_IMAGE, "image (no symbol k_absent)");
  xcc_kernel_info &size = u.kernel("increment", 16);
  EXPECT_FAILS(xcc_kernel_prepare(&size, nullptr), XCC_ERROR_INVALID_KERNEL,
               "16 bytes on the host, 8 in the image");
  xcc_kernel_info &print = u.kernel("count", 8);
  print.fingerprint = 5;
  EXPECT_FAILS(xcc_kernel_prepare(&print, nullptr), XCC_ERROR_INVALID_KERNEL,
               "fingerprints");
}

/// A unit whose only image has other strings or bytes.
static xcc_status prepareWith(const std::string &image, const Strings &map) {
  Unit u(writeOffloadBinary(image, map));
  return xcc_kernel_prepare(&u.kernel("nothing"), nullptr);
}

TEST(Error, Images) {
  const std::string &good = Unit::defaultImage();
  Strings map = imageStrings(good);
  map[1].second = "x86-64-v9";
  EXPECT_FAILS(prepareWith(good, map), XCC_ERROR_NO_IMAGE, "-offload-arch=");
  map = imageStrings(good);
  map[0].second = "nvptx64-nvidia-cuda";
  EXPECT_FAILS(prepareWith(good, map), XCC_ERROR_NO_IMAGE, "-offload-arch=");
  map = imageStrings(good);
  map[2].second = "99";
  EXPECT_FAILS(prepareWith(good, map), XCC_ERROR_INVALID_IMAGE, "version '99'");
  map = imageStrings(good);
  map[3].second = "123";
  EXPECT_FAILS(prepareWith(good, map), XCC_ERROR_INVALID_IMAGE, "damaged");
  EXPECT_FAILS(prepareWith("hello", imageStrings("hello")),
               XCC_ERROR_INVALID_IMAGE, "is not an ELF file");
  std::string half = good.substr(0, 1000);
  EXPECT_FAILS(prepareWith(half, imageStrings(half)), XCC_ERROR_INVALID_IMAGE,
               "the file");
  Unit empty{std::string()};
  EXPECT_FAILS(xcc_kernel_prepare(&empty.kernel("nothing"), nullptr),
               XCC_ERROR_NO_IMAGE, "holds no images");
  Unit noise{std::string(100, 'x')};
  EXPECT_FAILS(xcc_kernel_prepare(&noise.kernel("nothing"), nullptr),
               XCC_ERROR_INVALID_IMAGE, "does not hold offload binaries");
  Unit old;
  old.binary.abi_version = 0;
  EXPECT_FAILS(xcc_kernel_prepare(&old.kernel("nothing"), nullptr),
               XCC_ERROR_INVALID_IMAGE, "version 0");
  // Such a unit would not have been registered, nor is it taken off the list.
  old.binary.abi_version = XCC_ABI_VERSION;
}

TEST(Error, NativeImageOfAnotherCpu) {
  const std::string &good = Unit::defaultImage();
  Strings map = imageStrings(good, "native:future");
  map.push_back({"xcc.features", "sse2,warp_drive"});
  EXPECT_FAILS(prepareWith(good, map), XCC_ERROR_NO_IMAGE, "warp_drive");
  map.back().second = "sse2,fpu";
  EXPECT_EQ(prepareWith(good, map), XCC_SUCCESS) << xcc_error_last();
}

TEST(Error, TheBestImageIsChosen) {
  const std::string &good = Unit::defaultImage();
  std::string bad = "not loadable";
  // The lower level cannot be loaded, so success means the higher was taken.
  std::string section = writeOffloadBinary(bad, imageStrings(bad, "x86-64")) +
                        std::string(24, '\0') +
                        writeOffloadBinary(good, imageStrings(good));
  Unit u(section);
  EXPECT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
      << xcc_error_last();
  int count = 0;
  EXPECT_EQ(xcc_binary_visit_images(
                &u.binary,
                [](const xcc_image_info *i, void *user) {
                  ++*static_cast<int *>(user);
                  EXPECT_STREQ(i->triple, "x86_64-pc-linux-gnu");
                  return 0;
                },
                &count),
            XCC_SUCCESS);
  EXPECT_EQ(count, 2);
}

TEST(Error, NullArguments) {
  EXPECT_FAILS(xcc_device_count(nullptr), XCC_ERROR_INVALID_VALUE, "null");
  EXPECT_FAILS(xcc_stream_create(nullptr), XCC_ERROR_INVALID_VALUE, "null");
  EXPECT_FAILS(xcc_event_create(nullptr), XCC_ERROR_INVALID_VALUE, "null");
  EXPECT_FAILS(xcc_event_record(nullptr, nullptr), XCC_ERROR_INVALID_VALUE,
               "null");
  EXPECT_FAILS(xcc_memory_alloc(1, nullptr), XCC_ERROR_INVALID_VALUE, "null");
  EXPECT_FAILS(xcc_device_get_properties(0, nullptr), XCC_ERROR_INVALID_VALUE,
               "null");
  xcc_binary_unload(nullptr);
  EXPECT_EQ(xcc_stream_destroy(nullptr), XCC_SUCCESS);
}

TEST(Error, Devices) {
  EXPECT_FAILS(xcc_device_set_current(1), XCC_ERROR_INVALID_DEVICE,
               "no device 1");
  EXPECT_FAILS(xcc_device_synchronize(7), XCC_ERROR_INVALID_DEVICE,
               "no device 7");
  EXPECT_FAILS(xcc_device_set_stack(-1, 4096), XCC_ERROR_INVALID_DEVICE,
               "is no GPU; XCC_CPU_STACK=<bytes>");
  uint64_t clock = 0, stack = 0, bus = 7;
  EXPECT_EQ(xcc_device_get_number(-1, XCC_DEVICE_CLOCK, &clock), XCC_SUCCESS);
  EXPECT_GT(clock, 100'000u);
  EXPECT_EQ(xcc_device_get_number(-1, XCC_DEVICE_STACK, &stack), XCC_SUCCESS);
  EXPECT_GE(stack, 16u * 1024);
  EXPECT_EQ(xcc_device_get_number(-1, XCC_DEVICE_MEMORY_BUS, &bus),
            XCC_SUCCESS);
  EXPECT_EQ(bus, 0u);
  EXPECT_FAILS(xcc_device_get_number(-1, XCC_DEVICE_CLOCK, nullptr),
               XCC_ERROR_INVALID_VALUE, "value");
  xcc::device d = xcc::device::current();
  EXPECT_STREQ(d.kind(), "host");
  EXPECT_GE(d.cores(), 1u);
  EXPECT_GT(d.memory(), 0u);
  EXPECT_EQ(d.max_block(), XCC_CPU_MAX_BLOCK);
  EXPECT_EQ(d.shared_memory(), XCC_CPU_MAX_SHARED);
}

TEST(Error, OutlivesTheNextOne) {
  try {
    xcc::device::get(5);
    FAIL();
  } catch (const xcc::error &e) {
    xcc::error copy = e;
    EXPECT_EQ(xcc_memory_alloc(1, nullptr), XCC_ERROR_INVALID_VALUE);
    EXPECT_EQ(copy.status(), XCC_ERROR_INVALID_DEVICE);
    EXPECT_NE(strstr(copy.what(), "no device 5"), nullptr);
    EXPECT_STREQ(copy.kernel(), "");
  }
}
