// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <iterator>
#include <string>
#include <string_view>

namespace pw {

/// A name as it is compared: letters small, no '-', '_' or space, and British: "ZB-H1" → "zbh1",
/// "optimize" → "optimise".
std::string foldedName(std::string_view name);

/// Whether two names are the same to a person: "ZB-H1", "zb_h1" and "zbh1".
bool sameName(std::string_view a, std::string_view b);

/// The element of a list that a person names, or null: the one of exactly that name, else the first
/// whose name is the same to a person.
/// @param nameOf  the name of an element
template<typename List, typename NameOf>
auto findNamed(const List& list, std::string_view name, NameOf nameOf)
    -> decltype(&*std::begin(list))
{
    for (const auto& one : list) {
        if (std::string_view(nameOf(one)) == name)
            return &one;
    }
    for (const auto& one : list) {
        if (sameName(nameOf(one), name))
            return &one;
    }
    return nullptr;
}

} // namespace pw
