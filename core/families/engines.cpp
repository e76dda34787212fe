// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/engines.h"

namespace pw {

namespace {

Sentence enumerated(const std::vector<const Family*>& families, std::string_view Family::*name)
{
    std::string text;
    for (std::size_t i = 0; i + 1 < families.size(); ++i)
        text += (i > 0 ? ", " : "") + std::string(families[i]->*name);
    const std::string_view last = families.empty() ? std::string_view() : families.back()->*name;
    return text.empty() ? Sentence(last) : said("%1 and %2", text, last);
}

} // namespace

std::vector<const Family*> familiesOf(std::string_view engine)
{
    std::vector<const Family*> made;
    for (const Family& family : allFamilies()) {
        if (!wordFor(family, engine).empty())
            made.push_back(&family);
    }
    return made;
}

std::string_view wordFor(const Family& family, std::string_view engine)
{
    for (const EngineName& one : family.engines) {
        if (one.engine == engine)
            return one.name;
    }
    return {};
}

const Family* familyCalled(std::string_view engine, std::string_view word)
{
    for (const Family* family : familiesOf(engine)) {
        if (wordFor(*family, engine) == word)
            return family;
    }
    return nullptr;
}

Sentence titlesText(const std::vector<const Family*>& families)
{
    return enumerated(families, &Family::title);
}

Sentence idsText(const std::vector<const Family*>& families)
{
    return enumerated(families, &Family::id);
}

} // namespace pw
