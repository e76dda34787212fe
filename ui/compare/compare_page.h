// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/kept_answers.h"
#include "ui/compare/compared.h"
#include "ui/pages/page.h"
#include "ui/timeline/view_range.h"

#include <memory>
#include <vector>

class QComboBox;
class QPushButton;
class QSplitter;
class QToolButton;

namespace pw::ui {

class CompareTables;
struct StackedRow;
class FindBar;
class HeatLegend;
class Playback;
class TimelineView;
class TimelineWorkspace;

/// Timelines below each other over one range of time, each coloured by how it differs from the one
/// above it, with their figures and the passes that moved the end. Knows nothing of where they come
/// from: its maker hands them in, and again when they change. The search looks in the topmost one,
/// and the others follow to the pass that is found; one cursor of playback goes through all of
/// them, as long as the longest lasts.
class ComparePage : public Page
{
    Q_OBJECT

public:
    /// What the colour of a pass stands for.
    enum class Colour
    {
        Moved, ///< how much later it ends
        Grown, ///< how much longer it takes
        Kind
    };

    explicit ComparePage(QWidget* parent = nullptr);
    ~ComparePage() override;

    /// Adds a timeline below the others; it is awaited until `set` or `setProblem`.
    /// @return  the id that it is known by
    int add(const QString& title);
    void set(int id, ComparedPtr timeline);
    /// How long the passes of its run took in all iterations; it counts until the next `set`.
    void setLengths(int id, RunLengthsPtr lengths);
    /// Why a timeline cannot be shown. One that is shown already stays.
    void setProblem(int id, const QString& why);
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
    std::vector<TimelineView*> timelines() override;
    FindBar* findBar() override { return m_find; }
    Playback* playback() override { return m_playback; }
    std::vector<QWidget*> beside() override;
    QString title() const override;
    QString whyNoFigure() const override;
    FigureContent figure() const override;
    QString figures() const override;
    PageDetails details() const override;
    int linesWanted() const override { return 38; } // two lanes, and with the room five

Q_SIGNALS:
    /// The comparison is to be kept.
    void keepAsked();
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
    void follow(int id);
    void attachTools();

    ViewRange m_range;
    std::vector<std::unique_ptr<StackedRow>> m_rows;
    int m_nextId = 1;
    bool m_following = false;
    QComboBox* m_colour;
    HeatLegend* m_legend;
    QPushButton* m_keep;
    QSplitter* m_stack;
    CompareTables* m_tables;
    TimelineWorkspace* m_searched = nullptr; ///< where the find bar looks
    FindBar* m_find = nullptr;
    TimelineWorkspace* m_played = nullptr; ///< what the playback goes over
    Playback* m_playback = nullptr;
};

} // namespace pw::ui
