# SPDX-License-Identifier: GPL-3.0-or-later
# What ships is built so that a fault in it is ended instead of used: the stack is protected, the C library's functions
# check their sizes, and the addresses of others are bound and made read-only before the first line runs. Trees of shared
# libraries are compiled alike, so that the tests run what ships, and bind addresses as they need them, since hundreds of
# programs start there. Sanitizers find more than this does. tests/checks/hardening.sh looks at what was built.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(pw_hardened OFF)
else()
  set(pw_hardened ON)
endif()
option(PW_HARDENED "Protect stack, sizes and bound addresses of programs and modules" ${pw_hardened})

if(PW_HARDENED)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  include(CheckCXXCompilerFlag)
  set(pw_hardening -fstack-protector-strong)
  set(pw_hardening_of_some -fstack-clash-protection -fcf-protection)
  if(WIN32) # g++ 12 breaks off at the one where it writes down how frames are left, and Windows knows nothing of the other
    set(pw_hardening_of_some "")
  endif()
  foreach(flag IN LISTS pw_hardening_of_some)
    string(MAKE_C_IDENTIFIER "PW_TAKES${flag}" takes)
    check_cxx_compiler_flag(${flag} ${takes})
    if(${takes})
      list(APPEND pw_hardening ${flag})
    endif()
  endforeach()
  # The checked functions are chosen by the optimiser.
  list(APPEND pw_hardening
       "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>" "$<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>")
  foreach(option IN LISTS pw_hardening)
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${option}>")
  endforeach()
  if(WIN32) # what checks the stack is a library of the compiler's own, and no addresses are bound late
    add_link_options(-fstack-protector-strong)
  elseif(NOT BUILD_SHARED_LIBS)
    add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  endif()
endif()
