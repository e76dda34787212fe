// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/alternatives_table.h"

#include "ui/panels/quiet_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

QString columnKey(int column)
{
    return QStringLiteral("alternatives/column-%1").arg(column);
}

} // namespace

AlternativesTable::AlternativesTable(QWidget* parent)
    : QWidget(parent)
    , m_model(new AlternativesModel(this))
    , m_order(new AlternativesOrder(this))
    , m_filter(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_view(new QTableView(this))
    , m_wanted(AlternativesModel::Columns)
{
    for (int column = 0; column < AlternativesModel::Columns; ++column)
        m_wanted[static_cast<std::size_t>(column)] =
            QSettings().value(columnKey(column), true).toBool();
    m_order->setSourceModel(m_model);
    makeView();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(makeBar());
    layout->addWidget(m_view, 1);
    setFocusProxy(m_view);
    showColumns();
}

QWidget* AlternativesTable::makeBar()
{
    auto* bar = new QWidget(this);
    m_filter->setObjectName(QStringLiteral("alternatives-filter"));
    m_filter->setPlaceholderText(tr("Filter by words"));
    m_filter->setAccessibleName(tr("Filter the rows"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * 36);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_order->setWords(words);
        showCount();
    });
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* kinds = new QToolButton(bar);
    makeKinds(*kinds);
    auto* columns = new QToolButton(bar);
    makeColumns(*columns);
    auto* add = new QPushButton(tr("A&dd…"), bar);
    add->setObjectName(QStringLiteral("add-alternative"));
    add->setToolTip(tr("Adds open schedules, runs and the pinned schedule as rows."));
    connect(add, &QPushButton::clicked, this, &AlternativesTable::addRequested);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_filter, 1);
    row->addWidget(kinds);
    row->addWidget(columns);
    row->addWidget(m_count);
    row->addStretch(1);
    row->addWidget(add);
    return bar;
}

void AlternativesTable::makeKinds(QToolButton& button)
{
    button.setText(tr("Kinds"));
    button.setToolTip(tr("Which kinds of rows are shown."));
    button.setPopupMode(QToolButton::InstantPopup);
    button.setMinimumHeight(26);
    auto* menu = new QMenu(&button);
    for (int i = 0; i < alternativeKinds; ++i) {
        const auto kind = static_cast<AlternativeKind>(i);
        QAction* action = menu->addAction(kindWord(kind));
        action->setCheckable(true);
        action->setChecked(true);
        connect(action, &QAction::toggled, this, [this, kind](bool on) {
            m_order->setShown(kind, on);
            showCount();
        });
    }
    button.setMenu(menu);
}

void AlternativesTable::makeColumns(QToolButton& button)
{
    button.setText(tr("Columns"));
    button.setToolTip(tr("Which columns are shown."));
    button.setPopupMode(QToolButton::InstantPopup);
    button.setMinimumHeight(26);
    auto* menu = new QMenu(&button);
    for (int column = 1; column < AlternativesModel::Columns; ++column) {
        QAction* action = menu->addAction(
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(m_wanted[static_cast<std::size_t>(column)]);
        connect(action, &QAction::toggled, this, [this, column](bool on) {
            m_wanted[static_cast<std::size_t>(column)] = on;
            QSettings().setValue(columnKey(column), on);
            showColumns();
        });
    }
    button.setMenu(menu);
}

void AlternativesTable::makeView()
{
    m_view->setObjectName(QStringLiteral("alternatives"));
    m_view->setAccessibleName(tr("Alternatives"));
    m_view->setModel(m_order);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    makeQuiet(*m_view);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setSortingEnabled(true);
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->horizontalHeader()->setSortIndicatorClearable(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder);
    drawBars(*m_view);
    const QFontMetrics metrics(m_view->font());
    // For the numbers, and for the heading, which is longer in some languages.
    const auto wide = [&](int column, const char* sample) {
        const QString head =
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        m_view->setColumnWidth(column,
                               std::max(metrics.horizontalAdvance(QString::fromLatin1(sample)),
                                        metrics.horizontalAdvance(head)) +
                                   22);
    };
    wide(AlternativesModel::Name, "seq1f1b-interleaved, segments 4");
    wide(AlternativesModel::Kind, "plan of a run");
    wide(AlternativesModel::Time, "0000.00 ms");
    wide(AlternativesModel::Spread, "0000.00 ms");
    wide(AlternativesModel::Bubble, "00.00 %");
    wide(AlternativesModel::Peak, "0000.0 GiB");
    wide(AlternativesModel::Cap, "of the limit m");
    wide(AlternativesModel::Against, "against 1F1B ×00.00");
    m_view->horizontalHeader()->setStretchLastSection(true);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &AlternativesTable::noteSelection);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (m_filling || !now.isValid())
                    return;
                m_current = idAt(now);
                Q_EMIT currentChanged(m_current);
            });
    connect(m_view, &QTableView::activated, this,
            [this](const QModelIndex& index) { Q_EMIT activated(idAt(index)); });
}

void AlternativesTable::showColumns()
{
    for (int column = 0; column < AlternativesModel::Columns; ++column) {
        const bool empty = (column == AlternativesModel::Cap && !m_capped) ||
                           (column == AlternativesModel::Spread && !m_noisy) ||
                           (column == AlternativesModel::Against && !m_based);
        m_view->setColumnHidden(column, empty || !m_wanted[static_cast<std::size_t>(column)]);
    }
}

void AlternativesTable::showCount()
{
    const int shown = m_order->rowCount();
    const auto all = static_cast<int>(rows().size());
    m_count->setText(shown == all ? QString() : tr("%1 of %2 rows").arg(shown).arg(all));
}

void AlternativesTable::set(std::vector<Alternative> rows, const RankQuestion& question,
                            Ticks baseline)
{
    m_filling = true;
    m_capped = question.capBytes > 0 || question.capShare > 0;
    m_noisy = question.noise.has_value();
    m_based = baseline > 0;
    m_model->set(std::move(rows), question, baseline);
    // Rows that are worked out anew come again under their ids, and are chosen then.
    if (m_current == 0 && !this->rows().empty())
        m_current = this->rows().front().id;
    m_filling = false;
    showSelection();
    showColumns();
    showCount();
}

const Alternative* AlternativesTable::row(int id) const
{
    const auto found = std::find_if(rows().begin(), rows().end(),
                                    [id](const Alternative& one) { return one.id == id; });
    return found == rows().end() ? nullptr : &*found;
}

int AlternativesTable::idAt(const QModelIndex& index) const
{
    const int at = m_order->mapToSource(index).row();
    return rows()[static_cast<std::size_t>(at)].id;
}

QModelIndex AlternativesTable::indexOf(int id) const
{
    for (std::size_t i = 0; i < rows().size(); ++i)
        if (rows()[i].id == id)
            return m_order->mapFromSource(m_model->index(static_cast<int>(i), 0));
    return {};
}

void AlternativesTable::showSelection()
{
    m_filling = true;
    QItemSelection chosen;
    for (const int id : m_selected)
        if (const QModelIndex index = indexOf(id); index.isValid())
            chosen.select(index, index);
    QItemSelectionModel& selection = *m_view->selectionModel();
    selection.setCurrentIndex(indexOf(m_current), QItemSelectionModel::NoUpdate);
    selection.select(chosen, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_filling = false;
}

void AlternativesTable::noteSelection()
{
    if (m_filling)
        return;
    std::vector<int> now;
    const QModelIndexList chosen = m_view->selectionModel()->selectedRows();
    for (const QModelIndex& index : chosen)
        now.push_back(idAt(index));
    // Those that stay keep their places.
    std::vector<int> ordered;
    for (const int id : m_selected)
        if (std::find(now.begin(), now.end(), id) != now.end())
            ordered.push_back(id);
    for (const int id : now)
        if (std::find(ordered.begin(), ordered.end(), id) == ordered.end())
            ordered.push_back(id);
    m_selected = std::move(ordered);
    Q_EMIT selectionChanged();
}

void AlternativesTable::choose(int id, bool on)
{
    std::vector<int> ids = m_selected;
    std::erase(ids, id);
    if (on)
        ids.push_back(id);
    select(std::move(ids));
}

void AlternativesTable::select(std::vector<int> ids)
{
    if (ids == m_selected)
        return;
    m_selected = std::move(ids);
    showSelection();
    Q_EMIT selectionChanged();
}

void AlternativesTable::setCurrent(int id)
{
    if (id == m_current || row(id) == nullptr)
        return;
    m_current = id;
    m_selected = {id};
    showSelection();
    m_view->scrollTo(indexOf(id));
    Q_EMIT currentChanged(id);
    Q_EMIT selectionChanged();
}

} // namespace pw::ui
