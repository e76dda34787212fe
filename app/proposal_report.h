// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/io/json_text.h"
#include "core/trace/propose.h"

#include <string>

namespace pw::app {

/// The passes proposed, as a table of the first ones with what speaks for them.
/// @param all  every pass with its evidence, not only the first few
std::string proposalText(const Trace& trace, const PassProposal& proposal, bool all,
                         const Screen& screen);

/// The member `proposals`.
void proposalJson(JsonText& text, const Trace& trace, const PassProposal& proposal);

} // namespace pw::app
