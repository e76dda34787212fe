# SPDX-License-Identifier: GPL-3.0-or-later

# Whether the CUDA module is built. Sets PW_CUDA_FOUND, and enables CUDA as a language where it is.
#
# AUTO takes what is there; ON stops where something is missing. A wrapper that is called nvcc but
# has no toolkit behind it does not count.
set(PW_CUDA AUTO CACHE STRING "Build the CUDA module: AUTO (where the toolkit is), ON, OFF")
set_property(CACHE PW_CUDA PROPERTY STRINGS AUTO ON OFF)
if(NOT PW_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "PW_CUDA is ${PW_CUDA}, not AUTO, ON or OFF")
endif()

# SMALL starts on every GPU from compute capability 7.5 on: those that have no machine code here
# get it from the driver, once, when the program is first run. FULL has machine code for all, for
# packages; it takes twice as long to build. CMAKE_CUDA_ARCHITECTURES goes before either.
set(PW_CUDA_GPUS SMALL CACHE STRING "GPUs with machine code: SMALL (8.0, 9.0) or FULL (all)")
set_property(CACHE PW_CUDA_GPUS PROPERTY STRINGS SMALL FULL)
if(NOT PW_CUDA_GPUS MATCHES "^(SMALL|FULL)$")
  message(FATAL_ERROR "PW_CUDA_GPUS is ${PW_CUDA_GPUS}, not SMALL or FULL")
endif()

# Architectures that a toolkit of a version compiles for.
function(pw_cuda_architectures out version gpus)
  set(architectures 75-virtual 80-real 90-real)
  if(gpus STREQUAL "FULL")
    set(architectures 75-real 80-real 86-real 89-real)
    if(version VERSION_LESS 13)
      list(PREPEND architectures 70-real) # 13 has left Volta behind
    endif()
    if(version VERSION_GREATER_EQUAL 12.8)
      list(APPEND architectures 90-real 90-virtual 100-real 120-real 120-virtual)
    else()
      list(APPEND architectures 90-real 90-virtual)
    endif()
  endif()
  set(${out} ${architectures} PARENT_SCOPE)
endfunction()

set(PW_CUDA_FOUND OFF)
set(pw_cuda_missing "")
if(NOT PW_CUDA STREQUAL "OFF")
  # CUDA 13 has no nvToolsExt any more, and CMake 3.25's module stops where the target is missing that it marks as old.
  if(CMAKE_VERSION VERSION_LESS 3.26 AND NOT TARGET CUDA::nvToolsExt)
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
  endif()
  find_package(CUDAToolkit 12.4 QUIET)
  if(NOT CUDAToolkit_FOUND)
    set(pw_cuda_missing "no CUDA toolkit of 12.4 or later")
  else()
    if(CUDAToolkit_NVCC_EXECUTABLE AND NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
      set(CMAKE_CUDA_COMPILER "${CUDAToolkit_NVCC_EXECUTABLE}")
    endif()
    # To be set before the language is enabled, which else takes nvcc's oldest.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      pw_cuda_architectures(CMAKE_CUDA_ARCHITECTURES "${CUDAToolkit_VERSION}" "${PW_CUDA_GPUS}")
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    find_package(NCCL 2.18 QUIET)
    if(NOT CMAKE_CUDA_COMPILER)
      set(pw_cuda_missing "no nvcc that works")
    elseif(NOT TARGET CUDA::cublas OR NOT TARGET CUDA::cudart_static)
      set(pw_cuda_missing "the toolkit has no cuBLAS or no static runtime")
    elseif(NOT NCCL_FOUND)
      set(pw_cuda_missing "no nccl.h of 2.18 or later (NCCL_ROOT names its folder)")
    endif()
  endif()
  if(NOT pw_cuda_missing)
    enable_language(CUDA)
    set(PW_CUDA_FOUND ON)
    if(CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
      set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE}")
    endif()
    message(STATUS "CUDA: ${CUDAToolkit_VERSION}, NCCL ${NCCL_VERSION}, for ${CMAKE_CUDA_ARCHITECTURES}")
  elseif(PW_CUDA STREQUAL "ON")
    message(FATAL_ERROR "PW_CUDA is ON, but there is ${pw_cuda_missing}")
  else()
    message(STATUS "CUDA: ${pw_cuda_missing}; the CUDA backend is not built")
  endif()
endif()
