// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/problems_panel.h"

#include "core/base/text.h"
#include "core/sim/memory.h"
#include "ui/core_sentences.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

/// What a schedule that runs holds above its caps; none where it stays within them.
std::optional<MemoryOverflow> overflowOf(const ScheduleDocument& document)
{
    return document.schedule() != nullptr
               ? firstOverflow(*document.schedule(), document.costs(), document.result())
               : std::nullopt;
}

} // namespace

void ProblemModel::show(const ScheduleDocument* document)
{
    beginResetModel();
    m_rows.clear();
    if (document != nullptr) {
        const DraftTimes& times = document->times();
        if (!times.ring.empty()) {
            const RingLink& first = times.ring.front();
            m_rows.push_back({first.device, -1, first.waiting, tr("ring"),
                              coreSentence(ringText(times.ring, document->draft().spec))});
        }
        const Problems& problems = document->problems();
        for (const Problem& one : problems.list) {
            const QString device = tr("device %1").arg(one.device);
            m_rows.push_back(
                {one.device, one.position, one.pass,
                 one.position < 0 ? device : tr("%1, entry %2").arg(device).arg(one.position),
                 coreSentence(one.text)});
        }
        const auto listed = static_cast<std::int64_t>(problems.list.size());
        if (problems.count > listed)
            m_rows.push_back({{},
                              -1,
                              {},
                              {},
                              tr("and %1 more").arg(text(groupedNumber(problems.count - listed)))});
        if (m_rows.empty() && !document->problem().isEmpty())
            m_rows.push_back({{}, -1, {}, tr("family"), document->problem()});
        if (const auto over = overflowOf(*document))
            m_rows.push_back({over->device, -1, over->pass, tr("memory"),
                              coreSentence(over->text(document->draft().spec))});
    }
    endResetModel();
}

SpanRef ProblemModel::spanOf(int row, const ScheduleDocument& document) const
{
    const Row& one = m_rows[static_cast<std::size_t>(row)];
    if (one.position >= 0)
        return {one.device, one.position};
    const auto& orders = document.draft().orders;
    if (!one.device.valid() || one.device.index() >= orders.size())
        return {};
    const auto& order = orders[one.device.index()];
    SpanRef nearest;
    bool sameStage = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        if (order[i].pass == one.pass)
            return {one.device, at};
        if (order[i].pass.microBatch != one.pass.microBatch)
            continue;
        const bool same = order[i].pass.stage == one.pass.stage;
        if (same || !sameStage)
            nearest = {one.device, at};
        sameStage = sameStage || same;
    }
    return nearest;
}

int ProblemModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ProblemModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columnCount_;
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Where ? row.where : row.what;
    case Qt::ToolTipRole:
        return row.what;
    case Qt::AccessibleTextRole:
        return row.where.isEmpty() ? row.what : QStringLiteral("%1: %2").arg(row.where, row.what);
    default:
        return {};
    }
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Where ? tr("Place") : tr("What is wrong");
}

ProblemsPanel::ProblemsPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new ProblemModel(this))
    , m_none(new QLabel(this))
    , m_list(new QTreeView(this))
{
    m_none->setContentsMargins(14, 8, 14, 8);
    m_none->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_none->setForegroundRole(QPalette::PlaceholderText);
    m_none->setWordWrap(true);
    m_list->setModel(m_model);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Problems"));
    m_list->header()->setStretchLastSection(true);
    m_list->setColumnWidth(ProblemModel::Where,
                           m_list->fontMetrics().horizontalAdvance(QLatin1Char('0')) * 22);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_none);
    layout->addWidget(m_list);
    connect(m_list, &QTreeView::clicked, this,
            [this](const QModelIndex& index) { choose(index.row()); });
    connect(m_list, &QTreeView::activated, this,
            [this](const QModelIndex& index) { choose(index.row()); });
    setFocusProxy(m_list);
    showProblems();
}

void ProblemsPanel::setDocument(ScheduleDocument* document)
{
    disconnect(m_connection);
    m_document = document;
    if (document != nullptr)
        m_connection =
            connect(document, &ScheduleDocument::resultChanged, this, &ProblemsPanel::showProblems);
    showProblems();
}

void ProblemsPanel::showProblems()
{
    m_model->show(m_document);
    const bool none = m_model->rowCount() == 0;
    m_none->setText(m_document ? tr("None. Every pass has its place.")
                               : tr("No schedule is open."));
    m_none->setVisible(none);
    m_list->setVisible(!none);
}

void ProblemsPanel::choose(int row)
{
    if (!m_document || row < 0 || row >= m_model->rowCount())
        return;
    const QModelIndex what = m_model->index(row, ProblemModel::What);
    Q_EMIT chosen(m_model->spanOf(row, *m_document), what.data().toString());
}

void ProblemsPanel::chooseNext()
{
    const int count = m_model->rowCount();
    if (count == 0) {
        Q_EMIT chosen({}, m_none->text());
        return;
    }
    const QModelIndex current = m_list->currentIndex();
    const int row = current.isValid() ? (current.row() + 1) % count : 0;
    m_list->setCurrentIndex(m_model->index(row, 0));
    choose(row);
}

} // namespace pw::ui
