// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/guess.h"
#include "ui/lesson/lesson_cards.h"

#include <QString>

#include <optional>
#include <vector>

class QPushButton;

namespace pw::ui {

class GuessBars;
class MarkedText;

/// A question before a level: answers to choose from, then the reveal, with one's guess over what
/// it is. The first answer stays.
class QuestionCard : public LessonCard
{
    Q_OBJECT

public:
    /// @param guess  what the answers say in numbers; none: they are no numbers
    /// @param order  that the answers stand in, see `answerOrder`
    QuestionCard(const LessonQuestion& question, const std::optional<LessonGuess>& guess,
                 const std::vector<int>& order, const std::string& language,
                 QWidget* parent = nullptr);

    /// Shows what was answered before. @pre 0 ≤ answer < answers of the question
    void reveal(int answer);
    bool answered() const { return m_chosen >= 0; }

Q_SIGNALS:
    /// @param answer  index in the question, wherever it stands
    void chosen(int answer, bool right);
    /// A word of the glossary is asked for. @param word  index in `glossaryWords()`
    void wordAsked(int word);

private:
    QPushButton* newAnswer(int answer, const QString& words);

    MarkedText* m_why;
    GuessBars* m_bars = nullptr;         ///< null: the answers are no numbers
    std::vector<QPushButton*> m_answers; ///< in the question's order
    QString m_reason;
    int m_right;
    int m_chosen = -1;
};

/// A guess as a length, above that of what it is.
class GuessBars : public QWidget
{
    Q_OBJECT

public:
    explicit GuessBars(std::vector<double> answers, QWidget* parent = nullptr);

    /// @param guess, right  indices of the answers
    void show(int guess, int right);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_answers;
    int m_guess = 0;
    int m_right = 0;
};

} // namespace pw::ui
