// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/earlier_plan.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "ui/plan/plan_page.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

namespace pw::ui {

namespace {

constexpr int keptDigits = 6; ///< of a kept time

/// The shortest iteration of a kept plan; 0: it does not say.
double bestKeptMs(const std::string& data)
{
    constexpr std::int64_t most = std::int64_t{64} << 20;
    const Result<JsonDocument> rows = parseJson(data, most);
    if (!rows || !rows->IsArray() || rows->Empty() || !(*rows)[0].IsObject())
        return 0;
    const auto time = (*rows)[0].FindMember("iteration_ms");
    return time != (*rows)[0].MemberEnd() && time->value.IsNumber() ? time->value.GetDouble() : 0;
}

} // namespace

EarlierPlan::EarlierPlan(const StoredAnswer& kept)
    : m_text(PlanPage::tr("Kept as a%1, %2.")
                 .arg(kept.number)
                 .arg(whenText(QDateTime::fromMSecsSinceEpoch(kept.madeMs),
                               QDateTime::currentDateTime())))
    , m_best(bestKeptMs(kept.data))
{
    if (m_best > 0)
        m_text +=
            PlanPage::tr(" The best took %1 ms.").arg(ui::text(plainNumber(m_best, keptDigits)));
}

void EarlierPlan::compare(double milliseconds)
{
    if (m_best <= 0)
        return;
    const QString now = ui::text(plainNumber(milliseconds, keptDigits));
    m_text += now == ui::text(plainNumber(m_best, keptDigits))
                  ? PlanPage::tr(" So it does now.")
                  : PlanPage::tr(" It takes %1 ms now.").arg(now);
    m_best = 0;
}

} // namespace pw::ui
