// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/base/types.h"

#include <optional>
#include <string>
#include <vector>

// Lists of values with commas between, as what-ifs take them.
namespace pw::app {

/// The parts between commas, without blanks around.
std::vector<std::string> listParts(const std::string& text);

/// The numbers of an option, from 0, or whole ones from 1.
tl::expected<std::vector<double>, Failure> numbersOf(const Arguments& arguments,
                                                     const std::string& name, bool whole);

/// A link as a row has it: a time, or a factor.
struct LinkChange
{
    std::string name;
    std::optional<Ticks> hop;
    double factor = 1;
};

/// What `--link` asks for; one that changes nothing where it is not given.
tl::expected<std::vector<LinkChange>, Failure> linksOf(const Arguments& arguments);

} // namespace pw::app
