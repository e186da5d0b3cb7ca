# Makes xcc the C++ compiler of a project:
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/lib/cmake/xcc/xcc-toolchain.cmake ...
#
# CMake takes xcc for Clang, which it is, and needs to know nothing else. C
# sources keep the C compiler they have, unless XCC_C is set. Kernels may be in
# executables, static and shared libraries. XCC_ARCHS chooses devices, separated
# by commas:
#
#   -DXCC_ARCHS=x86-64-v3,x86-64-v4
#
# A target whose sources know nothing of xcc, and that kernels call, says so
# (-foffload-export); with XCC_C its C sources take part:
#
#   set_target_properties(parser PROPERTIES XCC_OFFLOAD_EXPORT ON)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH xcc_prefix) # lib/cmake
cmake_path(GET xcc_prefix PARENT_PATH xcc_prefix)             # lib
cmake_path(GET xcc_prefix PARENT_PATH xcc_prefix)
set(CMAKE_CXX_COMPILER ${xcc_prefix}/bin/xcc)
set(XCC_C OFF CACHE BOOL "Compile C with xcc too")
if(XCC_C)
  set(CMAKE_C_COMPILER ${xcc_prefix}/bin/xcc --driver-mode=gcc)
endif()

# Its trial projects read this file too and must see the same choice.
set(XCC_ARCHS "" CACHE STRING "Devices to compile for; empty: xcc's default")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES XCC_ARCHS XCC_C)
if(XCC_ARCHS)
  string(APPEND CMAKE_CXX_FLAGS_INIT " --offload-arch=${XCC_ARCHS}")
  if(XCC_C)
    string(APPEND CMAKE_C_FLAGS_INIT " --offload-arch=${XCC_ARCHS}")
  endif()
endif()

# CMake reads this file several times.
get_property(xcc_known DIRECTORY PROPERTY XCC_KNOWN)
if(NOT xcc_known)
  set_property(DIRECTORY PROPERTY XCC_KNOWN ON)
  set(xcc_languages CXX)
  if(XCC_C)
    string(APPEND xcc_languages ",C")
  endif()
  add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:${xcc_languages}>,$<BOOL:$<TARGET_PROPERTY:XCC_OFFLOAD_EXPORT>>>:-foffload-export>")
  unset(xcc_languages)
endif()
unset(xcc_known)
unset(xcc_prefix)
