// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/ids.h"

#include <vector>

namespace pw {

/// Which device holds each stage of the model, for one route through it.
///
/// `deviceOfStage[s]` is the device of stage s. Any map is allowed; the functions below make the
/// usual ones.
struct Placement
{
    std::vector<DeviceId> deviceOfStage;

    int stages() const { return static_cast<int>(deviceOfStage.size()); }
    DeviceId device(StageId stage) const { return deviceOfStage[stage.index()]; }

    friend bool operator==(const Placement&, const Placement&) = default;

    /// Stage s on device s.
    static Placement linear(int devices);

    /// Stage s on device p−1−s: the second route of a bidirectional family.
    static Placement reversed(int devices);

    /// Stage s on device s mod p, `chunks` times around. @source arXiv:2104.04473
    static Placement looped(int devices, int chunks);

    /// Two chunks: down the devices and up again; device r holds stages r and 2p−1−r. @source
    /// arXiv:2401.10241
    static Placement vShape(int devices);

    /// `waves` V shapes one after another: S = 2·waves·p. @source arXiv:2308.15762
    static Placement zigzag(int devices, int waves);
};

} // namespace pw
