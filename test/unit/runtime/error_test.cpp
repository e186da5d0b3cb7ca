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
    EXPECT_NE(std::string(xcc_last_error()).find(words), std::string::npos)    \
        << xcc_last_error();                                                   \
  } while (false)

TEST(Error, StatusNames) {
  EXPECT_STREQ(xcc_status_name(XCC_SUCCESS), "XCC_SUCCESS");
  EXPECT_STREQ(xcc_status_name(XCC_ERROR_SYSTEM), "XCC_ERROR_SYSTEM");
  EXPECT_STREQ(xcc_status_name(xcc_status(99)), "unknown xcc_status");
}

extern "C" xcc_status xcc_test_from_c(const xcc_kernel_info *Kernel);

TEST(Error, CInterface) {
  Unit U;
  EXPECT_EQ(xcc_test_from_c(&U.kernel("nothing")), XCC_SUCCESS);
  EXPECT_EQ(xcc_test_from_c(nullptr), XCC_ERROR_INVALID_KERNEL);
}

TEST(Error, Descriptors) {
  Unit U;
  xcc_kernel_info K = U.kernel("nothing");
  xcc_launch_config C = config(1, 1);
  EXPECT_FAILS(xcc_launch(nullptr, &C, nullptr, 0), XCC_ERROR_INVALID_KERNEL,
               "null");
  EXPECT_FAILS(xcc_launch(&K, nullptr, nullptr, 0), XCC_ERROR_INVALID_VALUE,
               "config is null");
  K.magic = 1;
  EXPECT_FAILS(launch(K, C), XCC_ERROR_INVALID_KERNEL, "not made by xcc");
  K.magic = XCC_KERNEL_MAGIC;
  K.abi_version = 9;
  EXPECT_FAILS(launch(K, C), XCC_ERROR_INVALID_KERNEL, "version 9");
  K.abi_version = XCC_ABI_VERSION;
  K.binary = nullptr;
  EXPECT_FAILS(launch(K, C), XCC_ERROR_INVALID_KERNEL, "linked without xcc");
}

TEST(Error, Arguments) {
  Unit U;
  xcc_kernel_info &K = U.kernel("count", 8);
  xcc_launch_config C = config(1, 1);
  uint32_t Small = 0;
  EXPECT_FAILS(launch(K, C, Small), XCC_ERROR_INVALID_VALUE,
               "4 bytes of arguments, the kernel takes 8");
  EXPECT_FAILS(xcc_launch(&K, &C, nullptr, 8), XCC_ERROR_INVALID_VALUE,
               "kernarg is null");
}

TEST(Error, GridAndBlock) {
  Unit U;
  xcc_kernel_info &K = U.kernel("nothing");
  auto Try = [&](uint32_t GX, uint32_t GY, uint32_t GZ, uint32_t BX,
                 uint32_t BY, uint32_t BZ, uint64_t Shared = 0) {
    xcc_launch_config C{{GX, GY, GZ}, {BX, BY, BZ}, Shared, nullptr, "f", 1};
    return launch(K, C);
  };
  EXPECT_FAILS(Try(0, 1, 1, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH, "grid.x is 0");
  EXPECT_FAILS(Try(1, 1, 0, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH, "grid.z is 0");
  EXPECT_FAILS(Try(1, 1, 1, 1, 0, 1), XCC_ERROR_INVALID_LAUNCH, "block.y is 0");
  EXPECT_FAILS(Try(1, 1, 1, 1025, 1, 1), XCC_ERROR_INVALID_LAUNCH,
               "block.x is 1025");
  EXPECT_FAILS(Try(1, 1, 1, 1, 1, 65), XCC_ERROR_INVALID_LAUNCH,
               "block.z is 65");
  EXPECT_FAILS(Try(1, 1, 1, 1u << 31, 2, 1), XCC_ERROR_INVALID_LAUNCH,
               "block.x");
  EXPECT_FAILS(Try(1, 1, 1, 64, 32, 1), XCC_ERROR_INVALID_LAUNCH,
               "2048 threads");
  EXPECT_FAILS(Try(1u << 23, 1, 1, 512, 1, 1), XCC_ERROR_INVALID_LAUNCH,
               "4294967296 threads");
  EXPECT_FAILS(Try(~0u, ~0u, ~0u, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH,
               "too large");
  EXPECT_FAILS(Try(1, 1, 1, 1, 1, 1, XCC_CPU_MAX_SHARED + 1),
               XCC_ERROR_INVALID_LAUNCH, "dynamic shared memory");
  EXPECT_FAILS(Try(1, 1, 1, 1, 1, 1, ~0ull), XCC_ERROR_INVALID_LAUNCH,
               "dynamic shared memory");
  EXPECT_EQ(Try(1, 1, 1, 1, 1, 1, XCC_CPU_MAX_SHARED), XCC_SUCCESS);
}

TEST(Error, KernelsThatDoNotMatch) {
  Unit U;
  EXPECT_FAILS(launch(U.kernel("absent"), config(1, 1)),
               XCC_ERROR_INVALID_IMAGE, "no symbol k_absent");
  xcc_kernel_info &Size = U.kernel("increment", 16);
  EXPECT_FAILS(xcc_kernel_prepare(&Size, nullptr), XCC_ERROR_INVALID_KERNEL,
               "16 bytes on the host, 8 in the image");
  xcc_kernel_info &Print = U.kernel("count", 8);
  Print.fingerprint = 5;
  EXPECT_FAILS(xcc_kernel_prepare(&Print, nullptr), XCC_ERROR_INVALID_KERNEL,
               "fingerprints");
}

/// A unit whose only image has other strings or bytes.
static xcc_status prepareWith(const std::string &Image, const Strings &Map) {
  Unit U(writeOffloadBinary(Image, Map));
  return xcc_kernel_prepare(&U.kernel("nothing"), nullptr);
}

TEST(Error, Images) {
  const std::string &Good = Unit::defaultImage();
  Strings Map = imageStrings(Good);
  Map[1].second = "x86-64-v9";
  EXPECT_FAILS(prepareWith(Good, Map), XCC_ERROR_NO_IMAGE, "-offload-arch=");
  Map = imageStrings(Good);
  Map[0].second = "nvptx64-nvidia-cuda";
  EXPECT_FAILS(prepareWith(Good, Map), XCC_ERROR_NO_IMAGE, "-offload-arch=");
  Map = imageStrings(Good);
  Map[2].second = "99";
  EXPECT_FAILS(prepareWith(Good, Map), XCC_ERROR_INVALID_IMAGE, "version '99'");
  Map = imageStrings(Good);
  Map[3].second = "123";
  EXPECT_FAILS(prepareWith(Good, Map), XCC_ERROR_INVALID_IMAGE, "damaged");
  EXPECT_FAILS(prepareWith("hello", imageStrings("hello")),
               XCC_ERROR_INVALID_IMAGE, "is not an ELF file");
  std::string Half = Good.substr(0, 1000);
  EXPECT_FAILS(prepareWith(Half, imageStrings(Half)), XCC_ERROR_INVALID_IMAGE,
               "the file");
  Unit Empty{std::string()};
  EXPECT_FAILS(xcc_kernel_prepare(&Empty.kernel("nothing"), nullptr),
               XCC_ERROR_NO_IMAGE, "holds no images");
  Unit Noise{std::string(100, 'x')};
  EXPECT_FAILS(xcc_kernel_prepare(&Noise.kernel("nothing"), nullptr),
               XCC_ERROR_INVALID_IMAGE, "does not hold offload binaries");
  Unit Old;
  Old.Binary.abi_version = 0;
  EXPECT_FAILS(xcc_kernel_prepare(&Old.kernel("nothing"), nullptr),
               XCC_ERROR_INVALID_IMAGE, "version 0");
  // Such a unit would not have been registered, nor is it taken off the list.
  Old.Binary.abi_version = XCC_ABI_VERSION;
}

TEST(Error, NativeImageOfAnotherCpu) {
  const std::string &Good = Unit::defaultImage();
  Strings Map = imageStrings(Good, "native:future");
  Map.push_back({"xcc.features", "sse2,warp_drive"});
  EXPECT_FAILS(prepareWith(Good, Map), XCC_ERROR_NO_IMAGE, "warp_drive");
  Map.back().second = "sse2,fpu";
  EXPECT_EQ(prepareWith(Good, Map), XCC_SUCCESS) << xcc_last_error();
}

TEST(Error, TheBestImageIsChosen) {
  const std::string &Good = Unit::defaultImage();
  std::string Bad = "not loadable";
  // The lower level cannot be loaded, so success means the higher was taken.
  std::string Section = writeOffloadBinary(Bad, imageStrings(Bad, "x86-64")) +
                        std::string(24, '\0') +
                        writeOffloadBinary(Good, imageStrings(Good));
  Unit U(Section);
  EXPECT_EQ(launch(U.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
      << xcc_last_error();
  int Count = 0;
  EXPECT_EQ(xcc_binary_visit_images(
                &U.Binary,
                [](const xcc_image_info *I, void *User) {
                  ++*static_cast<int *>(User);
                  EXPECT_STREQ(I->triple, "x86_64-pc-linux-gnu");
                  return 0;
                },
                &Count),
            XCC_SUCCESS);
  EXPECT_EQ(Count, 2);
}

TEST(Error, NullArguments) {
  EXPECT_FAILS(xcc_device_count(nullptr), XCC_ERROR_INVALID_VALUE, "null");
  EXPECT_FAILS(xcc_stream_create(nullptr), XCC_ERROR_INVALID_VALUE, "null");
  EXPECT_FAILS(xcc_event_create(nullptr), XCC_ERROR_INVALID_VALUE, "null");
  EXPECT_FAILS(xcc_event_record(nullptr, nullptr), XCC_ERROR_INVALID_VALUE,
               "null");
  EXPECT_FAILS(xcc_alloc(1, nullptr), XCC_ERROR_INVALID_VALUE, "null");
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
  xcc::device D = xcc::device::current();
  EXPECT_STREQ(D.kind(), "host");
  EXPECT_GE(D.cores(), 1u);
  EXPECT_GT(D.memory(), 0u);
  EXPECT_EQ(D.max_block(), XCC_CPU_MAX_BLOCK);
  EXPECT_EQ(D.shared_memory(), XCC_CPU_MAX_SHARED);
}

TEST(Error, OutlivesTheNextOne) {
  try {
    xcc::device::get(5);
    FAIL();
  } catch (const xcc::error &E) {
    xcc::error Copy = E;
    EXPECT_EQ(xcc_alloc(1, nullptr), XCC_ERROR_INVALID_VALUE);
    EXPECT_EQ(Copy.status(), XCC_ERROR_INVALID_DEVICE);
    EXPECT_NE(strstr(Copy.what(), "no device 5"), nullptr);
    EXPECT_STREQ(Copy.kernel(), "");
  }
}
