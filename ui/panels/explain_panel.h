// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/explanation.h"

#include <QWidget>

#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace pw::ui {

class MarkedText;

/// Three sentences about what was asked for, and buttons that ask for the charts.
class ExplainPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ExplainPanel(QWidget* parent = nullptr);

    /// What there is to ask beside a pass or a gap.
    enum class Topic
    {
        Makespan,
        Bubble,
        Memory
    };

    void show(const Explanation& explanation);
    /// In place of an explanation.
    void showNote(const QString& note);
    /// Title and sentences, one a line.
    QString words() const;

Q_SIGNALS:
    void topicAsked(pw::ui::ExplainPanel::Topic topic);
    /// A word of the glossary is asked for.
    void wordAsked(int word);

private:
    QLabel* m_title;
    std::vector<MarkedText*> m_sentences;
};

} // namespace pw::ui
