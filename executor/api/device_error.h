// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <stdexcept>

namespace pw::exec {

/// A device could not do what it was told: out of memory, or an error of its library. Ends the run
/// as a fault of the pass at hand.
class DeviceError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

} // namespace pw::exec
