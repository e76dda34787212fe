// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/adaptive/adaptive_page.h"
#include "ui/models/number_table.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

// What the page says beside itself.
namespace pw::ui {

QString AdaptivePage::title() const
{
    return tr("Adaptive k");
}

PageDetails AdaptivePage::details() const
{
    PageDetails details;
    details.kind = tr("Adaptive k");
    DetailsPart how;
    how.heading = tr("How it follows");
    how.none = tr("For each k the micro-batch is taken that is the fastest of those that fit. The "
                  "tuner begins with 1F1B; every so many iterations it measures the messages, "
                  "simulates each k with them, and goes on with the best.");
    DetailsPart run;
    run.heading = tr("Run");
    if (m_outline)
        run.rows.push_back({tr("Backend"), text(m_outline->backend)});
    if (!m_points.empty())
        run.rows.push_back({tr("Iterations"), QString::number(m_points.size())});
    if (m_totals && m_totals->firstLoss > 0)
        run.rows.push_back(
            {tr("Loss, first and last"),
             tr("%1, %2").arg(shortNumber(m_totals->firstLoss), shortNumber(m_totals->lastLoss))});
    run.none = tr("Run sends it to the connection that is chosen above. Messages are delayed as "
                  "the network says.");
    details.parts = {how, run};
    return details;
}

QString AdaptivePage::figures() const
{
    if (!m_simulated || m_simulated->adaptive.total <= 0)
        return {};
    const double gain = static_cast<double>(m_simulated->fixed.front().total) /
                            static_cast<double>(m_simulated->adaptive.total) -
                        1;
    return tr("simulated %1     over 1F1B %2")
        .arg(durationText(static_cast<double>(m_simulated->adaptive.total)), percentText(gain));
}

} // namespace pw::ui
