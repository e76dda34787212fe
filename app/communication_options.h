// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"
#include "core/communication/expert_pair.h"
#include "core/communication/lowering.h"
#include "core/communication/play.h"

#include <optional>
#include <vector>

namespace pw::app {

/// --receive, --communicators, --sharded, --moe … of `pipewright communication`.
std::vector<Option> communicationOptions();

/// Where actions are placed.
tl::expected<communication::Lowering, Failure> loweringOf(const Arguments& arguments);

/// Whether an option places actions anew; without one a communicating file is taken as it is.
bool placesAnew(const Arguments& arguments);

/// How messages travel and what collectives take.
communication::Transport transportOf(const Arguments& arguments, const Costs& costs,
                                     const PipelineSpec& spec);

/// Bytes of every message, where they are given.
std::optional<Bytes> messageBytesOf(const Arguments& arguments);

/// Refuses options of gathers where nothing is gathered.
tl::expected<void, Failure> checkGathers(const Arguments& arguments,
                                         const communication::Listing& listing);

/// Layers of every stage of --moe; empty without it.
tl::expected<std::vector<std::vector<communication::LayerTimes>>, Failure>
expertLayersOf(const Arguments& arguments, const Study& study);

} // namespace pw::app
