// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

/// A pass of an order, and the device that its result is sent to.
struct SentPass
{
    Pass pass;
    std::int32_t to = -1; ///< −1: it goes nowhere, or stays
};

/// An order of several chunks a device.
struct ChunkOrder
{
    std::string title; ///< of its family
    int chunks = 0;
    std::vector<std::vector<SentPass>> devices; ///< as they run
};

/// Where a device sends to, in its order.
using DeviceSends = std::vector<std::int32_t>;

/// The different orders of the program's families, with chunks laid round and round and whole
/// backwards, in which every device sends to what it is said to send to, one behind the other. With
/// three devices or more it tells a forward from a backward where a pass sends to.
///
/// @param sends  by device, at least 3
/// @return       two at most: of more than one none is known to be the one
/// @complexity   a build for every number of chunks and size of a group that the number of sends
///               allows
std::vector<ChunkOrder> ordersThatSend(const std::vector<DeviceSends>& sends);

} // namespace pw
