// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/trace_search.h"

#include "ui/plural.h"
#include "ui/traces/activity_table.h"
#include "ui/traces/activity_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>

namespace pw::ui {

TraceSearch::TraceSearch(ActivityView& view, ActivityTable& table, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
    , m_table(table)
    , m_field(new QLineEdit(this))
    , m_place(new QLabel(this))
{
    m_field->setObjectName(QStringLiteral("search"));
    m_field->setPlaceholderText(tr("Search names; /pattern/ for an expression; Enter: the next"));
    m_field->setClearButtonEnabled(true);
    m_field->installEventFilter(this);
    m_place->setObjectName(QStringLiteral("place"));
    m_place->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_field, 1);
    layout->addWidget(m_place, 1);
    setFocusProxy(m_field);
    connect(m_field, &QLineEdit::textChanged, this, &TraceSearch::search);
    // Back to the rows, whose keys then are keys again.
    new QShortcut(
        Qt::Key_Escape, m_field, this, [this] { m_view.setFocus(); }, Qt::WidgetShortcut);
    connect(&m_table, &ActivityTable::nameChosen, this, &TraceSearch::searchName);
    connect(&m_table, &ActivityTable::nextAsked, this, [this] { m_view.showNext(); });
    connect(&m_table, &ActivityTable::spanAsked, &m_view, &ActivityView::showSpan);
    connect(&m_view, &ActivityView::selectionChanged, this, &TraceSearch::showRow);
}

void TraceSearch::search(const QString& words)
{
    QString said = m_view.search(words);
    if (!m_keepsRow)
        m_table.selectName(-1);
    m_table.setFound(m_view.activity(), nullptr);
    const FoundSlices& found = m_view.found();
    if (said.isEmpty() && !words.isEmpty())
        said = found.count() == 0
                   ? tr("Nothing is called %1.").arg(words)
                   : tr("%1 of %2 names match.")
                         .arg(found.names())
                         .arg(m_view.activity() ? m_view.activity()->trace.names.size() : 0);
    showPlace();
    Q_EMIT told(said);
}

/// The row of a name leads to its slices: they are what is searched for.
void TraceSearch::searchName(std::int32_t name)
{
    // What is cleared says so before the name is searched for; what was typed stays until then.
    if (!m_field->text().isEmpty()) {
        if (name < 0)
            return;
        m_keepsRow = true;
        m_field->clear();
        m_keepsRow = false;
    }
    m_view.searchName(name);
    m_table.setFound(m_view.activity(), name < 0 ? nullptr : &m_view.found());
    showPlace();
}

/// Back from the lanes to the row of what is selected there, unless a search goes on.
void TraceSearch::showRow()
{
    const std::optional<ChosenSlice>& chosen = m_view.chosen();
    if (!m_view.found().isSearching())
        m_table.selectName(chosen && chosen->slice.count == 1 ? chosen->slice.name : -1);
    showPlace();
}

/// "3 of 42".
void TraceSearch::showPlace()
{
    const FoundSlices& found = m_view.found();
    if (!found.isSearching()) {
        m_place->clear();
        return;
    }
    const std::optional<ChosenSlice>& chosen = m_view.chosen();
    const std::int64_t place = chosen ? found.placeOf(*chosen) : -1;
    m_place->setText(found.count() == 0 ? tr("no match")
                     : place < 0        ? plural(found.count(), Noun::Slice)
                                        : tr("%1 of %2").arg(place + 1).arg(found.count()));
}

bool TraceSearch::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            showNext((key->modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void TraceSearch::showNext(int direction)
{
    if (!m_view.showNext(direction) && !m_field->text().isEmpty())
        Q_EMIT told(tr("Nothing is called %1.").arg(m_field->text()));
}

} // namespace pw::ui
