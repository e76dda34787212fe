// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/pass_query.h"
#include "ui/timeline/timeline_view.h"

#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;
class QTimer;
class QToolButton;

namespace pw::ui {

/// Finds passes in a timeline while typing: all are marked, Enter goes to the next, Shift+Enter to
/// the one before, Escape closes. Millions of passes are searched in slices, so that the window
/// goes on.
class FindBar : public QWidget
{
    Q_OBJECT

public:
    explicit FindBar(TimelineView& view, QWidget* parent = nullptr);

    /// The shape of what the timeline shows; needed to understand chunks.
    void setSpec(const PipelineSpec& spec);

    /// What is not found by its passes but has a name: asked first, while typing and, to go there,
    /// with Enter. Gives what is said of it; empty: it knows no such name.
    using Places = std::function<QString(const QString& typed, bool go)>;
    void setPlaces(Places places, const QString& example);

    /// Shows the bar, with what was typed before to be typed over.
    void open();
    void close();

    /// Goes to the next (+1) or the previous (−1) hit in time, around the end.
    void go(int direction);
    /// Hits so far.
    std::int64_t hitCount() const { return m_count; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void searchSlice();
    void mark();
    void showState();
    /// Place of the current pass among the hits by time; −1: it is none.
    std::int64_t placeOfCurrent() const;

    TimelineView& m_view;
    PipelineSpec m_spec;
    QLineEdit* m_typed;
    QLabel* m_state;
    QToolButton* m_previous;
    QToolButton* m_next;
    QTimer* m_slice;
    std::optional<PassQuery> m_query;
    QString m_problem;
    Places m_places;
    QString m_place; ///< what is said of the place that is typed
    FoundSpans m_found;
    std::int64_t m_count = 0;
    std::size_t m_lane = 0; ///< where the next slice goes on
    std::size_t m_index = 0;
};

} // namespace pw::ui
