// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"

#include <QString>

#include <array>
#include <cstdint>
#include <vector>

namespace pw::ui {

/// Which kinds of pass lanes have, and in which tints: what a legend of them has to explain.
class KindKey
{
public:
    KindKey() = default;
    explicit KindKey(const Lanes& lanes);

    /// From full to light; empty: the kind does not occur.
    std::vector<int> tints(PassKind kind) const;
    /// Several chunks of a device are told apart.
    bool anyTint() const;

    friend bool operator==(const KindKey&, const KindKey&) = default;

private:
    std::array<std::uint8_t, passKindCount> m_tints{}; ///< by kind, a bit a tint
};

/// "backward for the input"
QString meaningOf(PassKind kind);
/// What tints are, for the end of a legend.
QString tintNote();

} // namespace pw::ui
