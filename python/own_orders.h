// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/schedule_text.h"
#include "python/binding.h"

namespace pw::python {

/// What a person writes beside the orders of a schedule of their own.
struct OwnShape
{
    py::object placement;         ///< a name, a device for each stage, or a tuple of two of these
    py::object microBatches;      ///< None: as many as occur
    py::object segments;          ///< a count, or lengths; None: as many as occur
    py::object routeOfMicroBatch; ///< None: all take the first route
    int steps = 1;
    std::string updates;  ///< flush, stashed, double-buffered, none; empty: as follows
    std::string messages; ///< early, committed; empty: early
};

/// The schedule of orders: a list a device, of passes, pairs of passes, and texts of the notation;
/// or a text a device. Refuses with the device and what is wrong there.
Schedule ownSchedule(const py::sequence& orders, const OwnShape& shape);

/// The schedule of a text of the notation.
Schedule scheduleOfText(const std::string& text);

/// The kind of a name: F, B, W, BW, R, U.
PassKind passKindOf(const std::string& name);

/// Entries of one device as Python sees them: a Pass, or a tuple of two that overlap.
py::list entriesOf(const Schedule& schedule, DeviceId device);

} // namespace pw::python
