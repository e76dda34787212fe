# SPDX-License-Identifier: GPL-3.0-or-later
# The languages of the window: resources/translations holds a pipewright_LOCALE.ts each, which Qt's lrelease makes into
# app/translations/pipewright_LOCALE.qm. Without it (Debian: qt6-l10n-tools) the window speaks English.
# tests/checks/translations.sh --update writes new sentences of the sources into every file.
file(GLOB PW_LANGUAGES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/translations/*.ts)
find_package(Qt6 6.2 REQUIRED COMPONENTS Core)
# Qt's own folder first: what is in /usr/bin may be that of another Qt.
find_program(PW_LRELEASE NAMES lrelease PATHS ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_BINS} NO_DEFAULT_PATH)
find_program(PW_LRELEASE NAMES lrelease-qt6 lrelease6)

if(PW_LRELEASE AND PW_LANGUAGES)
  set(PW_LANGUAGE_FILES "")
  foreach(words IN LISTS PW_LANGUAGES)
    get_filename_component(language ${words} NAME_WE)
    set(compiled ${PROJECT_BINARY_DIR}/app/translations/${language}.qm)
    add_custom_command(OUTPUT ${compiled}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/app/translations
      COMMAND ${PW_LRELEASE} -silent ${words} -qm ${compiled}
      DEPENDS ${words} VERBATIM)
    list(APPEND PW_LANGUAGE_FILES ${compiled})
  endforeach()
  add_custom_target(translations ALL DEPENDS ${PW_LANGUAGE_FILES})
  add_dependencies(pw_window translations)
  install(FILES ${PW_LANGUAGE_FILES} DESTINATION share/pipewright/translations COMPONENT studio)
endif()
