// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chrome/event_arguments.h"
#include "core/trace/propose.h"
#include "ui/document/latest_work.h"
#include "ui/pages/page.h"
#include "ui/traces/activity_table.h"
#include "ui/traces/activity_view.h"
#include "ui/traces/found_bar.h"
#include "ui/traces/proposal_table.h"
#include "ui/traces/trace_source.h"
#include "ui/workspace/timeline_workspace.h"

#include <memory>

class QComboBox;
class QPushButton;
class QSplitter;
class QTabWidget;

namespace pw::ui {

class RankChooser;
class TraceSearch;

/// Everything that a trace holds, whether or not it names passes, in a timeline workspace: rows
/// that can be folded, with the sums of the marked stretch, else of all, below.
class ActivityPage : public Page
{
    Q_OBJECT

public:
    /// @param title  what the trace is called
    ActivityPage(ShownActivityPtr activity, QString title, QWidget* parent = nullptr);
    ~ActivityPage() override;

    QString title() const override { return m_title; }
    QString detail() const override;
    QString figures() const override;
    PageDetails details() const override;
    int linesWanted() const override { return 52; }
    QLineEdit* searchField() override;
    void findNext(int direction) override;

    std::vector<LaneView*> laneViews() override { return {m_view}; }

    ActivityView& view() { return *m_view; }
    ViewRange& range() { return m_workspace->range(); }
    const ActivityTable& table() const { return *m_table; }
    const ProposalTable& proposals() const { return *m_proposals; }
    ProposalTable& proposals() { return *m_proposals; }
    /// The trace as it came, without proposals that were accepted.
    const ShownActivityPtr& given() const { return m_given; }
    /// Says above the rows why the trace is no run, and what leads on. Once.
    void setFound(const ImportedTracePtr& found);
    /// Null without `setFound`.
    const FoundBar* foundBar() const { return m_found; }
    /// A stretch is a pass; others like it follow. Kept with the rules.
    void follow(const PassExample& example);

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    /// The trace is to be kept, with proposals that are at least so sure as its passes.
    void keepAsked(double confidence);
    /// What was found in the trace is to be shown, with its names and the rules for them.
    void foundAsked();

private:
    void connectParts();
    void sumUp();
    void findProposals();
    void findDeviceTime();
    void paintPass();
    void accept(double confidence);

    void readArguments();

    /// What the file says of the selected slice beside its times.
    struct Arguments
    {
        std::int64_t id = -1;
        ArgumentTexts texts;
    };

    ShownActivityPtr m_given;
    ShownActivityPtr m_activity; ///< with the proposals that were accepted
    Arguments m_arguments;
    DetailsPart m_deviceTime; ///< no rows: not known yet, or no device ran
    LatestWork m_readingArguments;
    std::vector<PassExample> m_examples; ///< of this page, beside those that are kept
    QString m_title;
    TraceSource* m_source;
    TimelineWorkspace* m_workspace;
    ActivityView* m_view;
    ActivityTable* m_table;
    TraceSearch* m_search;
    RankChooser* m_ranks;
    QComboBox* m_colors;
    QPushButton* m_paint;
    QSplitter* m_parts;
    bool m_partsMoved = false; ///< by hand
    QTabWidget* m_tabs;
    ProposalTable* m_proposals;
    FoundBar* m_found = nullptr;
    std::int64_t m_proposed = -1; ///< passes that are; −1: not yet known
    LatestWork m_summing;
};

} // namespace pw::ui
