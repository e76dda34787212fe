// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/kind_key.h"

#include <QCoreApplication>

namespace pw::ui {

namespace {

struct KeyWords
{
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

} // namespace

KindKey keyOf(const Lanes& lanes)
{
    KindKey key;
    for (const Lane& lane : lanes.lanes())
        key.add(lane);
    return key;
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
