// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/import_dialog.h"
#include "ui/window/activity_page.h"
#include "ui/window/main_window.h"

#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>

namespace pw::test {

/// The dialog of a window that has read its files; null where none comes.
inline ui::ImportDialog* readDialog(ui::MainWindow& window)
{
    ui::ImportDialog* dialog = nullptr;
    const bool read = QTest::qWaitFor(
        [&] {
            dialog = window.findChild<ui::ImportDialog*>();
            return dialog != nullptr && dialog->isVisible() &&
                   (dialog->imported() != nullptr ||
                    dialog->findChild<QLabel*>(QStringLiteral("failure")) != nullptr);
        },
        20'000);
    return read ? dialog : nullptr;
}

/// The page at which a trace opens whose passes have no order; null where none comes.
inline ui::ActivityPage* readPage(ui::MainWindow& window)
{
    ui::ActivityPage* page = nullptr;
    const bool read = QTest::qWaitFor(
        [&] {
            page = qobject_cast<ui::ActivityPage*>(window.page());
            return page != nullptr && window.findChild<ui::ImportDialog*>() == nullptr;
        },
        20'000);
    return read ? page : nullptr;
}

/// The dialog with what was found in such a trace, from its page; null where none comes.
inline ui::ImportDialog* foundDialog(ui::MainWindow& window)
{
    ui::ActivityPage* page = readPage(window);
    auto* found =
        page == nullptr ? nullptr : page->findChild<QPushButton*>(QStringLiteral("seeFound"));
    // The layout shows it when it next has time.
    if (found == nullptr || !QTest::qWaitFor([found] { return found->isVisible(); }))
        return nullptr;
    QTest::mouseClick(found, Qt::LeftButton);
    return readDialog(window);
}

inline QPushButton* button(const ui::ImportDialog& dialog, const char* name)
{
    return dialog.findChild<QPushButton*>(QString::fromLatin1(name));
}

/// Everything that the labels of a dialog say.
inline QString said(const ui::ImportDialog& dialog)
{
    QStringList all;
    const auto labels = dialog.findChildren<QLabel*>();
    for (const QLabel* label : labels)
        if (label->isVisibleTo(&dialog))
            all += label->text();
    return all.join(QLatin1Char('\n'));
}

/// The list of a dialog whose tab begins with a word; null: it has none.
template<typename List>
List* listOf(const ui::ImportDialog& dialog, const char* title)
{
    const auto* lists = dialog.findChild<QTabWidget*>(QStringLiteral("lists"));
    for (int i = 0; lists != nullptr && i < lists->count(); ++i)
        if (lists->tabText(i).startsWith(QString::fromLatin1(title)))
            return qobject_cast<List*>(lists->widget(i));
    return nullptr;
}

inline void press(QPushButton* asked)
{
    QVERIFY(asked != nullptr && asked->isEnabled());
    QTest::mouseClick(asked, Qt::LeftButton);
}

} // namespace pw::test
