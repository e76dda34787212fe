// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/number_table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStyledItemDelegate>

namespace pw::ui {

namespace {

/// Edits a number as text, so that what cannot be is refused with a reason and not swallowed.
class NumberDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&,
                          const QModelIndex& index) const override
    {
        auto* editor = new QLineEdit(parent);
        editor->setAlignment(Qt::AlignRight);
        editor->setFrame(false);
        editor->setAccessibleName(index.data(Qt::AccessibleDescriptionRole).toString());
        return editor;
    }
};

} // namespace

NumberTableView::NumberTableView(NumberTable& table, QWidget* parent)
    : QTableView(parent)
    , m_table(table)
{
    setModel(&table);
    setItemDelegate(new NumberDelegate(this));
    setSelectionMode(QAbstractItemView::ContiguousSelection);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                    QAbstractItemView::AnyKeyPressed);
    setAlternatingRowColors(false);
    setShowGrid(true);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false);
    const QFontMetrics metrics(font());
    horizontalHeader()->setDefaultSectionSize(
        metrics.horizontalAdvance(QStringLiteral("0000000.00")));
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->setHighlightSections(false);
    verticalHeader()->setDefaultSectionSize(std::max(24, metrics.height() + 8));
    verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setCurrentIndex(table.index(0, 0));
}

QModelIndexList NumberTableView::cells() const
{
    return selectionModel()->selectedIndexes();
}

void NumberTableView::copy()
{
    QApplication::clipboard()->setText(m_table.copy(cells()));
}

void NumberTableView::paste()
{
    QModelIndex at = currentIndex();
    const QModelIndexList chosen = cells();
    for (const QModelIndex& index : chosen)
        if (index.row() <= at.row() && index.column() <= at.column())
            at = index;
    const QString over = m_table.paste(at, QApplication::clipboard()->text());
    Q_EMIT told(over);
}

void NumberTableView::fillDown()
{
    m_table.fillDown(cells());
}

void NumberTableView::keyPressEvent(QKeyEvent* event)
{
    // Enter in the editor comes here, too, before it is closed.
    if (state() == QAbstractItemView::EditingState)
        return QTableView::keyPressEvent(event);
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->matches(QKeySequence::Paste))
        paste();
    else if (event->key() == Qt::Key_D && event->modifiers() == Qt::ControlModifier)
        fillDown();
    else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        m_table.clear(cells());
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        edit(currentIndex());
    else
        return QTableView::keyPressEvent(event);
    event->accept();
}

} // namespace pw::ui
