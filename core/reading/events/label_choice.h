// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/trace/trace.h"

#include <string_view>

namespace pw {

/// "Forward 3", "Backward 3": names of PyTorch's GPipe, with the waiting in them.
bool isPlainPass(std::string_view name);

/// Which labels count where a program has several for one thing. Passes that are named as actions
/// ("PP:0F3") stand inside what PyTorch's GPipe names itself ("Forward 3", with the waiting in it);
/// steps that our labels name stand inside those of the profiler, which last as long as a step.
class LabelChoice
{
public:
    /// A name that a labelled span of the file has.
    void take(std::string_view name);
    /// Whether a span of this name says nothing that others do not say better.
    bool drops(std::string_view name) const;
    /// Whether any name is dropped.
    bool any() const { return (m_actions && m_plain) || (m_profilerSteps && m_ownSteps); }

private:
    bool m_actions = false;
    bool m_plain = false;
    bool m_profilerSteps = false;
    bool m_ownSteps = false;
};

/// Takes the labels of a file's spans that others make needless, and notes where its rank is in the
/// mesh, if all spans that say so say the same.
/// @param file  whose spans are the last of the trace
void chooseLabels(Trace& trace, EventFile& file);

} // namespace pw
