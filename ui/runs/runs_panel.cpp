// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/runs_panel.h"

#include "ui/document/schedule_document.h"
#include "ui/panels/quiet_table.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/runs/kept_notes.h"
#include "ui/runs/run_history.h"
#include "ui/runs/run_model.h"

#include <QAction>
#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

QToolButton* buttonOf(QAction* action, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setAutoRaise(true);
    button->setMinimumHeight(std::max(24, button->fontMetrics().height() + 10));
    return button;
}

QString numbersText(const std::vector<KeptNumber>& kept)
{
    if (kept.size() == 1)
        return kept.front() < 0 ? QStringLiteral("a%1").arg(-kept.front())
                                : RunsPanel::tr("run %1").arg(static_cast<qlonglong>(kept.front()));
    const bool runs =
        std::all_of(kept.begin(), kept.end(), [](KeptNumber number) { return number > 0; });
    return runs ? plural(static_cast<qint64>(kept.size()), Noun::Run)
                : RunsPanel::tr("%1 kept rows").arg(kept.size());
}

} // namespace

RunsPanel::RunsPanel(RunHistory& history, QWidget* parent)
    : QWidget(parent)
    , m_history(history)
    , m_model(new RunModel(this))
    , m_filter(new RunFilter(this))
    , m_search(new QLineEdit(this))
    , m_table(new QTableView(this))
    , m_pages(new QStackedWidget(this))
    , m_empty(new QLabel(this))
    , m_where(new QLabel(this))
    , m_emptyStore(new QToolButton(this))
    , m_undoBar(new QWidget(this))
    , m_undoText(new QLabel(this))
    , m_problemBar(new QWidget(this))
    , m_problemText(new QLabel(this))
    , m_notes(new KeptNotes(history, this))
{
    m_filter->setSourceModel(m_model);
    m_search->setPlaceholderText(tr("Search runs"));
    m_search->setAccessibleName(tr("Search runs"));
    m_search->setToolTip(tr("Words in title, notes, family, host, backend or status"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_table->setModel(m_filter);
    m_table->setAccessibleName(tr("Runs"));
    makeQuiet(*m_table);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunModel::Number, Qt::DescendingOrder);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->installEventFilter(this);
    m_table->horizontalHeader()->setSectionsMovable(true);
    // How a run ended is seen without scrolling.
    m_table->horizontalHeader()->moveSection(RunModel::Status, RunModel::Title + 1);
    makeActions();
    makeLayout();
    sizeColumns();

    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_filter->setWords(words);
        showEmptiness();
    });
    connect(m_table, &QTableView::doubleClicked, this, [this] { openSelected(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RunsPanel::showSelection);
    connect(m_model, &RunModel::renameAsked, this,
            [this](qint64 number, const QString& title) { m_history.rename(number, title); });
    connect(&m_history, &RunHistory::changed, this, &RunsPanel::showHistory);
    showHistory();
}

RunsPanel::~RunsPanel() = default;

QAction* RunsPanel::makeAction(const QString& text, const QKeySequence& keys,
                               void (RunsPanel::*run)())
{
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, run);
    m_table->addAction(action);
    return action;
}

void RunsPanel::makeActions()
{
    m_open = makeAction(tr("Open"), {}, &RunsPanel::openSelected);
    m_compare = makeAction(tr("Compare with plan"), {}, &RunsPanel::compareSelected);
    m_project = new QAction(tr("Open its schedule"), this);
    m_project->setToolTip(tr("Opens the schedule that was run as a new tab."));
    connect(m_project, &QAction::triggered, this, [this] {
        for (const RunNumber number : selectedRuns())
            Q_EMIT projectAsked(number);
    });
    m_table->addAction(m_project);
    m_rename = makeAction(tr("Rename"), QKeySequence(Qt::Key_F2), &RunsPanel::renameSelected);
    m_delete = makeAction(tr("Delete"), QKeySequence::Delete, &RunsPanel::deleteSelected);
}

QWidget* RunsPanel::makeEmptyState()
{
    auto* page = new QWidget(this);
    for (QLabel* label : {m_empty, m_where}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_where->setForegroundRole(QPalette::PlaceholderText);
    m_emptyStore->setText(tr("Choose another store…"));
    m_emptyStore->setMinimumHeight(std::max(24, fontMetrics().height() + 10));
    connect(m_emptyStore, &QToolButton::clicked, this, [this] { Q_EMIT storeAsked(false); });
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->addWidget(m_empty);
    layout->addWidget(m_where);
    layout->addWidget(m_emptyStore, 0, Qt::AlignLeft);
    layout->addStretch();
    return page;
}

void RunsPanel::makeLayout()
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 4, 8, 4);
    row->setSpacing(4);
    m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 36);
    row->addWidget(m_search, 1);
    row->addStretch(0);
    for (QAction* action : {m_open, m_compare, m_rename, m_delete})
        row->addWidget(buttonOf(action, this));
    auto* more = new QToolButton(this);
    more->setText(tr("Store"));
    more->setToolTip(tr("The file that runs are kept in"));
    more->setAutoRaise(true);
    more->setPopupMode(QToolButton::InstantPopup);
    more->setMinimumHeight(std::max(24, fontMetrics().height() + 10));
    auto* menu = new QMenu(more);
    menu->addAction(tr("Choose another store…"), this, [this] { Q_EMIT storeAsked(false); });
    menu->addAction(tr("Store of the command line"), this, [this] { Q_EMIT storeAsked(true); });
    menu->addSeparator();
    menu->addAction(tr("Look again"), this, [this] { m_history.refresh(); });
    connect(menu, &QMenu::aboutToShow, more,
            [this, more] { more->setToolTip(QDir::toNativeSeparators(m_history.path())); });
    more->setMenu(menu);
    row->addWidget(more);

    const auto bar = [this](QWidget* holder, QLabel* label, const QString& action, auto slot) {
        auto* line = new QHBoxLayout(holder);
        line->setContentsMargins(12, 2, 8, 2);
        label->setWordWrap(true);
        auto* button = new QToolButton(holder);
        button->setText(action);
        button->setMinimumHeight(std::max(24, fontMetrics().height() + 10));
        connect(button, &QToolButton::clicked, this, slot);
        line->addWidget(label);
        line->addWidget(button);
        line->addStretch(1);
        holder->hide();
        return button;
    };
    bar(m_undoBar, m_undoText, tr("Undo"), [this] {
        m_history.undoRemove();
    })->setObjectName(QStringLiteral("undo-delete"));
    bar(m_problemBar, m_problemText, tr("Look again"), [this] { m_history.refresh(); });
    static_cast<QHBoxLayout*>(m_problemBar->layout())->setStretchFactor(m_problemText, 1);

    auto* split = new QSplitter(Qt::Horizontal, this);
    split->setChildrenCollapsible(true);
    split->addWidget(m_table);
    split->addWidget(m_notes);
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 1);
    m_pages->addWidget(split);
    // In a low window the sentence is scrolled rather than that its lines run into each other.
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(makeEmptyState());
    m_pages->addWidget(scroll);
    m_pages->setMinimumHeight(28);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(m_undoBar);
    layout->addWidget(m_problemBar);
    layout->addWidget(m_pages, 1);
}

void RunsPanel::sizeColumns()
{
    QHeaderView* header = m_table->horizontalHeader();
    const int character = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    const int padding = 12 + character;
    const std::pair<int, int> widths[] = {{RunModel::Number, 6},   {RunModel::Title, 16},
                                          {RunModel::Backend, 18}, {RunModel::Predicted, 9},
                                          {RunModel::Measured, 9}, {RunModel::OffBy, 7},
                                          {RunModel::Bubble, 11},  {RunModel::Peak, 9},
                                          {RunModel::When, 15},    {RunModel::Status, 10}};
    // Headings are longer than what stands below them in some languages.
    for (const auto& [column, characters] : widths)
        header->resizeSection(
            column, std::max(characters * character + padding, header->sectionSizeHint(column)));
    header->setStretchLastSection(true);
    m_table->verticalHeader()->setDefaultSectionSize(std::max(24, fontMetrics().height() + 8));
}

QSize RunsPanel::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 100, fontMetrics().height() * 12};
}

void RunsPanel::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

std::vector<RunNumber> RunsPanel::selectedRuns() const
{
    std::vector<RunNumber> runs = selected();
    std::erase_if(runs, [](KeptNumber number) { return number < 0; });
    return runs;
}

std::vector<KeptNumber> RunsPanel::selected() const
{
    std::vector<KeptNumber> numbers;
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    for (const QModelIndex& row : rows)
        numbers.push_back(row.data(RunModel::NumberRole).toLongLong());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

void RunsPanel::showRun(KeptNumber number)
{
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        const QModelIndex index = m_filter->index(row, 0);
        if (index.data(RunModel::NumberRole).toLongLong() != number)
            continue;
        m_table->selectRow(row);
        m_table->scrollTo(index);
        return;
    }
}

void RunsPanel::openSelected()
{
    for (const KeptNumber number : selected()) {
        if (number < 0)
            Q_EMIT answerAsked(-number);
        else
            Q_EMIT openAsked(number);
    }
}

void RunsPanel::compareSelected()
{
    if (const std::vector<RunNumber> numbers = selectedRuns(); !numbers.empty())
        Q_EMIT compareAsked(numbers);
}

void RunsPanel::renameSelected()
{
    const QModelIndex row = m_table->currentIndex();
    if (row.isValid())
        m_table->edit(row.siblingAtColumn(RunModel::Title));
}

void RunsPanel::deleteSelected()
{
    m_history.remove(selected());
}

void RunsPanel::showHistory()
{
    m_model->setRuns(m_history.runs(), m_history.answers());
    widen(*m_table, {RunModel::Predicted, RunModel::Measured, RunModel::OffBy, RunModel::Bubble,
                     RunModel::Peak, RunModel::Status});
    const std::vector<KeptNumber> removed = m_history.lastRemoved();
    m_undoBar->setVisible(!removed.empty());
    if (!removed.empty())
        m_undoText->setText(tr("Deleted %1.").arg(numbersText(removed)));
    showEmptiness();
    showSelection();
}

void RunsPanel::showEmptiness()
{
    const QString problem = m_history.problem();
    const bool none = m_history.runs().empty() && m_history.answers().empty();
    m_problemBar->setVisible(!problem.isEmpty() && !none);
    m_problemText->setText(problem);
    setInk(m_problemText, Role::Refusal);
    setInk(m_empty, problem.isEmpty() ? Role::Text : Role::Refusal);
    m_emptyStore->setVisible(!problem.isEmpty());
    m_where->setVisible(m_history.answered());
    m_where->setText(tr("Store: %1").arg(QDir::toNativeSeparators(m_history.path())));
    if (!problem.isEmpty())
        m_empty->setText(tr("The runs cannot be shown: %1").arg(problem));
    else if (!m_history.answered())
        m_empty->setText(tr("Reading the runs…"));
    else if (none)
        m_empty->setText(
            tr("No run yet. Open a schedule and press “Run” at the right end of the tool bar: the "
               "run is kept here with every pass, message and loss, and can be laid over its "
               "plan. What “pipewright run” does on the command line comes here too."));
    else
        m_empty->setText(tr("No run has these words."));
    m_pages->setCurrentIndex(none || m_filter->rowCount() == 0 ? 1 : 0);
}

void RunsPanel::showSelection()
{
    const std::vector<KeptNumber> numbers = selected();
    const std::size_t runs = selectedRuns().size();
    const QString none = tr("Select a run first.");
    const bool any = !numbers.empty();
    m_compare->setText(runs > 1 ? tr("Compare %1 runs").arg(runs) : tr("Compare with plan"));
    for (const auto& [action, tip] :
         {std::pair{m_open, tr("Shows the run as a timeline, what was kept on its page (Enter).")},
          std::pair{m_compare,
                    tr("One run is laid over its plan, several are laid over each other.")},
          std::pair{m_rename, tr("Gives the run another title (F2).")},
          std::pair{m_delete, tr("Deletes the runs (Del); this can be undone.")}}) {
        const bool can = action == m_compare ? runs > 0 : any;
        action->setEnabled(can);
        action->setToolTip(can ? tip : none);
    }
    m_project->setEnabled(runs > 0);

    const KeptNumber shown = numbers.size() == 1 ? numbers.front() : 0;
    m_notes->showNotes(shown, numbersText({shown}));
}

void RunsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_history.refresh();
    m_history.setWatching(true);
}

void RunsPanel::hideEvent(QHideEvent* event)
{
    m_notes->keep();
    m_history.setWatching(false);
    QWidget::hideEvent(event);
}

void RunsPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        sizeColumns();
    QWidget::changeEvent(event);
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (watched == m_table && enter && !selected().empty()) {
            openSelected();
            return true;
        }
        if (watched == m_search && (enter || key == Qt::Key_Down) && m_filter->rowCount() > 0) {
            m_table->selectRow(0);
            m_table->setFocus(Qt::OtherFocusReason);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace pw::ui
