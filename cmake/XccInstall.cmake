# What an installation has beside the programs and libraries, whose own
# CMakeLists.txt install them: what CMake projects of users need.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xcc-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_SOURCE_DIR}/cmake/xcc-toolchain.cmake
  ${PROJECT_SOURCE_DIR}/cmake/xcc-config.cmake
  ${PROJECT_BINARY_DIR}/xcc-config-version.cmake
  DESTINATION lib/cmake/xcc)
