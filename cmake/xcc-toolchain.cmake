# Makes xcc the C++ compiler of a project:
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/lib/cmake/xcc/xcc-toolchain.cmake ...
#
# CMake takes xcc for Clang, which it is, and needs to know nothing else. C
# sources keep the C compiler they have. Kernels may be in executables, static
# and shared libraries. XCC_ARCHS chooses devices, separated by commas:
#
#   -DXCC_ARCHS=x86-64-v3,x86-64-v4
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH xcc_prefix) # lib/cmake
cmake_path(GET xcc_prefix PARENT_PATH xcc_prefix)             # lib
cmake_path(GET xcc_prefix PARENT_PATH xcc_prefix)
set(CMAKE_CXX_COMPILER ${xcc_prefix}/bin/xcc)

# Its trial projects read this file too and must see the same choice.
set(XCC_ARCHS "" CACHE STRING "Devices to compile for; empty: xcc's default")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES XCC_ARCHS)
if(XCC_ARCHS)
  string(APPEND CMAKE_CXX_FLAGS_INIT " -offload-arch=${XCC_ARCHS}")
endif()
