// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/page_bar.h"

#include <QScopedValueRollback>
#include <QTabWidget>
#include <QToolButton>
#include <QVariant>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int mostLetters = 46;   ///< of a tab: one long name leaves the others their room
constexpr int fewestLetters = 14; ///< that are left of a long name; a shorter one stays whole

} // namespace

PageBar::PageBar(QTabWidget& pages, QWidget* parent)
    : QTabBar(parent)
    , m_pages(pages)
{
    setObjectName(QStringLiteral("page-tabs"));
    setDocumentMode(true);
    setMovable(true);
    setExpanding(false);
    setDrawBase(false);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideMiddle);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Open pages"));
    pages.tabBar()->hide();
    connect(this, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_following && index >= 0)
            m_pages.setCurrentWidget(pageAt(index));
    });
    connect(this, &QTabBar::tabMoved, this, [this](int from, int to) {
        const QScopedValueRollback following(m_following, true);
        m_pages.tabBar()->moveTab(from, to);
    });
    connect(&pages, &QTabWidget::currentChanged, this, &PageBar::follow);
    connect(pages.tabBar(), &QTabBar::tabMoved, this, &PageBar::follow);
}

QWidget* PageBar::pageAt(int index) const
{
    return tabData(index).value<QWidget*>();
}

void PageBar::addPage(int index)
{
    QWidget* page = m_pages.widget(index);
    insertTab(index, QString());
    setTabData(index, QVariant::fromValue(page));
    // The style's own button is red, and red means refusal here.
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setFocusPolicy(Qt::NoFocus);
    close->setToolTip(tr("Close this tab"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, [this, page] { Q_EMIT closeAsked(page); });
    setTabButton(index, QTabBar::RightSide, close);
}

void PageBar::follow()
{
    if (m_following)
        return;
    const QScopedValueRollback following(m_following, true);
    const QSignalBlocker quiet(this);
    for (int i = 0; i < m_pages.count(); ++i) {
        int at = i;
        while (at < count() && pageAt(at) != m_pages.widget(i))
            ++at;
        if (at == count())
            addPage(i);
        else if (at != i)
            moveTab(at, i);
        if (tabText(i) != m_pages.tabText(i))
            setTabText(i, m_pages.tabText(i));
        setTabToolTip(i, m_pages.tabToolTip(i));
    }
    while (count() > m_pages.count())
        removeTab(count() - 1);
    setCurrentIndex(m_pages.currentIndex());
}

QSize PageBar::tabSizeHint(int index) const
{
    const QSize hint = QTabBar::tabSizeHint(index);
    return {std::min(hint.width(), mostLetters * fontMetrics().averageCharWidth()), hint.height()};
}

QSize PageBar::minimumTabSizeHint(int index) const
{
    const QSize hint = tabSizeHint(index);
    const int words = fontMetrics().horizontalAdvance(tabText(index));
    const int few = fewestLetters * fontMetrics().averageCharWidth();
    return {hint.width() - std::max(0, words - few), hint.height()};
}

} // namespace pw::ui
