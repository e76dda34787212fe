// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What the page says where the cluster has several kinds of accelerators.
#include "core/base/text.h"
#include "core/plan/plan_words.h"
#include "ui/plan/plan_page.h"
#include "ui/text.h"

#include <algorithm>

namespace pw::ui {

namespace {

QString kindGibibytes(double bytes)
{
    return text(plainNumber(bytes / plan::gibibyte, 4));
}

} // namespace

/// What the leanest configuration needs, where nothing fits. @pre there is one
QString PlanPage::leanestText() const
{
    const plan::Evaluation& leanest = *m_found.nearest;
    if (!m_asked.cluster.groups.empty())
        return tr("Nothing fits: of the leanest, %1, %2.")
            .arg(text(plan::rowName(leanest)), text(leanest.reason));
    return tr("Nothing fits: the leanest, %1, needs %2 GiB on a device that has %3 GiB.")
        .arg(text(plan::rowName(leanest)), text(plainNumber(leanest.peakBytes() / plan::gibibyte)),
             text(plainNumber(m_asked.cluster.usableMemory() / plan::gibibyte)));
}

/// The line of the picture: what a device has, of several kinds the one with most.
QString PlanPage::limitText() const
{
    if (m_asked.cluster.groups.empty())
        return tr("usable memory %1 GiB")
            .arg(text(plainNumber(m_asked.cluster.usableMemory() / plan::gibibyte)));
    QStringList all;
    for (const plan::Cluster* kind : plan::kindsOf(m_asked.cluster))
        all << tr("%1 %2 GiB").arg(text(kind->device.name), kindGibibytes(kind->usableMemory()));
    all.removeDuplicates();
    return tr("usable memory: %1").arg(all.join(QStringLiteral(", ")));
}

} // namespace pw::ui
