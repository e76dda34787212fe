// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/help/manual_pages.h"

#include <QDialog>

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace pw::ui {

class ManualView;

/// The manual: its pages in a list, a field that looks through all of them, and the page beside.
class ManualWindow : public QDialog
{
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent = nullptr);

    /// Shows a page by its name. One that there is not is told, and changes nothing.
    void showPage(const QString& name, const QString& anchor = {});
    /// The name of the page that is shown.
    QString page() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Place
    {
        std::size_t page = 0;
        int scroll = 0;
    };

    void search();
    void findNext(bool backward);
    void go(std::size_t page, const QString& anchor);
    void walk(int step);
    void present(std::size_t page, const QString& anchor);
    QStringList words() const;
    std::optional<std::size_t> pageOf(const QListWidgetItem* row) const;

    std::vector<HelpPage> m_pages;
    std::vector<Place> m_trail; ///< pages that were shown, the oldest first
    std::size_t m_at = 0;       ///< in the trail
    QLineEdit* m_words;
    QListWidget* m_list;
    ManualView* m_view;
    QLabel* m_told;
    QToolButton* m_back;
    QToolButton* m_forward;
};

} // namespace pw::ui
