// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/help/manual_pages.h"

#include <QTextBrowser>

namespace pw::ui {

/// Shows a page of the manual. It loads nothing: neither from the net nor from a disk.
class ManualView : public QTextBrowser
{
    Q_OBJECT

public:
    explicit ManualView(QWidget* parent = nullptr);

    /// @param anchor  of the heading that comes to the top; empty: the beginning
    void showPage(const HelpPage& page, const QString& anchor = {});
    /// Marks every place of the words, and selects the first behind the cursor, or before it.
    /// @return  whether there is one
    bool find(const QStringList& words, bool backward = false);
    /// Marks them and selects none.
    void mark(const QStringList& words);

Q_SIGNALS:
    /// A link to another page was followed.
    void pageAsked(const QString& name, const QString& anchor);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void changeEvent(QEvent* event) override;

private:
    void follow(const QUrl& link);
    void goTo(const QString& anchor);
    void dress();
    void dressBlocks();
    void dressTables();
    /// Below each word of the glossary that a schedule shows, its picture.
    void illustrate();

    HelpPage m_page;
    QStringList m_words;
};

} // namespace pw::ui
