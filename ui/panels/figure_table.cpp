// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/figure_table.h"

#include "core/base/text.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/quiet_table.h"
#include "ui/presentation.h"
#include "ui/timeline/value_text.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

/// A number of the core with a minus sign in the place of a hyphen.
QString signedText(const std::string& number)
{
    return text(number).replace(QLatin1Char('-'), QChar(0x2212));
}

/// "−0.12 ms … 0.34 ms"; a side that nothing bounds is open.
QString bandText(const ClockBand& clock)
{
    const auto side = [](const std::optional<Ticks>& time) {
        return time ? signedText(timeText(*time)) : FigureTable::tr("open");
    };
    return QStringLiteral("%1 … %2").arg(side(clock.low), side(clock.high));
}

} // namespace

FigureTable::FigureTable(const QStringList& heads, int texts, QWidget* parent)
    : QTableWidget(0, static_cast<int>(heads.size()), parent)
{
    setHorizontalHeaderLabels(heads);
    makeQuiet(*this);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setToolTip(tr("Ctrl+C copies the chosen rows, or all."));
    for (int column = 0; column < columnCount(); ++column)
        horizontalHeaderItem(column)->setTextAlignment(
            Qt::AlignVCenter | (column < texts ? Qt::AlignLeft : Qt::AlignRight));
}

void FigureTable::append(const QStringList& cells)
{
    const int row = rowCount();
    insertRow(row);
    for (int column = 0; column < cells.size(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        item->setTextAlignment(
            static_cast<Qt::AlignmentFlag>(horizontalHeaderItem(column)->textAlignment()));
        setItem(row, column, item);
    }
}

QString FigureTable::copied() const
{
    QStringList lines;
    QStringList heads;
    for (int column = 0; column < columnCount(); ++column)
        heads += horizontalHeaderItem(column)->text();
    lines += heads.join(QLatin1Char('\t'));
    const QItemSelectionModel& chosen = *selectionModel();
    for (int row = 0; row < rowCount(); ++row) {
        if (chosen.hasSelection() && !chosen.isRowSelected(row, {}))
            continue;
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column)
            cells += item(row, column) != nullptr ? item(row, column)->text() : QString();
        lines += cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void FigureTable::copy() const
{
    QApplication::clipboard()->setText(copied());
}

void FigureTable::fit()
{
    resizeColumnsToContents();
}

void FigureTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
        event->accept();
        return;
    }
    QTableWidget::keyPressEvent(event);
}

FigureTable* accountTable(const Account& account, const QStringList& ranks, QWidget* parent)
{
    const auto total = account.parts();
    std::vector<LossCause> causes;
    QStringList heads = {FigureTable::tr("Rank")};
    Ticks largest = account.wall;
    for (const LossCause cause : allLossCauses)
        if (total[static_cast<std::size_t>(cause)] > 0 || cause == LossCause::Unexplained) {
            causes.push_back(cause);
            heads += coreWords(name(cause));
        }
    heads += FigureTable::tr("wall time");
    const Unit unit = timeUnit(largest);
    for (int column = 1; column < heads.size(); ++column)
        heads[column] += QStringLiteral(", ") + text(unit.name);
    auto* table = new FigureTable(heads, 1, parent);
    table->setAccessibleName(FigureTable::tr("Lost time of each rank by cause"));
    // To the nanosecond, so that the cells of a row sum to its last one exactly.
    const int decimals = static_cast<int>(std::lround(std::log10(unit.size)));
    const auto exact = [&unit, decimals](Ticks time) {
        return time == 0 ? QStringLiteral("0")
                         : QString::number(static_cast<double>(time) / unit.size, 'f', decimals);
    };
    const auto row = [&](const QString& who, const std::array<Ticks, lossCauseCount>& parts,
                         Ticks wall) {
        QStringList cells = {who};
        for (const LossCause cause : causes)
            cells += exact(parts[static_cast<std::size_t>(cause)]);
        cells += exact(wall);
        table->append(cells);
    };
    for (std::size_t device = 0; device < account.ranks.size(); ++device)
        row(ranks.value(static_cast<qsizetype>(device)), account.ranks[device].parts, account.wall);
    if (account.ranks.size() > 1)
        row(FigureTable::tr("all"), total, account.wall * static_cast<Ticks>(account.ranks.size()));
    table->fit();
    return table;
}

template<typename Of>
FigureTable* transfersTable(const std::vector<Transfers<Of>>& transfers, const QStringList& ranks,
                            QWidget* parent)
{
    auto* table = new FigureTable({FigureTable::tr("Rank"), FigureTable::tr("Messages"),
                                   FigureTable::tr("Waiting"), FigureTable::tr("Transfer"),
                                   FigureTable::tr("After"), FigureTable::tr("Communication"),
                                   FigureTable::tr("Exposed"), FigureTable::tr("Hidden")},
                                  1, parent);
    table->setAccessibleName(FigureTable::tr("Messages of each rank"));
    const char* tips[] = {
        QT_TRANSLATE_NOOP("pw::ui::FigureTable",
                          "Sums over the messages, until the later side was there."),
        QT_TRANSLATE_NOOP("pw::ui::FigureTable",
                          "Sums over the messages, while both sides were there."),
        QT_TRANSLATE_NOOP("pw::ui::FigureTable",
                          "Sums over the messages, behind the end of the other side."),
        QT_TRANSLATE_NOOP(
            "pw::ui::FigureTable",
            "Time with at least one transfer under way; messages at once count once."),
        QT_TRANSLATE_NOOP("pw::ui::FigureTable", "Of that, without a pass on the rank."),
        QT_TRANSLATE_NOOP("pw::ui::FigureTable", "Of that, behind a pass of the rank.")};
    for (int i = 0; i < 6; ++i)
        table->horizontalHeaderItem(i + 2)->setToolTip(FigureTable::tr(tips[i]));
    for (const Transfers<Of>& one : transfers) {
        const auto share = [&one](Ticks time) {
            const double whole = static_cast<double>(one.exposure.total());
            return columnTimeText(time) + (whole > 0 ? QStringLiteral(" (%1)").arg(percentText(
                                                           static_cast<double>(time) / whole))
                                                     : QString());
        };
        table->append({ranks.value(one.of), text(groupedNumber(one.count)),
                       columnTimeText(one.time.waiting), columnTimeText(one.time.transfer),
                       columnTimeText(one.time.after), columnTimeText(one.exposure.total()),
                       share(one.exposure.exposed), share(one.exposure.hidden)});
    }
    table->fit();
    return table;
}

template FigureTable* transfersTable(const std::vector<RankTransfers>&, const QStringList&,
                                     QWidget*);
template FigureTable* transfersTable(const std::vector<DeviceTransfers>&, const QStringList&,
                                     QWidget*);

QWidget* clocksPage(const AlignedClocks& clocks, const QStringList& ranks, QWidget* parent)
{
    auto* page = new QWidget(parent);
    QString words = text(clocks.text);
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    words += clocks.outcome == ClockOutcome::Shifted
                 ? FigureTable::tr(". All times are shown as shifted.")
                 : QStringLiteral(".");
    auto* sentence = new QLabel(words, page);
    sentence->setWordWrap(true);
    sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    sentence->setContentsMargins(0, page->fontMetrics().height() / 2, 0, 0);
    if (clocks.outcome == ClockOutcome::Unsolvable)
        setInk(sentence, Role::Refusal);
    auto* table =
        new FigureTable({FigureTable::tr("Rank"), FigureTable::tr("Shift at its first time"),
                         FigureTable::tr("Can be"), FigureTable::tr("Shift at its last time"),
                         FigureTable::tr("Can be"), FigureTable::tr("Drift, ppm")},
                        1, page);
    table->setAccessibleName(FigureTable::tr("Clocks of the ranks"));
    constexpr int digits = 4;
    for (std::size_t device = 0; device < clocks.ranks.size(); ++device) {
        const RankClock& clock = clocks.ranks[device];
        // All are held against the first.
        const auto band = [device](const ClockBand& one) {
            return device == 0 ? QStringLiteral("–") : bandText(one);
        };
        table->append({ranks.value(static_cast<qsizetype>(device)), shiftText(clock.atFirst.value),
                       band(clock.atFirst), shiftText(clock.atLast.value), band(clock.atLast),
                       signedText(plainNumber(clock.drift, digits))});
    }
    table->fit();
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(sentence);
    layout->addWidget(table, 1);
    return page;
}

} // namespace pw::ui
