# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D OUTPUT=FILE -D FOLDER=resources/manual -P manual_pages.cmake: the pages of the manual as texts in a program,
# sorted by name. A page is a file of the folder; nothing lists them.
file(GLOB pages ${FOLDER}/*.md)
list(SORT pages)
set(rows "")
foreach(page IN LISTS pages)
  get_filename_component(name ${page} NAME_WE)
  file(READ ${page} text)
  string(APPEND rows "    {\"${name}\", R\"pw_page(${text})pw_page\"sv},\n")
endforeach()
file(WRITE ${OUTPUT} "// SPDX-License-Identifier: GPL-3.0-or-later
// Generated from the files in resources/manual.
#include \"app/manual.h\"

namespace pw::app {

namespace {

// With their lengths known: clang counts no more than a million characters while it compiles.
using namespace std::string_view_literals;

constexpr ManualPage pages[] = {
${rows}};

} // namespace

std::span<const ManualPage> manualPages()
{
    return pages;
}

} // namespace pw::app
")
