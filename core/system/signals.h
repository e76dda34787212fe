// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <memory>

namespace pw::sys {

/// While it lives, what people and launchers end a program by calls a function with its number:
/// Ctrl-C (2), the wish that it ends (15), the end of its terminal (1). What whoever started the
/// program had ignored, as nohup does, stays ignored. One at a time.
class EndingSignals
{
public:
    /// @param handler  may be called in the middle of anything, or by another thread
    explicit EndingSignals(void (*handler)(int));
    ~EndingSignals();
    EndingSignals(const EndingSignals&) = delete;
    EndingSignals& operator=(const EndingSignals&) = delete;

private:
    struct Before;
    std::unique_ptr<Before> m_before;
};

/// Ends the process as if nobody had asked for the signal, so that a shell sees which one it was.
void endBy(int signal);

} // namespace pw::sys
