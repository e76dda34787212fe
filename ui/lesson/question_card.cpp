// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/question_card.h"

#include "ui/help/marked_text.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

QuestionCard::QuestionCard(const LessonQuestion& question, const std::optional<LessonGuess>& guess,
                           const std::vector<int>& order, const std::string& language,
                           QWidget* parent)
    : LessonCard(parent, Role::Accent)
    , m_why(new MarkedText(QString(), this))
    , m_reason(text(question.why.in(language)))
    , m_right(question.right)
{
    auto* layout = new QVBoxLayout(this);
    const int em = fontMetrics().height();
    layout->setContentsMargins(em * 2 / 3, em / 2, em * 2 / 3, em * 2 / 3);
    layout->setSpacing(em / 3);
    auto* title = new QLabel(tr("Before you go on: predict"), this);
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    setInk(title, Role::Accent);
    layout->addWidget(title);
    auto* ask = new MarkedText(text(question.ask.in(language)), this);
    layout->addWidget(ask);
    m_answers.resize(question.answers.size());
    for (const int answer : order) {
        const auto at = static_cast<std::size_t>(answer);
        m_answers[at] = newAnswer(answer, text(question.answers[at].in(language)));
        layout->addWidget(m_answers[at]);
    }
    if (guess) {
        m_bars = new GuessBars(guess->answers, this);
        m_bars->hide();
        layout->addWidget(m_bars);
    }
    m_why->hide();
    layout->addWidget(m_why);
    for (MarkedText* words : {ask, m_why})
        connect(words, &MarkedText::wordAsked, this, &QuestionCard::wordAsked);
}

QPushButton* QuestionCard::newAnswer(int answer, const QString& words)
{
    auto* button =
        new QPushButton(withoutMarks(words).replace(QLatin1Char('&'), QStringLiteral("&&")), this);
    button->setObjectName(QStringLiteral("lesson-answer-%1").arg(answer));
    button->setCheckable(true);
    connect(button, &QPushButton::clicked, this, [this, answer] {
        reveal(answer);
        Q_EMIT chosen(answer, answer == m_right);
    });
    return button;
}

void QuestionCard::reveal(int answer)
{
    m_chosen = answer;
    for (std::size_t i = 0; i < m_answers.size(); ++i) {
        const auto at = static_cast<int>(i);
        m_answers[i]->setChecked(at == answer);
        m_answers[i]->setEnabled(false);
        if (at == m_right)
            m_answers[i]->setText(QStringLiteral("✓ ") + m_answers[i]->text());
    }
    if (m_bars != nullptr)
        m_bars->show(answer, m_right);
    m_why->setMarked(
        (answer == m_right ? tr("**Right.** %1") : tr("**Not quite.** %1")).arg(m_reason));
    m_why->show();
}

GuessBars::GuessBars(std::vector<double> answers, QWidget* parent)
    : QWidget(parent)
    , m_answers(std::move(answers))
{
    setObjectName(QStringLiteral("lesson-guess"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void GuessBars::show(int guess, int right)
{
    m_guess = guess;
    m_right = right;
    setVisible(true);
    update();
}

QSize GuessBars::sizeHint() const
{
    return {160, 2 * fontMetrics().height() + 4};
}

void GuessBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int high = fontMetrics().height() + 2;
    const QString words[] = {tr("your guess"), tr("it is")};
    const int left = std::max(fontMetrics().horizontalAdvance(words[0]),
                              fontMetrics().horizontalAdvance(words[1])) +
                     8;
    const double most = *std::max_element(m_answers.begin(), m_answers.end());
    const int which[] = {m_guess, m_right};
    for (int row = 0; row < 2; ++row) {
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRect(0, row * high, left, high), Qt::AlignLeft | Qt::AlignVCenter,
                         words[row]);
        const double length =
            m_answers[static_cast<std::size_t>(which[row])] / most * std::max(0, width() - left);
        painter.fillRect(QRectF(left, row * high + high / 4.0, length, high / 2.0),
                         color(row == 0 ? Role::Accent : Role::Good));
    }
}

} // namespace pw::ui
