# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed beside the programs, and the Debian packages: `cpack` in the build folder.
#
#   pipewright         the command line and the executor; no Qt
#   pipewright-studio  the window
#   pipewright-mpi, -mpich, -cuda     modules that the command line loads where they are
#   python3-pipewright                the package for Python
include(GNUInstallDirs)

install(DIRECTORY samples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pipewright/samples COMPONENT cli
        PATTERN make.sh EXCLUDE)
install(DIRECTORY resources/manual/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pipewright/manual COMPONENT cli
        FILES_MATCHING PATTERN *.md)
# The executor for PyTorch: plain Python, beside the program whose connections start it.
install(DIRECTORY executor/torch/pipewright_torch
        DESTINATION ${CMAKE_INSTALL_DATADIR}/pipewright/torch COMPONENT cli
        FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
# The page with the core as WebAssembly, where the preset web has made it: a file that the program looks for.
install(FILES ${PROJECT_SOURCE_DIR}/build/web/pipewright-web.html DESTINATION ${CMAKE_INSTALL_DATADIR}/pipewright/web
        COMPONENT cli OPTIONAL)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pipewright COMPONENT cli)

# A page of the manual, which the program prints from what its --help is made of.
find_program(GZIP gzip REQUIRED)
function(pw_manual_page program component)
  set(page ${PROJECT_BINARY_DIR}/manual/${program}.1)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/manual)
  add_custom_command(OUTPUT ${page}.gz
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C.UTF-8 $<TARGET_FILE:${program}> ${ARGN} > ${page}
    COMMAND ${GZIP} -9nf ${page}
    DEPENDS ${program} VERBATIM)
  add_custom_target(manual_${program} ALL DEPENDS ${page}.gz)
  install(FILES ${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endfunction()
pw_manual_page(pipewright cli help --roff)

if(PW_STUDIO)
  pw_manual_page(pipewright-studio studio --man)
  file(STRINGS core/base/man_page.h PW_RELEASE_DATE REGEX "releaseDate = ")
  string(REGEX REPLACE ".*\"([0-9-]+)\".*" "\\1" PW_RELEASE_DATE "${PW_RELEASE_DATE}")
  configure_file(resources/desktop/io.github.pipewright.studio.metainfo.xml.in
                 ${PROJECT_BINARY_DIR}/io.github.pipewright.studio.metainfo.xml @ONLY)
  install(FILES resources/desktop/pipewright-studio.desktop
          DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT studio)
  install(FILES resources/desktop/pipewright.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT studio)
  install(FILES ${PROJECT_BINARY_DIR}/io.github.pipewright.studio.metainfo.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT studio)
  install(FILES resources/icons/pipewright.svg
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT studio)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pipewright)
set(CPACK_PACKAGE_CONTACT "Pipewright authors <pipewright@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Schedules of pipeline-parallel training")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL cli)
install(FILES resources/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pipewright
        COMPONENT cli)
foreach(part studio mpi mpich cuda)
  if((part STREQUAL studio AND PW_STUDIO) OR TARGET pw_${part})
    list(APPEND CPACK_COMPONENTS_ALL ${part})
    install(FILES resources/debian/copyright
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pipewright-${part} COMPONENT ${part})
  endif()
endforeach()
if(PW_PYTHON_BUILT)
  list(APPEND CPACK_COMPONENTS_ALL python)
  install(FILES resources/debian/copyright
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-pipewright COMPONENT python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The libraries of CUDA come from anywhere, and the module says what it misses.
set(CPACK_DEBIAN_CUDA_PACKAGE_SHLIBDEPS OFF)

set(same_version "pipewright (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_CLI_PACKAGE_NAME pipewright)
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS "pipewright-studio, pipewright-mpi, pipewright-mpich, pipewright-cuda")
set(CPACK_COMPONENT_CLI_DESCRIPTION
    "Command line and executor for schedules of pipeline-parallel training")
set(CPACK_DEBIAN_STUDIO_PACKAGE_NAME pipewright-studio)
set(CPACK_DEBIAN_STUDIO_PACKAGE_DEPENDS "${same_version}")
set(CPACK_DEBIAN_STUDIO_PACKAGE_RECOMMENDS "openssh-client")
set(CPACK_COMPONENT_STUDIO_DESCRIPTION
    "Studio for schedules of pipeline-parallel training: design, watch, run")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME pipewright-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "${same_version}")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "openmpi-bin")
set(CPACK_COMPONENT_MPI_DESCRIPTION "Runs of Pipewright over several processes and hosts")
set(CPACK_DEBIAN_MPICH_PACKAGE_NAME pipewright-mpich)
set(CPACK_DEBIAN_MPICH_PACKAGE_DEPENDS "${same_version}")
set(CPACK_DEBIAN_MPICH_PACKAGE_RECOMMENDS "mpich")
set(CPACK_COMPONENT_MPICH_DESCRIPTION "The same with MPICH")
set(CPACK_DEBIAN_CUDA_PACKAGE_NAME pipewright-cuda)
set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "${same_version}, libc6, libstdc++6")
set(CPACK_COMPONENT_CUDA_DESCRIPTION "Runs of Pipewright on NVIDIA GPUs")
# The module is for one version of the interpreter.
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-pipewright)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
if(PW_PYTHON_BUILT)
  string(REGEX MATCH "[0-9]+$" pw_python_minor "${PW_PYTHON_VERSION}")
  math(EXPR pw_python_next "${pw_python_minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= ${PW_PYTHON_VERSION}), python3 (<< 3.${pw_python_next})")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "pipewright, python3-numpy, jupyter-notebook")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Schedules of pipeline-parallel training, for Python")
include(CPack)
