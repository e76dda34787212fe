// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/alternative_rows.h"
#include "ui/pages/page.h"

#include <QPointer>

#include <map>
#include <memory>
#include <utility>
#include <vector>

class QSplitter;
class QStackedWidget;
class QTabBar;

namespace pw::ui {

class AlternativesChart;
class AlternativesTable;
class ImprovePart;
class Improver;
class NoisePart;
class QuestionFields;
class RowPictures;
class ScheduleDocument;
class StackedTimelines;
class SweepPart;
class WhatIfPart;
class WhatIfRows;

/// Every way to run a model, side by side: families under the user's costs and cap, what-ifs,
/// orders that a search found, schedules, runs. One table; above it time against memory, or the
/// timelines of the chosen rows on one axis, or sweeps, noise and the search for a better order.
class AlternativesPage : public Page
{
    Q_OBJECT

public:
    /// What stands above the table.
    enum class Tab
    {
        Families,
        SideBySide,
        WhatIf,
        Sweep,
        Noise,
        Improve
    };

    /// @param project  whose shape, costs and cap families are asked for
    /// @param name     of what it is about, for the title
    /// @param first    the tab that it begins with, which its title tells too
    AlternativesPage(Project project, QString name, Tab first = Tab::Families,
                     QWidget* parent = nullptr);

    void setTab(Tab tab);
    Tab tab() const;

    // Rows from elsewhere. In the tab that compares they are chosen at once.
    int add(const QString& title, AlternativeKind kind = AlternativeKind::Schedule);
    void set(int id, ComparedPtr timeline) { m_rows->set(id, std::move(timeline)); }
    void setLengths(int id, RunLengthsPtr lengths);
    void setProblem(int id, const QString& why) { m_rows->setProblem(id, why); }
    /// The tab that a row shows: what opening the row brings to the front.
    void setOrigin(int id, Page* page) { m_origins[id] = page; }
    /// The project whose shape and costs families are asked for.
    void setProject(Project project);

    /// What searches for better orders of a document, and the document. Each order that is found
    /// is a row.
    void setImprover(Improver& improver, ScheduleDocument* document);

    const std::vector<Alternative>& rows() const { return m_rows->all(); }
    AlternativesTable& table() { return *m_table; }
    AlternativesChart& chart() { return *m_chart; }
    StackedTimelines& pictures() const { return *m_stack; }
    WhatIfPart& whatIf() { return *m_whatIf; }
    WhatIfRows& whatIfRows() { return *m_predictions; }
    SweepPart& sweep() { return *m_sweep; }
    const std::vector<RankHelp>& help() const { return m_ranking->help(); }
    bool busy() const;

    std::vector<TimelineView*> timelines() override;
    FindBar* findBar() override;
    Playback* playback() override;
    std::vector<QWidget*> beside() override;
    QLineEdit* searchField() override;
    QString title() const override;
    QString whyNoFigure() const override;
    FigureContent figure() const override;
    QString figures() const override;
    PageDetails details() const override;
    int linesWanted() const override { return 38; } // two lanes, and with the room five

Q_SIGNALS:
    /// A row is to be opened as a schedule.
    void openRequested(const pw::Project& project);
    /// A row's run is to be opened.
    void runRequested(qint64 run);
    /// The tab that a row shows is to be brought to the front.
    void pageRequested(pw::ui::Page* page);
    /// More timelines are to be added.
    void addRequested();
    /// The timelines below each other are to be kept.
    void keepRequested();
    /// Every family that was asked for is there.
    void ranked();
    /// Something cannot be, in a sentence.
    void refused(const QString& why);

private:
    void makeLayout();
    void connectParts();
    bool picturing() const { return tab() == Tab::SideBySide || tab() == Tab::WhatIf; }
    void showTab();
    void rankAgain();
    void finishRanking();
    void showRows();
    void showPictures();
    void open(int id);
    void noteCurrent();

    QString m_name;
    Tab m_first;
    bool m_asked = false; ///< families were asked for
    AlternativeRows* m_rows;
    FamilyRanking* m_ranking;
    QTabBar* m_tabs;
    QStackedWidget* m_views;
    QSplitter* m_split;
    QuestionFields* m_fields;
    AlternativesChart* m_chart;
    WhatIfPart* m_whatIf;
    StackedTimelines* m_stack;
    SweepPart* m_sweep;
    NoisePart* m_noise;
    ImprovePart* m_improve;
    AlternativesTable* m_table;
    RowPictures* m_pictures;
    WhatIfRows* m_predictions;
    std::map<int, QPointer<Page>> m_origins;
};

} // namespace pw::ui
