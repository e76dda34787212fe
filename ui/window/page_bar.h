// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QTabBar>

class QTabWidget;

namespace pw::ui {

/// The tabs of a window's pages, over the pages and the panels beside them: they stand in the same
/// place whichever panels a page has.
class PageBar : public QTabBar
{
    Q_OBJECT

public:
    /// @param pages  that the tabs are of; its own tabs are hidden. Outlives this
    explicit PageBar(QTabWidget& pages, QWidget* parent = nullptr);

    /// Has the pages come or gone, or got other titles: the tabs follow.
    void follow();

Q_SIGNALS:
    void closeAsked(QWidget* page);

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override;

private:
    void addPage(int index);
    QWidget* pageAt(int index) const;

    QTabWidget& m_pages;
    bool m_following = false;
};

} // namespace pw::ui
