// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/plan/plan_json.h"
#include "core/plan/plan_words.h"
#include "ui/core_sentences.h"
#include "ui/panels/quiet_table.h"
#include "ui/plan/plan_page.h"
#include "ui/timeline/value_text.h"

#include <QPushButton>
#include <QTableWidget>

// A plan that is kept, and one that was.

namespace pw::ui {

namespace {

constexpr double planMsThen = 1e3; ///< of a second
constexpr int keptDigits = 6;      ///< of a kept time

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

void PlanPage::showKeep()
{
    m_keep->setEnabled(!busy() && !m_rows.empty());
    m_keep->setToolTip(m_rows.empty()
                           ? tr("There is no plan yet.")
                           : tr("Keeps the plan beside the runs, where it is opened again."));
}

NewAnswer PlanPage::answer() const
{
    const std::string headline = plan::headline(m_asked.model, m_asked.cluster, m_asked.wish);
    return {AnswerKind::Plan, headline, m_question.toStdString(),
            headline + "\n\n" + linesOf(*m_table).toStdString(),
            plan::planJson(m_asked.model, m_asked.cluster, m_asked.wish, m_found)};
}

bool PlanPage::reopen(const StoredAnswer& kept)
{
    if (!m_fields->take(QString::fromStdString(kept.question)).isEmpty())
        return false;
    plan();
    m_thenMs = bestKeptMs(kept.data);
    m_then = tr("Kept as a%1, %2.")
                 .arg(kept.number)
                 .arg(whenText(QDateTime::fromMSecsSinceEpoch(kept.madeMs),
                               QDateTime::currentDateTime()));
    if (m_thenMs > 0)
        m_then += tr(" The best took %1 ms.").arg(text(plainNumber(m_thenMs, keptDigits)));
    showWords();
    return true;
}

/// How what a kept plan was answered stands to what is found now.
void PlanPage::sayThen()
{
    if (m_then.isEmpty() || m_thenMs <= 0 || m_rows.empty())
        return;
    const double ms = planMsThen * m_rows.front().seconds();
    const QString now = text(plainNumber(ms, keptDigits));
    m_then += now == text(plainNumber(m_thenMs, keptDigits)) ? tr(" So it does now.")
                                                             : tr(" It takes %1 ms now.").arg(now);
    m_thenMs = 0;
}

} // namespace pw::ui
