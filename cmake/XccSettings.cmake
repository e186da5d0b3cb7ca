# Language level, warnings and sanitizers, the same for every target of ours.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 17)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(XCC_CCACHE ccache)
if(XCC_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${XCC_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${XCC_CCACHE})
endif()

# What makes an error that is still in our code harder to use. Fibers change
# stacks by themselves, which a shadow stack would not follow: branches alone
# are protected.
include(CheckCXXCompilerFlag)
set(XCC_HARDENING -fstack-protector-strong)
foreach(flag -fstack-clash-protection -fcf-protection=branch)
  string(MAKE_C_IDENTIFIER has${flag} variable)
  check_cxx_compiler_flag(${flag} ${variable})
  if(${variable})
    list(APPEND XCC_HARDENING ${flag})
  endif()
endforeach()
add_link_options(LINKER:-z,relro,-z,now)

# The options of a target that is our own code.
function(xcc_target_settings target)
  if(NOT XCC_SANITIZER)
    target_compile_options(${target} PRIVATE ${XCC_HARDENING})
    # Fortify checks need an optimiser.
    target_compile_options(${target} PRIVATE
      $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE>
      $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=2>)
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  if(XCC_SANITIZER)
    target_compile_options(${target} PRIVATE -fsanitize=${XCC_SANITIZER} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${XCC_SANITIZER})
  endif()
endfunction()
