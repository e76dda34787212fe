// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/proposal_table.h"

#include "core/base/text.h"
#include "ui/panels/quiet_table.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"
#include "ui/traces/keeping_bar.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int mostShownProposals = 2000;

QString kindText(const ProposedPass& one)
{
    QString kind = one.overlapped ? QStringLiteral("F+BW") : text(name(one.kind));
    if (one.microBatch >= 0)
        kind += QString::number(one.microBatch);
    return one.inside >= 0 ? QStringLiteral("   ") + kind : kind;
}

/// Numbers stand at the right of their column.
Qt::Alignment alignmentOf(int column)
{
    constexpr int evidence = 6;
    return Qt::AlignVCenter | (column == 0 || column == evidence ? Qt::AlignLeft : Qt::AlignRight);
}

} // namespace

ProposalTable::ProposalTable(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new QLabel(this))
    , m_table(new QTableWidget(0, 7, this))
    , m_sure(new QSpinBox(this))
    , m_accept(new QPushButton(tr("Accept"), this))
    , m_keep(new QPushButton(tr("Keep as a run"), this))
    , m_keeping(new KeepingBar(this))
{
    m_sentence->setObjectName(QStringLiteral("proposal"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setMargin(4);
    m_table->setObjectName(QStringLiteral("proposals"));
    m_table->setAccessibleName(tr("Passes proposed"));
    m_table->setHorizontalHeaderLabels({tr("pass"), tr("rank"), tr("from"), tr("time"), tr("stage"),
                                        tr("sure"), tr("what speaks for it")});
    makeQuiet(*m_table);
    m_table->horizontalHeader()->setStretchLastSection(true);
    for (int column = 0; column < m_table->columnCount(); ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(alignmentOf(column));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_sure->setObjectName(QStringLiteral("sure"));
    m_sure->setRange(0, 100);
    m_sure->setValue(50);
    m_sure->setSuffix(tr(" % sure at least"));
    m_accept->setObjectName(QStringLiteral("accept"));
    m_accept->setEnabled(false);
    m_accept->setToolTip(tr("Takes these proposals as passes: a row of their own, and colours."));
    m_keep->setObjectName(QStringLiteral("keepRun"));
    m_keep->setEnabled(false);
    m_keep->setToolTip(tr("Keeps the trace in the store, with these proposals as its passes, and "
                          "opens it. Where their order is complete it is a timeline beside its "
                          "plan, else the rows of the trace."));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->addWidget(m_sentence, 1);
    bar->addWidget(m_sure);
    bar->addWidget(m_accept);
    bar->addWidget(m_keep);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    m_keeping->setContentsMargins(8, 0, 8, 4);
    layout->addWidget(m_keeping);
    layout->addWidget(m_table, 1);
    connect(m_accept, &QPushButton::clicked, this, [this] {
        constexpr double percent = 100;
        Q_EMIT accepted(m_sure->value() / percent);
    });
    connect(m_keep, &QPushButton::clicked, this, [this] {
        constexpr double percent = 100;
        Q_EMIT keepAsked(m_sure->value() / percent);
    });
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row < 0 || static_cast<std::size_t>(row) >= m_proposal.passes.size())
            return;
        const ProposedPass& one = m_proposal.passes[static_cast<std::size_t>(row)];
        Q_EMIT chosen(one.start, one.end);
    });
}

void ProposalTable::setProposal(const ShownActivityPtr& activity, const PassProposal& proposal)
{
    const QSignalBlocker quiet(m_table);
    m_proposal = proposal;
    const int rows = std::min(static_cast<int>(proposal.passes.size()), mostShownProposals);
    m_table->clearSelection();
    m_table->setCurrentCell(-1, -1);
    m_table->setRowCount(rows);
    for (int row = 0; row < rows; ++row) {
        const ProposedPass& one = proposal.passes[static_cast<std::size_t>(row)];
        const std::int32_t number = activity->trace.ranks[one.rank.index()].number;
        QStringList evidence;
        for (const std::string& line : one.evidence)
            evidence += text(line);
        constexpr double percent = 100;
        const QStringList cells = {kindText(one),
                                   number < 0 ? QStringLiteral("?") : QString::number(number),
                                   durationText(static_cast<double>(one.start)),
                                   durationText(static_cast<double>(one.end - one.start)),
                                   one.stage < 0 ? QStringLiteral("?") : QString::number(one.stage),
                                   tr("%1 %").arg(qRound(one.confidence * percent)),
                                   evidence.join(QStringLiteral("; "))};
        for (int column = 0; column < static_cast<int>(cells.size()); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment(alignmentOf(column));
            if (column + 1 == static_cast<int>(cells.size()))
                item->setToolTip(QStringLiteral("<qt>%1</qt>")
                                     .arg(evidence.join(QLatin1Char('\n'))
                                              .toHtmlEscaped()
                                              .replace(QLatin1Char('\n'), QStringLiteral("<br>"))));
            m_table->setItem(row, column, item);
        }
    }
    m_table->resizeColumnsToContents();
    m_accept->setEnabled(rows > 0);
    m_keep->setEnabled(m_keeping->keeping() == nullptr);
    QStringList words;
    for (const std::string& note : proposal.notes)
        words += text(note);
    if (words.isEmpty())
        words += tr("nothing looks like a pass; drag over one and paint it");
    m_sentence->setText(words.join(QStringLiteral("; ")) + QLatin1Char('.'));
    QStringList unknown;
    for (const std::string& line : proposal.unknown)
        unknown += text(line);
    m_sentence->setToolTip(unknown.isEmpty()
                               ? QString()
                               : tr("<qt>Not known:<br>%1</qt>")
                                     .arg(unknown.join(QLatin1Char('\n'))
                                              .toHtmlEscaped()
                                              .replace(QLatin1Char('\n'), QStringLiteral("<br>"))));
}

void ProposalTable::setKeeping(TraceKeeping* keeping)
{
    m_keep->setEnabled(keeping == nullptr);
    m_keeping->follow(keeping);
}

void ProposalTable::say(const QString& sentence)
{
    m_sentence->setText(sentence);
}

QString ProposalTable::sentence() const
{
    return m_sentence->text();
}

} // namespace pw::ui
