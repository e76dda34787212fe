# SPDX-License-Identifier: GPL-3.0-or-later
# Text files inside a program, so that it can write them where nothing of ours is installed.

# pw_embed_texts(OUT FILES...): a source with `embeddedTorchFiles()`, see app/torch_package.h.
function(pw_embed_texts out)
  set(entries "")
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME)
    file(READ ${file} content)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    # One literal of a compiler has an end that clang warns about; pieces are joined.
    string(LENGTH "${content}" length)
    set(literal "")
    set(at 0)
    while(at LESS length)
      string(SUBSTRING "${content}" ${at} 8000 piece)
      string(APPEND literal "\n        R\"__text(${piece})__text\"")
      math(EXPR at "${at} + 8000")
    endwhile()
    string(APPEND entries "    {\"${name}\",${literal}},\n")
  endforeach()
  list(LENGTH ARGN count)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT "// Made by the build of executor/torch; edit the files there.
#include \"app/torch_package.h\"

#include <array>

namespace pw::app {

namespace {

constexpr std::array<TorchFile, @count@> files = {{
@entries@}};

} // namespace

std::span<const TorchFile> torchPackage()
{
    return files;
}

} // namespace pw::app
")
endfunction()
