// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/names.h"

namespace pw {

std::string foldedName(std::string_view name)
{
    std::string folded;
    folded.reserve(name.size());
    for (const char c : name) {
        if (c == '-' || c == '_' || c == ' ')
            continue;
        folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const auto spell = [&folded](std::string_view american, std::string_view british) {
        for (std::size_t at = folded.find(american); at != folded.npos;
             at = folded.find(american, at + british.size()))
            if (at == 0 || folded[at - 1] != 's') // a size is one everywhere
                folded.replace(at, american.size(), british);
    };
    spell("ize", "ise");
    spell("izi", "isi");
    spell("color", "colour");
    return folded;
}

bool sameName(std::string_view a, std::string_view b)
{
    const std::string folded = foldedName(a);
    return !folded.empty() && folded == foldedName(b);
}

} // namespace pw
