# What an installation has beside the programs and libraries, whose own
# CMakeLists.txt install them: what projects of users need, manual pages,
# completions, and the way out again.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xcc-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_SOURCE_DIR}/cmake/xcc-toolchain.cmake
  ${PROJECT_SOURCE_DIR}/cmake/xcc-config.cmake
  ${PROJECT_SOURCE_DIR}/cmake/xcc-kernels.cmake
  ${PROJECT_SOURCE_DIR}/cmake/xcc-simulated.cmake
  ${PROJECT_BINARY_DIR}/xcc-config-version.cmake
  DESTINATION lib/cmake/xcc)

foreach(library xcc xcc-rpc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${library}.pc.in
    ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION lib/pkgconfig)
endforeach()

# bash looks for a file of the program's name.
foreach(program xcc xcc-info xcc-replay xcc-run)
  install(FILES ${PROJECT_SOURCE_DIR}/driver/completion/xcc.bash
    DESTINATION share/bash-completion/completions RENAME ${program})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/driver/completion/_xcc
  DESTINATION share/zsh/site-functions)

# Manual pages are what the programs say of themselves.
find_program(XCC_HELP2MAN help2man)
if(XCC_BUILD_COMPILER AND XCC_HELP2MAN)
  set(names "xcc:kernels in ordinary C++"
    "xcc-info:devices, and the device code that a file holds"
    "xcc-cudaify:CUDA sources as sources that xcc compiles"
    "xcc-replay:runs a recorded launch again"
    "xcc-run:runs a bare device image of a whole program")
  set(pages)
  foreach(entry IN LISTS names)
    string(REPLACE ":" ";" entry "${entry}")
    list(GET entry 0 name)
    list(GET entry 1 what)
    if(TARGET ${name})
      set(page ${PROJECT_BINARY_DIR}/man/${name}.1)
      add_custom_command(OUTPUT ${page}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
        COMMAND ${XCC_HELP2MAN} --no-info --name=${what}
          --version-string=${PROJECT_VERSION} --output=${page}
          $<TARGET_FILE:${name}>
        DEPENDS ${name} COMMENT "The manual page of ${name}" VERBATIM)
      list(APPEND pages ${page})
    endif()
  endforeach()
  add_custom_target(xcc-man ALL DEPENDS ${pages})
  install(FILES ${pages} DESTINATION share/man/man1)
elseif(XCC_BUILD_COMPILER)
  message(STATUS "help2man not found: no manual pages")
endif()

# cmake --build build --target uninstall: what the last install wrote.
add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
    -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
  COMMENT "Removing what was installed" VERBATIM)

# cpack -G DEB makes xcc_VERSION_amd64.deb and xcc-simulators_VERSION_amd64.deb.
set(CPACK_PACKAGE_NAME xcc)
set(CPACK_PACKAGE_CONTACT "the xcc project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "single-source compiler for hosts and devices: kernels in ordinary C++")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Clang's own headers, the linker of host programs, and C++'s library.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-22-dev, binutils, g++")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libclc-22")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME xcc)
set(CPACK_DEBIAN_UNSPECIFIED_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION_SUMMARY})
set(CPACK_DEBIAN_SIMULATORS_PACKAGE_NAME xcc-simulators)
set(CPACK_DEBIAN_SIMULATORS_DESCRIPTION
  "simulators of NVIDIA and AMD GPUs, for programs built by xcc")
# What they link, which CPack finds itself.
set(CPACK_DEBIAN_SIMULATORS_PACKAGE_DEPENDS "libc6")
set(CPACK_DEBIAN_SIMULATORS_PACKAGE_RECOMMENDS "")
include(CPack)
