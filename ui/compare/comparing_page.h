// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"
#include "ui/pages/page.h"

#include <QString>

namespace pw {
struct Prediction;
struct Project;
} // namespace pw

namespace pw::ui {

class StackedTimelines;

/// Something above what it could be: both timelines on one axis, with what changes it above them.
class ComparingPage : public Page
{
    Q_OBJECT

public:
    StackedTimelines& comparison() { return *m_compare; }

    std::vector<TimelineView*> timelines() override;
    FindBar* findBar() override;
    Playback* playback() override;
    std::vector<QWidget*> beside() override;
    QString whyNoFigure() const override;
    FigureContent figure() const override;
    QString figures() const override;
    PageDetails details() const override;

Q_SIGNALS:
    /// What is shown below is to be opened as a schedule.
    void openAsked(const pw::Project& project);

protected:
    /// @param name   of what there is
    /// @param below  what the row below it is called until something is shown there
    /// @param kind   of the page, as the title of its details
    ComparingPage(QString name, const QString& below, QString kind, QWidget* parent);

    const QString& name() const { return m_name; }
    void showBefore(const ComparedPtr& before);
    /// A prediction below what there is. @return  what is shown
    ComparedPtr showAfter(const Prediction& made, const QString& title, const QString& about);
    void showNoAfter(const QString& why);
    /// There is nothing to start from.
    void showNothing(const QString& why);
    /// Asks to open a prediction.
    void open(const Prediction& made, const QString& title, const QString& notes);

private:
    QString m_name;
    QString m_kind;
    StackedTimelines* m_compare;
    int m_before = 0, m_after = 0; ///< rows
};

} // namespace pw::ui
