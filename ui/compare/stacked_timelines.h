// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/kept_answers.h"
#include "ui/compare/compared.h"
#include "ui/compare/heat_choice.h"
#include "ui/export/figure.h"
#include "ui/panels/details_panel.h"
#include "ui/timeline/view_range.h"

#include <QWidget>

#include <memory>
#include <vector>

class QPushButton;
class QSplitter;
class QToolButton;

namespace pw::ui {

class CompareTables;
struct StackedRow;
class FindBar;
class Playback;
class StackSelection;
class StackTools;
class TimelineView;

/// Timelines below each other over one range of time, each coloured by how it differs from the one
/// above it, with their figures and the passes that moved the end. Knows nothing of where they come
/// from: its owner hands them in, and again when they change. The search looks in the topmost one,
/// and the others follow to the pass that is found; one cursor of playback goes through all of
/// them, as long as the longest lasts.
class StackedTimelines : public QWidget
{
    Q_OBJECT

public:
    using Colour = HeatChoice::Colour;

    explicit StackedTimelines(QWidget* parent = nullptr);
    ~StackedTimelines() override;

    /// Adds a timeline below the others; it is awaited until `set` or `setProblem`.
    /// @return  the id that it is known by
    int add(const QString& title);
    void set(int id, ComparedPtr timeline);
    /// How long the passes of its run took in all iterations; it counts until the next `set`.
    void setLengths(int id, RunLengthsPtr lengths);
    /// Why a timeline cannot be shown. One that is shown already stays.
    void setProblem(int id, const QString& why);
    /// Takes a timeline away; the last one, too.
    void remove(int id);

    int rowCount() const { return static_cast<int>(m_rows.size()); }
    /// Of a row from the top; null while it is awaited.
    ComparedPtr compared(int row) const;
    /// Against the row above; null where there is none, or while it is worked out.
    DifferencePtr difference(int row) const;
    TimelineView& timeline(int row);
    ViewRange& range() { return m_range; }
    void setColour(Colour colour);
    /// The comparison as it is shown, to be kept.
    /// @error BadValue  what no file can hold
    Result<NewAnswer> answer() const;
    /// Selects a pass in every row that has it, and brings it into view.
    void reveal(const Pass& pass);

    /// Of all rows.
    std::vector<TimelineView*> timelines() const;
    FindBar* findBar() const;
    Playback* playback() const;
    /// What is around the timelines and no part of a play.
    std::vector<QWidget*> beside() const;
    /// "plan ↔ run 17"
    QString title() const;
    /// Why what is shown can be no figure; empty: it can.
    QString whyNoFigure() const;
    FigureContent figure() const;
    /// The makespans in a line.
    QString figures() const;
    /// The figures of every timeline, and what each says of the selected pass.
    PageDetails details() const;

Q_SIGNALS:
    /// What is shown is new, and with it title and numbers.
    void figuresChanged();
    void selectionChanged();
    /// What is under the pointer, in a sentence; empty: nothing.
    void told(const QString& sentence);
    /// The comparison is to be kept.
    void keepRequested();
    /// A row was closed by its button.
    void removed(int id);

private:
    StackedRow* rowOf(int id);
    QWidget* makeBar();
    void connectRow(StackedRow& row);
    void refresh();
    void compareRow(std::size_t index);
    void take(int id, ComparedPtr before, ComparedPtr after, DifferencePtr difference);
    void showRange();
    void showTitles();
    void showKeep();
    void showHeat();
    std::vector<ComparedRow> comparedRows() const;

    ViewRange m_range;
    std::vector<std::unique_ptr<StackedRow>> m_rows;
    int m_nextId = 1;
    HeatChoice* m_colour;
    QPushButton* m_keep;
    QSplitter* m_stack;
    CompareTables* m_tables;
    StackTools* m_tools;
    StackSelection* m_selection;
};

} // namespace pw::ui
