// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/lowering.h"
#include "core/communication/play.h"
#include "ui/communication/listing_lanes.h"
#include "ui/communication/played_words.h"
#include "ui/pages/page.h"
#include "ui/timeline/view_range.h"

#include <memory>
#include <optional>

class QLabel;
class QToolButton;

namespace pw::ui {

class CommunicationFields;
class StepChart;
class TimelineView;

/// A schedule as an engine executes it: every device opened into its passes, sends, receives and
/// gathers. A send or a receive can be dragged to another place of its device's order; what that
/// does to the end, or which ring it closes, is seen at once.
///
/// Works on the schedule as it was when the page was opened.
class CommunicationPage : public Page
{
    Q_OBJECT

public:
    /// @param name  of the schedule, for the title
    /// @param file  sends and receives that the schedule's file has; none: they are placed
    CommunicationPage(const QString& name, std::shared_ptr<const Schedule> schedule, Costs costs,
                      std::optional<communication::Listing> file = std::nullopt,
                      QWidget* parent = nullptr);
    ~CommunicationPage() override;

    const communication::Listing& listing() const { return *m_listing; }
    const communication::Played& played() const { return m_played; }
    TimelineView& timeline() { return *m_timeline; }
    const ListingLanes& shown() const { return m_shown; }

    /// Moves an action within its rank's order, as one step that can be undone. @return what
    /// forbids it; empty: done, or it stands there already
    QString moveAction(communication::ActionPlace from, int to);
    /// Moves the selected action by one place. @param by  −1 or +1
    void moveSelected(int by);

    std::vector<TimelineView*> timelines() override { return {m_timeline}; }
    QString title() const override;
    QUndoStack* undoStack() override { return &m_undo; }
    QString whyNoFigure() const override;
    FigureContent figure() const override;
    QString figures() const override;
    PageDetails details() const override;

private:
    class Move;
    using ListingPtr = std::shared_ptr<const communication::Listing>;

    /// What is dragged, and what would follow.
    struct Trial
    {
        communication::ActionPlace from;
        int to = -1;
        ListingPtr listing; ///< null: the place is refused
    };

    void makeTools(QWidget* bar);
    void lowerAgain();
    void playAgain();
    void adopt(ListingPtr listing, communication::ActionPlace moved);
    communication::Played playOf(const communication::Listing& listing) const;
    void show();
    void showSentence();
    void showOverlay();
    void showBuffers();
    RankId rankShown() const;
    void beginDrag(SpanRef span);
    void moveDrag(double ticks);
    void endDrag(bool dropped);
    void tell(SpanRef span, int lane);
    PlayedWords words() const { return {*m_listing, *m_schedule, m_played, m_planned}; }

    QString m_name;
    std::shared_ptr<const Schedule> m_schedule;
    Costs m_costs; ///< with what the fields say of messages
    Ticks m_planned = 0;
    ListingPtr m_file; ///< null: the file has none
    ListingPtr m_listing;
    communication::Transport m_transport;
    communication::Played m_played;
    ListingLanes m_shown;
    StageLayers m_layers; ///< of a model with experts; empty: passes have no parts
    std::optional<Trial> m_trial;
    QUndoStack m_undo;
    ViewRange m_range;
    CommunicationFields* m_fields;
    QToolButton* m_earlier = nullptr;
    QToolButton* m_later = nullptr;
    QLabel* m_sentence;
    TimelineView* m_timeline;
    StepChart* m_buffers;
};

} // namespace pw::ui
