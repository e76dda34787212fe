// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/kind_key.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace {

struct KeyWords
{
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

} // namespace

KindKey::KindKey(const Lanes& lanes)
{
    const auto add = [this](PassKind kind, int tint) {
        std::uint8_t& bits = m_tints[static_cast<std::size_t>(kind)];
        bits = static_cast<std::uint8_t>(bits | (1U << static_cast<unsigned>(tint)));
    };
    for (const Lane& lane : lanes.lanes()) {
        for (const SpanLook look : lane.look) {
            add(look.kind, look.tint);
            if (look.paired != 0)
                add(look.partner, look.partnerTint);
        }
    }
}

std::vector<int> KindKey::tints(PassKind kind) const
{
    std::vector<int> all;
    for (int tint = 0; tint <= fullTint; ++tint)
        if ((m_tints[static_cast<std::size_t>(kind)] >> tint & 1) != 0)
            all.push_back(tint);
    return all;
}

bool KindKey::anyTint() const
{
    return std::any_of(m_tints.begin(), m_tints.end(), [](std::uint8_t bits) { return bits > 1; });
}

QString meaningOf(PassKind kind)
{
    switch (kind) {
    case PassKind::F:
        return KeyWords::tr("forward");
    case PassKind::B:
        return KeyWords::tr("backward for the input");
    case PassKind::W:
        return KeyWords::tr("backward for the weights");
    case PassKind::BW:
        return KeyWords::tr("backward, both");
    case PassKind::R:
        return KeyWords::tr("recompute");
    case PassKind::U:
        break;
    }
    return KeyWords::tr("update");
}

QString tintNote()
{
    return KeyWords::tr("full to light: first to last chunk of a device");
}

} // namespace pw::ui
