// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/lesson/course_standing.h"

#include <QDialog>

#include <functional>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace pw::ui {

/// How one stands in the course: its lessons with their levels, which are solved, three medals
/// each, tries, hints and tricks, in the words of `pipewright lesson results`, and the sums. A
/// click or Enter goes to a lesson or level that is open.
class MedalsDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param isOpen  whether a lesson may be gone to, by id
    MedalsDialog(const std::vector<CourseLesson>& course, const std::vector<LevelResult>& besides,
                 const std::function<bool(const QString&)>& isOpen, QWidget* parent = nullptr);

    /// Where one is now: its row is the current one.
    void setCurrent(const QString& lesson, int step);
    QTreeWidget& tree() { return *m_tree; }
    /// The sums, as they stand above the rows.
    QString totals() const;

Q_SIGNALS:
    void chosen(const QString& lesson, int step);
    void saveAsked();

private:
    void addLesson(const CourseLesson& lesson, bool open);
    void addBesides(const std::vector<LevelResult>& besides);
    void choose(const QTreeWidgetItem* item);

    QLabel* m_totals;
    QTreeWidget* m_tree;
};

} // namespace pw::ui
