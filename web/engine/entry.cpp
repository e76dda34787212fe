// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "web/engine/calls.h"

// The one function that JavaScript calls.

extern "C" {

/// Valid until the next call. A page has one session.
const char* pwCall(const char* name, const char* argument)
{
    static pw::web::Session session;
    static std::string text;
    text = pw::web::answer(session, name, argument);
    return text.c_str();
}
}
