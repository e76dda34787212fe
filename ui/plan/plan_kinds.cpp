// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What the page says where the cluster has several kinds of accelerators.
#include "ui/plan/plan_kinds.h"

#include "core/base/text.h"
#include "core/plan/plan_words.h"
#include "ui/plan/plan_page.h"
#include "ui/text.h"

namespace pw::ui {

namespace {

QString kindGibibytes(double bytes)
{
    return text(plainNumber(bytes / plan::gibibyte, 4));
}

} // namespace

QString leanestText(const PlanAsked& asked, const plan::Evaluation& leanest)
{
    if (!asked.cluster.groups.empty())
        return PlanPage::tr("Nothing fits: of the leanest, %1, %2.")
            .arg(text(plan::rowName(leanest)), text(leanest.reason));
    return PlanPage::tr("Nothing fits: the leanest, %1, needs %2 GiB on a device that has %3 GiB.")
        .arg(text(plan::rowName(leanest)), text(plainNumber(leanest.peakBytes() / plan::gibibyte)),
             text(plainNumber(asked.cluster.usableMemory() / plan::gibibyte)));
}

QString limitText(const PlanAsked& asked)
{
    if (asked.cluster.groups.empty())
        return PlanPage::tr("usable memory %1 GiB")
            .arg(text(plainNumber(asked.cluster.usableMemory() / plan::gibibyte)));
    QStringList all;
    for (const plan::Cluster* kind : plan::kindsOf(asked.cluster))
        all << PlanPage::tr("%1 %2 GiB")
                   .arg(text(kind->device.name), kindGibibytes(kind->usableMemory()));
    all.removeDuplicates();
    return PlanPage::tr("usable memory: %1").arg(all.join(QStringLiteral(", ")));
}

} // namespace pw::ui
