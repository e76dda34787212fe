// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/help/manual_window.h"

#include "ui/help/manual_view.h"
#include "ui/plural.h"
#include "ui/presentation.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

QToolButton* trailButton(QWidget* parent, Qt::ArrowType arrow, const QString& words,
                         const QKeySequence& keys)
{
    auto* button = new QToolButton(parent);
    button->setArrowType(arrow);
    button->setAutoRaise(true);
    button->setShortcut(keys);
    button->setToolTip(
        QStringLiteral("%1 (%2)").arg(words, keys.toString(QKeySequence::NativeText)));
    button->setAccessibleName(words);
    return button;
}

} // namespace

ManualWindow::ManualWindow(QWidget* parent)
    : QDialog(parent)
    , m_pages(helpPages())
    , m_words(new QLineEdit(this))
    , m_list(new QListWidget(this))
    , m_view(new ManualView(this))
    , m_told(new QLabel(this))
    , m_back(trailButton(this, Qt::LeftArrow, tr("Back"), QKeySequence(tr("Alt+Left"))))
    , m_forward(trailButton(this, Qt::RightArrow, tr("Forward"), QKeySequence(tr("Alt+Right"))))
{
    setObjectName(QStringLiteral("manual"));
    setWindowTitle(tr("Manual"));
    setWindowFlag(Qt::WindowMinMaxButtonsHint);
    const int em = fontMetrics().height();
    m_words->setObjectName(QStringLiteral("manual-words"));
    m_words->setPlaceholderText(tr("Search the manual"));
    m_words->setAccessibleName(m_words->placeholderText());
    m_words->setClearButtonEnabled(true);
    m_words->setToolTip(tr("Enter goes to the next place, Shift+Enter to the one before."));
    m_list->setObjectName(QStringLiteral("manual-pages"));
    m_list->setAccessibleName(tr("Pages"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(em / 8);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    setInk(m_told, Role::Secondary);
    m_told->setWordWrap(true);

    auto* tools = new QHBoxLayout;
    tools->addWidget(m_back);
    tools->addWidget(m_forward);
    tools->addWidget(m_words, 1);
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(em / 2, em / 2, 0, em / 2);
    column->addLayout(tools);
    column->addWidget(m_list, 1);
    column->addWidget(m_told);
    auto* splitter = new QSplitter(this);
    splitter->addWidget(left);
    splitter->addWidget(m_view);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({17 * em, 50 * em});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    resize(67 * em, 46 * em);

    connect(m_words, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* row) {
        if (const auto page = pageOf(row))
            go(*page, {});
    });
    connect(m_view, &ManualView::pageAsked, this, &ManualWindow::showPage);
    connect(m_back, &QToolButton::clicked, this, [this] { walk(-1); });
    connect(m_forward, &QToolButton::clicked, this, [this] { walk(1); });
    search();
    if (!m_pages.empty())
        go(0, {});
    m_words->setFocus();
}

QString ManualWindow::page() const
{
    return m_trail.empty() ? QString() : m_pages[m_trail[m_at].page].name;
}

void ManualWindow::showPage(const QString& name, const QString& anchor)
{
    const auto found = std::find_if(m_pages.begin(), m_pages.end(),
                                    [&name](const HelpPage& page) { return page.name == name; });
    if (found == m_pages.end())
        m_told->setText(tr("There is no page “%1”.").arg(name));
    else
        go(static_cast<std::size_t>(found - m_pages.begin()), anchor);
}

void ManualWindow::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter)
        findNext((event->modifiers() & Qt::ShiftModifier) != 0);
    else if (event->key() == Qt::Key_Escape && !m_words->text().isEmpty())
        m_words->clear();
    else
        QDialog::keyPressEvent(event);
}

QStringList ManualWindow::words() const
{
    static const QRegularExpression space(QStringLiteral("\\s+"));
    return m_words->text().split(space, Qt::SkipEmptyParts);
}

std::optional<std::size_t> ManualWindow::pageOf(const QListWidgetItem* row) const
{
    if (row == nullptr)
        return {};
    return static_cast<std::size_t>(row->data(Qt::UserRole).toInt());
}

/// The list has the pages that hold all of the words, with how often; without words all pages.
void ManualWindow::search()
{
    const QStringList wanted = words();
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    int hits = 0;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        const int count = helpHits(m_pages[i], wanted);
        if (!wanted.isEmpty() && count == 0)
            continue;
        auto* row = new QListWidgetItem(
            count > 0 ? QStringLiteral("%1 (%2)").arg(m_pages[i].title).arg(count)
                      : m_pages[i].title,
            m_list);
        row->setData(Qt::UserRole, static_cast<int>(i));
        row->setToolTip(m_pages[i].title);
        if (!m_trail.empty() && m_trail[m_at].page == i)
            m_list->setCurrentItem(row);
        hits += count;
    }
    m_told->setText(wanted.isEmpty() ? QString()
                    : hits == 0      ? tr("No page has a line with all of these words.")
                                : tr("%1 with all of these words.").arg(plural(hits, Noun::Line)));
    m_view->mark(wanted);
}

void ManualWindow::findNext(bool backward)
{
    const QStringList wanted = words();
    if (wanted.isEmpty() || m_list->count() == 0)
        return;
    // A page without a hit gives way to the first that has one.
    if (m_list->currentRow() < 0)
        m_list->setCurrentRow(0);
    m_view->find(wanted, backward);
}

void ManualWindow::go(std::size_t page, const QString& anchor)
{
    if (!m_trail.empty()) {
        m_trail[m_at].scroll = m_view->verticalScrollBar()->value();
        m_trail.resize(m_at + 1);
    }
    m_trail.push_back({page, 0});
    m_at = m_trail.size() - 1;
    present(page, anchor);
}

void ManualWindow::walk(int step)
{
    const auto next = static_cast<std::ptrdiff_t>(m_at) + step;
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(m_trail.size()))
        return;
    m_trail[m_at].scroll = m_view->verticalScrollBar()->value();
    m_at = static_cast<std::size_t>(next);
    present(m_trail[m_at].page, {});
    m_view->verticalScrollBar()->setValue(m_trail[m_at].scroll);
}

void ManualWindow::present(std::size_t page, const QString& anchor)
{
    m_view->showPage(m_pages[page], anchor);
    m_back->setEnabled(m_at > 0);
    m_forward->setEnabled(m_at + 1 < m_trail.size());
    setWindowTitle(tr("%1 — Manual").arg(m_pages[page].title));
    const QSignalBlocker quiet(m_list);
    m_list->setCurrentItem(nullptr);
    for (int row = 0; row < m_list->count(); ++row)
        if (pageOf(m_list->item(row)) == page)
            m_list->setCurrentRow(row);
}

} // namespace pw::ui
