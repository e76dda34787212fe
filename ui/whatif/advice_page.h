// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/after.h"
#include "ui/compare/compared.h"
#include "ui/pages/page.h"
#include "ui/plan/latest_work.h"

#include <cstddef>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace pw::ui {

class ComparePage;
class FigureTable;

/// What would make a measured step shorter: changes by their gain, each with the interval that the
/// next measurement lies in, the chosen one below what was measured, and whether a promise held.
class AdvicePage : public Page
{
    Q_OBJECT

public:
    /// @param name  of what is advised on, for the title
    explicit AdvicePage(const QString& name, QWidget* parent = nullptr);
    ~AdvicePage() override;

    /// The step. @param before  how it is shown
    void setSource(std::shared_ptr<const AdviceSource> source, ComparedPtr before);
    /// Why there is no advice.
    void setProblem(const QString& why);
    /// A run that may have come of the advice.
    void addAfter(qint64 run, const QString& title);
    /// The step of that run, or why it cannot be read.
    void setAfter(const Result<AdviceSource>& after);

    /// Null until it is there.
    const std::shared_ptr<const Advice>& advice() const { return m_advice; }
    bool busy() const { return m_work.busy(); }
    /// The change below what was measured; none: nothing can be changed.
    std::optional<std::size_t> chosen() const;
    ComparePage& comparison() { return *m_compare; }
    FigureTable& changes() { return *m_changes; }

    std::vector<TimelineView*> timelines() override;
    FindBar* findBar() override;
    Playback* playback() override;
    std::vector<QWidget*> beside() override;
    QString title() const override;
    QString whyNoFigure() const override;
    FigureContent figure() const override;
    QString figures() const override;
    PageDetails details() const override;

Q_SIGNALS:
    /// A change is to be opened as a schedule.
    void openAsked(const pw::Project& project);
    /// The step of a run is to be read and given to `setAfter`.
    void afterAsked(qint64 run);
    /// Advice is there, or why there is none.
    void advised();

private:
    QWidget* makeFields();
    void connectParts();
    void adviseAgain();
    void take(const Result<Advice>& made);
    void fillChanges();
    void showChange();
    void openChange();
    void say(const QString& sentence, bool refusal);

    QString m_name;
    std::shared_ptr<const AdviceSource> m_source; ///< as it came
    std::shared_ptr<const AdviceSource> m_asked;  ///< with the layers that the advice is of
    ComparedPtr m_before;
    std::shared_ptr<const Advice> m_advice;
    LatestWork m_work;
    int m_beforeRow = 0, m_afterRow = 0;
    QLabel* m_head;
    QLineEdit* m_layers = nullptr;
    QComboBox* m_after = nullptr;
    QPushButton* m_open = nullptr;
    FigureTable* m_changes;
    QLabel* m_sentence;
    ComparePage* m_compare;
};

} // namespace pw::ui
