// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/trace/trace.h"

namespace pw {

/// Takes the waiting out of the passes that PyTorch's pipelining runtime times on the host.
///
/// The runtime posts a receive early and waits for it inside the annotation of the pass that needs
/// it. So a pass begins with its first operator that computes, on its own thread or on one without
/// passes (autograd's); operators of the communication library and waits are none. A pass without
/// such an operator begins where the last receive inside it has ended. It becomes a span of its
/// own, by containment, which alone has the label for what follows.
///
/// A labelled send or receive is the posting of it; the label goes to the span of the backend that
/// begins inside ("gloo:send"), which lasts as long as the transfer.
///
/// Nothing is done where the file has no operator of the communication library: then no wait can be
/// told from work.
///
/// @param file  whose spans are the last of the trace; ranks of spans are processes of it
void labelHostPasses(Trace& trace, EventFile& file);

} // namespace pw
