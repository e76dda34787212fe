// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/activity_table.h"

#include "core/base/text.h"
#include "core/trace/activity_kind.h"
#include "core/trace/short_name.h"
#include "ui/panels/quiet_table.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPixmap>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int nameRole = Qt::UserRole; ///< of `Trace::names`

QString partText(Ticks time, Ticks whole)
{
    constexpr double hundred = 100;
    return whole <= 0 ? QStringLiteral("–")
                      : QStringLiteral("%1 %").arg(text(plainNumber(
                            hundred * static_cast<double>(time) / static_cast<double>(whole), 3)));
}

QString timeWords(Ticks time)
{
    return durationText(static_cast<double>(time));
}

} // namespace

QString sumsSentence(const ActivitySums& sums, bool whole)
{
    QStringList parts;
    // What says nothing of itself comes last.
    for (int i = 1; i <= activityKindCount; ++i) {
        const auto kind = static_cast<ActivityKind>(i % activityKindCount);
        const Ticks busy = sums.busy[static_cast<std::size_t>(kind)];
        if (busy > 0)
            parts += ActivityTable::tr("%1 %2 (%3)")
                         .arg(activityText(kind), timeWords(busy), partText(busy, sums.whole()));
    }
    if (const IdleShare& device = sums.device; device.busy > 0 && sums.ranks > 1)
        parts += ActivityTable::tr("no device at work %1 (%2, of it %3 on all ranks at once)")
                     .arg(timeWords(device.idle()), partText(device.idle(), device.whole()),
                          partText(device.idleTogether(), device.whole()));
    else if (device.busy > 0)
        parts += ActivityTable::tr("no device at work %1 (%2)")
                     .arg(timeWords(device.idle()), partText(device.idle(), device.whole()));
    const QString what =
        whole ? ActivityTable::tr("The whole, %1").arg(timeWords(sums.to))
              : ActivityTable::tr("%1 of %2")
                    .arg(timeWords(sums.to - sums.from),
                         spanText(static_cast<double>(sums.from), static_cast<double>(sums.to)));
    const QString ranks =
        sums.ranks > 1 ? ActivityTable::tr(", summed over %1 ranks").arg(sums.ranks) : QString();
    return parts.isEmpty()
               ? ActivityTable::tr("%1: nothing ran.").arg(what)
               : ActivityTable::tr("%1%2: %3.").arg(what, ranks, parts.join(QStringLiteral(", ")));
}

ActivityTable::ActivityTable(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new QLabel(this))
    , m_table(new QTableWidget(0, 6, this))
    , m_instances(new QLabel(this))
{
    m_sentence->setObjectName(QStringLiteral("sums"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setMargin(8);
    m_sentence->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setObjectName(QStringLiteral("names"));
    m_table->setAccessibleName(tr("Sums by name"));
    m_table->setHorizontalHeaderLabels(
        {tr("name"), tr("kind"), tr("count"), tr("self"), tr("total"), tr("self, of the stretch")});
    makeQuiet(*m_table);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int column = 0; column < m_table->columnCount(); ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            Qt::AlignVCenter | (column < 2 ? Qt::AlignLeft : Qt::AlignRight));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_sentence);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_instances);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_instances->setObjectName(QStringLiteral("instances"));
    m_instances->setTextFormat(Qt::RichText);
    m_instances->setMargin(6);
    m_instances->setTextInteractionFlags(Qt::LinksAccessibleByMouse |
                                         Qt::LinksAccessibleByKeyboard);
    m_instances->hide();
    connect(m_instances, &QLabel::linkActivated, this,
            [this](const QString& span) { Q_EMIT spanAsked(span.toInt()); });
    connect(m_table, &QTableWidget::itemSelectionChanged, this,
            [this] { Q_EMIT nameChosen(selectedName()); });
    connect(m_table, &QTableWidget::cellActivated, this, [this] { Q_EMIT nextAsked(); });
}

/// Of the one row that is selected; −1: none or several are.
std::int32_t ActivityTable::selectedName() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.size() == 1 ? m_table->item(rows.front().row(), 0)->data(nameRole).toInt() : -1;
}

void ActivityTable::selectName(std::int32_t name)
{
    if (name == selectedName())
        return;
    const QSignalBlocker quiet(m_table);
    m_table->clearSelection();
    for (int row = 0; name >= 0 && row < m_table->rowCount(); ++row)
        if (m_table->item(row, 0)->data(nameRole).toInt() == name) {
            m_table->setCurrentCell(row, 0);
            return;
        }
}

void ActivityTable::setFound(const ShownActivityPtr& activity, const FoundSlices* found)
{
    m_instances->setVisible(found != nullptr && found->count() > 0);
    if (found == nullptr || found->count() == 0)
        return;
    const auto link = [&](std::int32_t span) {
        const TraceSpan& of = activity->trace.spans[static_cast<std::size_t>(span)];
        return QStringLiteral("<a href=\"%1\">%2</a>").arg(span).arg(timeWords(of.end - of.start));
    };
    const FoundSlices::Lengths lengths = found->lengths();
    m_instances->setText(
        tr("%1 in the whole trace: the shortest %2, the median %3, the longest %4.")
            .arg(plural(found->count(), Noun::Slice), link(lengths.shortest), link(lengths.median),
                 link(lengths.longest)));
}

void ActivityTable::say(const QString& sentence)
{
    m_sentence->setText(sentence);
}

QString ActivityTable::sentence() const
{
    return m_sentence->text();
}

void ActivityTable::setSums(const ShownActivityPtr& activity, const ActivitySums& sums, bool whole)
{
    m_sentence->setText(sumsSentence(sums, whole));
    // What devices did first: annotations around everything say least.
    std::vector<NameSum> names = sums.names;
    std::stable_partition(names.begin(), names.end(),
                          [](const NameSum& sum) { return isDeviceWork(sum.kind); });
    const int rows = static_cast<int>(std::min<std::size_t>(names.size(), mostRows));
    const std::int32_t selected = selectedName();
    const QSignalBlocker quiet(m_table);
    m_table->clearSelection();
    m_table->setRowCount(rows);
    for (int row = 0; row < rows; ++row) {
        const NameSum& sum = names[static_cast<std::size_t>(row)];
        const Result<std::string> name = activity->source.name(sum.name);
        const QStringList cells = {name ? text(shortName(*name)) : QString(),
                                   activityText(sum.kind),
                                   text(groupedNumber(sum.count)),
                                   timeWords(sum.self),
                                   timeWords(sum.total),
                                   partText(sum.self, sums.whole())};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment(Qt::AlignVCenter |
                                   (column < 2 ? Qt::AlignLeft : Qt::AlignRight));
            if (column == 0) {
                item->setData(nameRole, sum.name);
                item->setToolTip(name ? text(*name) : QString());
            }
            if (column == 1) {
                QPixmap square(10, 10);
                square.fill(activityColor(sum.kind));
                item->setIcon(QIcon(square));
            }
            m_table->setItem(row, column, item);
        }
    }
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->scrollToTop();
    selectName(selected);
}

QString ActivityTable::cells() const
{
    QStringList lines;
    QStringList heads;
    for (int column = 0; column < m_table->columnCount(); ++column)
        heads += m_table->horizontalHeaderItem(column)->text();
    lines += heads.join(QLatin1Char('\t'));
    const QItemSelectionModel* selected = m_table->selectionModel();
    const bool some = selected != nullptr && selected->hasSelection();
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (some && !selected->isRowSelected(row))
            continue;
        QStringList line;
        for (int column = 0; column < m_table->columnCount(); ++column) {
            const QTableWidgetItem& item = *m_table->item(row, column);
            line += (column == 0 ? item.toolTip() : item.text())
                        .replace(QLatin1Char('\t'), QLatin1Char(' '));
        }
        lines += line.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

void ActivityTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(cells());
    else
        QWidget::keyPressEvent(event);
}

} // namespace pw::ui
