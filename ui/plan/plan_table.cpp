// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_table.h"

#include "core/base/text.h"
#include "core/plan/plan_words.h"
#include "core/plan/planned_families.h"
#include "ui/core_words.h"
#include "ui/panels/quiet_table.h"
#include "ui/text.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QLocale>
#include <QSignalBlocker>
#include <QTableWidget>

#include <array>
#include <cmath>

namespace pw::ui {

namespace {

struct PlanWords
{
    Q_DECLARE_TR_FUNCTIONS(PlanPage)
};

struct PlanColumn
{
    const char* title;
    const char* sample; ///< as wide as the column has to be; null: families
    bool number;
    const char* tip;
};

constexpr std::array<PlanColumn, 15> planColumns = {{
    {QT_TRANSLATE_NOOP("PlanPage", "family"), nullptr, false, ""}, // the longest that is tried
    {QT_TRANSLATE_NOOP("PlanPage", "degrees"), "pp16 tp8 dp16 cp2", false,
     QT_TRANSLATE_NOOP("PlanPage", "Pipeline, tensor, data, context and expert parallel")},
    {QT_TRANSLATE_NOOP("PlanPage", "size"), "size", true,
     QT_TRANSLATE_NOOP("PlanPage", "Samples of a micro-batch")},
    {QT_TRANSLATE_NOOP("PlanPage", "m"), "0000", true,
     QT_TRANSLATE_NOOP("PlanPage", "Micro-batches of a replica")},
    {QT_TRANSLATE_NOOP("PlanPage", "v"), "00", true,
     QT_TRANSLATE_NOOP("PlanPage", "Chunks of a device")},
    {QT_TRANSLATE_NOOP("PlanPage", "recompute"), "selective", false, ""},
    {QT_TRANSLATE_NOOP("PlanPage", "iteration"), "000000.0 ms", true, ""},
    {QT_TRANSLATE_NOOP("PlanPage", "tokens/s"), "00,000,000", true, ""},
    {QT_TRANSLATE_NOOP("PlanPage", "MFU"), "00.0 %", true,
     QT_TRANSLATE_NOOP("PlanPage", "The model's operations over what the devices' peak would do")},
    {QT_TRANSLATE_NOOP("PlanPage", "peak"), "000.0 GiB", true,
     QT_TRANSLATE_NOOP("PlanPage", "Memory of the fullest device")},
    {QT_TRANSLATE_NOOP("PlanPage", "bubble"), "00.0 %", true,
     QT_TRANSLATE_NOOP("PlanPage", "Idle part of the pipeline's time, over all devices")},
    {QT_TRANSLATE_NOOP("PlanPage", "comm."), "00.0 %", true,
     QT_TRANSLATE_NOOP("PlanPage", "Messages and collectives of the busiest device")},
    {QT_TRANSLATE_NOOP("PlanPage", "why not"), "12.3 % slower: tensor collectives +1234 ms", false,
     ""},
    {QT_TRANSLATE_NOOP("PlanPage", "engines"), "Megatron-LM, Galvatron", false,
     QT_TRANSLATE_NOOP("PlanPage", "That make this order themselves; PyTorch takes any")},
    {QT_TRANSLATE_NOOP("PlanPage", "layers"), "10×7 9 10×6", false,
     QT_TRANSLATE_NOOP("PlanPage", "Layers of the stages, equal neighbours together")},
}};

/// The engines that make the order of a family.
QString enginesText(const std::string& id)
{
    QStringList engines;
    if (const auto family = findFamily(id); family)
        for (const EngineName& one : (*family)->engines)
            engines << text(one.engine);
    return engines.join(QStringLiteral(", "));
}

QString fixed(double value, int decimals)
{
    return QLocale::c().toString(value, 'f', decimals);
}

} // namespace

void makePlanTable(QTableWidget& table)
{
    table.setColumnCount(static_cast<int>(planColumns.size()));
    table.setAccessibleName(PlanWords::tr("Plans"));
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    makeQuiet(table);
    const QFontMetrics metrics(table.font());
    for (std::size_t i = 0; i < planColumns.size(); ++i) {
        const PlanColumn& column = planColumns[i];
        const int at = static_cast<int>(i);
        const QString title = PlanWords::tr(column.title);
        auto* head = new QTableWidgetItem(title);
        head->setTextAlignment((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        if (*column.tip != 0)
            head->setToolTip(PlanWords::tr(column.tip));
        table.setHorizontalHeaderItem(at, head);
        QStringList samples = {title};
        if (column.sample != nullptr)
            samples << QString::fromUtf8(column.sample);
        else
            for (const std::string_view family : plan::plannedFamilies())
                samples << text(family);
        int width = 0;
        for (const QString& sample : samples)
            width = std::max(width, metrics.horizontalAdvance(sample));
        table.setColumnWidth(at, width + 28);
    }
    table.horizontalHeader()->setStretchLastSection(true);
}

void fillPlanTable(QTableWidget& table, const PlanAsked& asked,
                   const std::vector<plan::Evaluation>& rows)
{
    const QSignalBlocker block(&table);
    table.setRowCount(static_cast<int>(rows.size()));
    constexpr double mostShown = 4e18;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const plan::Evaluation& row = rows[i];
        const plan::Configuration& c = row.configuration;
        const QStringList cells = {
            text(c.family),
            text(plan::degreesText(c)),
            QString::number(c.microBatchSize),
            QString::number(c.microBatches()),
            QString::number(c.chunks),
            c.offload == plan::OffloadPolicy::None
                ? text(name(c.recompute))
                : PlanWords::tr("%1, offload %2")
                      .arg(text(name(c.recompute)), text(name(c.offload))),
            fixed(1000 * row.seconds(), 1) + PlanWords::tr(" ms"),
            text(groupedNumber(static_cast<std::int64_t>(
                std::min(plan::tokensPerSecond(asked.model, row), mostShown)))),
            fixed(100 * plan::modelUtilisation(asked.model, asked.cluster, row), 1) +
                QStringLiteral(" %"),
            fixed(row.peakBytes() / plan::gibibyte, 1) + PlanWords::tr(" GiB"),
            fixed(100 * row.bubble, 1) + QStringLiteral(" %"),
            fixed(100 * row.exposedCommunication / row.seconds(), 1) + QStringLiteral(" %"),
            coreWords(plan::reasonText(row, rows.front())),
            enginesText(c.family),
            text(plan::placedSplitText(asked.cluster, c))};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            const bool number = planColumns[static_cast<std::size_t>(column)].number;
            item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            if (!number)
                item->setToolTip(cells[column]);
            table.setItem(static_cast<int>(i), column, item);
        }
    }
}

} // namespace pw::ui
