// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "web/engine/session.h"

#include <span>
#include <string_view>

namespace pw::web {

/// What is called: the session, the fields that the page gives, and the object that it gets, which
/// is begun. web/src/engine.ts has the types of both.
struct Call
{
    Session& session;
    JsonFields& in;
    JsonFields::Failure& failure;
    JsonText& out;

    /// Hands on what is wrong with the fields, once all are read.
    Result<void> read() const
    {
        if (failure)
            return fail(*failure);
        return {};
    }
};

/// A function of the engine by its name.
struct Function
{
    std::string_view name;
    Result<void> (*call)(const Call& call);
};

/// The functions of schedules, of lessons, and of building blocks; each list is one file.
std::span<const Function> scheduleFunctions();
std::span<const Function> dragFunctions();
std::span<const Function> lessonFunctions();
std::span<const Function> blockFunctions();

/// Calls a function. @param argument  a JSON object
/// @return  `{"ok": …}` or `{"refused": sentence}`, as JSON
std::string answer(Session& session, std::string_view name, std::string_view argument);

} // namespace pw::web
