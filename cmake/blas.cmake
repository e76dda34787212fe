# SPDX-License-Identifier: GPL-3.0-or-later

# What the CPU device multiplies matrices with. Sets PW_BLAS_FOUND to DNNL, OPENBLAS or NONE, and
# makes the target pw_blas.
#
# oneDNN comes without its CMake package, which in Debian wants OpenCL's headers for nothing.
set(PW_BLAS AUTO CACHE STRING "Matrix products on the CPU: AUTO, DNNL, OPENBLAS or NONE")
set_property(CACHE PW_BLAS PROPERTY STRINGS AUTO DNNL OPENBLAS NONE)
if(NOT PW_BLAS MATCHES "^(AUTO|DNNL|OPENBLAS|NONE)$")
  message(FATAL_ERROR "PW_BLAS is ${PW_BLAS}, not AUTO, DNNL, OPENBLAS or NONE")
endif()

add_library(pw_blas INTERFACE)
set(PW_BLAS_FOUND NONE)

if(PW_BLAS MATCHES "^(AUTO|DNNL)$")
  find_path(DNNL_INCLUDE_DIR dnnl.h)
  find_library(DNNL_LIBRARY dnnl)
  mark_as_advanced(DNNL_INCLUDE_DIR DNNL_LIBRARY)
  if(DNNL_INCLUDE_DIR AND DNNL_LIBRARY)
    set(PW_BLAS_FOUND DNNL)
    target_include_directories(pw_blas SYSTEM INTERFACE "${DNNL_INCLUDE_DIR}")
    # For the OpenMP library that oneDNN brings.
    target_link_libraries(pw_blas INTERFACE "${DNNL_LIBRARY}" ${CMAKE_DL_LIBS})
  endif()
endif()
if(PW_BLAS_FOUND STREQUAL "NONE" AND PW_BLAS MATCHES "^(AUTO|OPENBLAS)$")
  find_path(OPENBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas openblas-pthread openblas-serial)
  find_library(OPENBLAS_LIBRARY openblas)
  mark_as_advanced(OPENBLAS_INCLUDE_DIR OPENBLAS_LIBRARY)
  if(OPENBLAS_INCLUDE_DIR AND OPENBLAS_LIBRARY)
    set(PW_BLAS_FOUND OPENBLAS)
    target_include_directories(pw_blas SYSTEM INTERFACE "${OPENBLAS_INCLUDE_DIR}")
    target_link_libraries(pw_blas INTERFACE "${OPENBLAS_LIBRARY}")
  endif()
endif()

if(NOT PW_BLAS_FOUND STREQUAL "NONE")
  target_compile_definitions(pw_blas INTERFACE "PW_BLAS_${PW_BLAS_FOUND}")
  message(STATUS "Matrix products on the CPU: ${PW_BLAS_FOUND}")
elseif(PW_BLAS MATCHES "^(AUTO|NONE)$")
  message(STATUS "Matrix products on the CPU: own loops, several times slower; "
                 "libdnnl-dev (oneDNN) or libopenblas-dev would make them fast")
else()
  message(FATAL_ERROR "PW_BLAS is ${PW_BLAS}, but its header or its library is not found")
endif()
