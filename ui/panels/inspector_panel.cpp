// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/inspector_panel.h"

#include "core/families/family.h"
#include "core/sim/dependencies.h"
#include "core/sim/metrics.h"
#include "ui/presentation.h"
#include "ui/timeline/time_scale.h"

#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include <cmath>

namespace pw::ui {

namespace {

QString row(const QString& key, const QString& value)
{
    return QStringLiteral("<tr><td style=\"color:%1; padding-right:12px\">%2</td><td>%3</td></tr>")
        .arg(color(Role::Secondary).name(), key.toHtmlEscaped(), value.toHtmlEscaped());
}

QString colored(const QString& value, Role role)
{
    return QStringLiteral("<span style=\"color:%1\">%2</span>")
        .arg(color(role).name(), value.toHtmlEscaped());
}

QString table(const QString& rows)
{
    return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">%1</table>").arg(rows);
}

QLabel* section(QWidget* parent, QVBoxLayout* layout, const QString& title)
{
    auto* heading = new QLabel(title, parent);
    QFont bold = heading->font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(bold);
    auto* body = new QLabel(parent);
    body->setTextFormat(Qt::RichText);
    body->setWordWrap(true);
    body->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    body->setAccessibleName(title);
    layout->addWidget(heading);
    layout->addWidget(body);
    layout->addSpacing(10);
    return body;
}

} // namespace

InspectorPanel::InspectorPanel(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(4);
    m_pass = section(this, layout, tr("Selected pass"));
    m_against = section(this, layout, tr("Against"));
    m_problems = section(this, layout, tr("Problems"));
    layout->addStretch(1);
}

void InspectorPanel::pin(const ScheduleDocument* document)
{
    m_pinnedTitle.clear();
    if (document == nullptr || document->schedule() == nullptr)
        return;
    m_pinnedTitle = document->title();
    m_pinnedMakespan = document->result().makespan;
    m_pinnedPeak = peakMicroBatches(document->result());
}

void InspectorPanel::show(const ScheduleDocument* document, SpanRef span)
{
    if (document == nullptr || document->schedule() == nullptr) {
        m_pass->setText(tr("None."));
        m_against->clear();
        m_problems->setText(document == nullptr ? QString()
                                                : colored(document->problem(), Role::Refusal));
        return;
    }
    m_pass->setText(document->lanes()->holds(span)
                        ? passText(*document, span)
                        : tr("None. Click a pass, or walk with the arrow keys."));
    m_against->setText(againstText(*document));
    m_problems->setText(tr("None. Every pass has its place."));
}

QString InspectorPanel::passText(const ScheduleDocument& document, SpanRef span) const
{
    const Schedule& schedule = *document.schedule();
    const SimResult& result = document.result();
    const Lane& lane = document.lanes()->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    const OrderEntry entry = schedule.entry(lane.entry[index]);
    QString rows = row(tr("Pass"), text(describe(entry.pass, schedule.spec())));
    if (entry.paired)
        rows += row(tr("beside"), text(describe(entry.partner, schedule.spec())));
    rows += row(tr("Device"), QString::number(span.lane));
    rows += row(tr("Start – end"),
                QStringLiteral("%1 – %2").arg(durationText(static_cast<double>(lane.start[index])),
                                              durationText(static_cast<double>(lane.end[index]))));
    rows +=
        row(tr("Takes"), durationText(static_cast<double>(lane.end[index] - lane.start[index])));

    // The last thing that it waited for.
    const Dependencies dependencies(schedule);
    std::vector<Dependency> waits;
    dependencies.append(schedule.table().id(entry.pass), waits);
    const Dependency* last = nullptr;
    for (const Dependency& wait : waits) {
        const auto of = [&](const Dependency& one) {
            return result.end[static_cast<std::size_t>(schedule.entryOf(one.producer))];
        };
        if (last == nullptr || of(wait) > of(*last))
            last = &wait;
    }
    rows += row(tr("Waited for"),
                last == nullptr ? tr("nothing")
                                : text(describe(schedule.pass(last->producer), schedule.spec())) +
                                      tr(" on device %1").arg(schedule.device(last->producer)));
    std::vector<PassId> consumers;
    dependencies.appendConsumers(schedule.table().id(entry.pass), consumers);
    rows += row(tr("Awaited by"), consumers.empty()       ? tr("nothing")
                                  : consumers.size() == 1 ? tr("1 pass")
                                                          : tr("%1 passes").arg(consumers.size()));
    return table(rows);
}

QString InspectorPanel::againstText(const ScheduleDocument& document) const
{
    const Project& project = document.project();
    const SimResult& result = document.result();
    QString rows;
    const auto* uniform = std::get_if<UniformCosts>(&project.costs);
    const Result<const Family*> family =
        findFamily(project.family ? project.family->id : std::string());
    if (family && uniform != nullptr) {
        const ClosedFormInput input = closedFormInput(**family, project.family->options, *uniform);
        for (const ClosedForm& form : (*family)->closedForms) {
            const std::optional<double> value = form.estimate ? std::nullopt : form.value(input);
            if (!value || (form.quantity != Quantity::SpanBubble &&
                           form.quantity != Quantity::PeakActivation))
                continue;
            const bool time = form.quantity == Quantity::SpanBubble;
            const double simulated =
                time ? static_cast<double>(spanBubble(result).idle) : peakMicroBatches(result);
            const bool met = std::abs(simulated - *value) <=
                             (time ? static_cast<double>(document.schedule()->entryCount()) : 1e-6);
            rows +=
                QStringLiteral("<tr><td style=\"color:%1; "
                               "padding-right:12px\">%2</td><td>%3&nbsp;&nbsp;%4</td></tr>")
                    .arg(color(Role::Secondary).name(), time ? tr("Span bubble") : tr("Peak"),
                         time ? durationText(*value)
                              : tr("%1 mb").arg(QLocale::c().toString(*value, 'g', 4)),
                         met ? colored(tr("= simulated"), Role::Good)
                             : colored(tr("simulated %1")
                                           .arg(time ? durationText(simulated)
                                                     : QLocale::c().toString(simulated, 'g', 4)),
                                       Role::Refusal));
            rows += QStringLiteral("<tr><td></td><td style=\"color:%1\">= %2</td></tr>")
                        .arg(color(Role::Secondary).name(), text(form.formula).toHtmlEscaped());
        }
    }
    if (!m_pinnedTitle.isEmpty() && m_pinnedMakespan > 0) {
        const double part = 100.0 * (1 - static_cast<double>(result.makespan) /
                                             static_cast<double>(m_pinnedMakespan));
        const QString verdict = part >= 0
                                    ? tr("%1 % shorter").arg(QLocale::c().toString(part, 'f', 1))
                                    : tr("%1 % longer").arg(QLocale::c().toString(-part, 'f', 1));
        rows += QStringLiteral("<tr><td style=\"color:%1; "
                               "padding-right:12px\">%2</td><td>%3&nbsp;&nbsp;%4</td></tr>")
                    .arg(color(Role::Secondary).name(), m_pinnedTitle.toHtmlEscaped(),
                         durationText(static_cast<double>(m_pinnedMakespan)),
                         colored(verdict, part >= 0 ? Role::Good : Role::Refusal));
    }
    return rows.isEmpty() ? tr("No closed form is known for this order and these costs.")
                          : table(rows);
}

} // namespace pw::ui
