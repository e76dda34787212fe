// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/lesson_panel.h"

#include "ui/help/marked_text.h"
#include "ui/lesson/field_chart.h"
#include "ui/lesson/free_answer.h"
#include "ui/lesson/goal_list.h"
#include "ui/lesson/lesson_cards.h"
#include "ui/lesson/lesson_picture_view.h"
#include "ui/lesson/lesson_progress.h"
#include "ui/lesson/lesson_way.h"
#include "ui/lesson/lesson_words.h"
#include "ui/lesson/medal_row.h"
#include "ui/lesson/question_card.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

LessonPanel::LessonPanel(QWidget* parent)
    : QWidget(parent)
    , m_scroll(new QScrollArea(this))
    , m_way(new LessonWay(this))
    , m_language(QLocale().name().left(2))
    , m_seed(LessonProgress::seed())
{
    setObjectName(QStringLiteral("lesson-panel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_scroll);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(m_way);
    connect(m_way, &LessonWay::backAsked, this, &LessonPanel::backAsked);
    connect(m_way, &LessonWay::skipAsked, this, &LessonPanel::skipAsked);
    connect(m_way, &LessonWay::nextAsked, this, &LessonPanel::nextAsked);
}

QSize LessonPanel::sizeHint() const
{
    const int em = fontMetrics().height();
    return {22 * em, 40 * em};
}

QLabel* LessonPanel::addLabel(QVBoxLayout& layout, const QString& text, Role role, bool strong)
{
    auto* label = new QLabel(text, m_content);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (strong) {
        QFont font = label->font();
        font.setWeight(QFont::DemiBold);
        label->setFont(font);
    }
    setInk(label, role);
    layout.addWidget(label);
    return label;
}

MarkedText* LessonPanel::addMarked(QVBoxLayout& layout, const LessonText& words, Role ink)
{
    auto* label = new MarkedText(text(words.in(m_language.toStdString())), m_content, ink);
    connect(label, &MarkedText::wordAsked, this, &LessonPanel::wordAsked);
    layout.addWidget(label);
    return label;
}

void LessonPanel::showStep(const Lesson& lesson, const LessonPlace& place,
                           const std::vector<int>& answers)
{
    delete m_goals;
    m_questions.clear();
    m_hint = m_mine = nullptr;
    m_said = nullptr;
    m_field = nullptr;
    m_solved = nullptr;
    m_hintStage = 0;
    m_wasSolved = false;
    const LessonStep& step = lesson.steps[static_cast<std::size_t>(place.step)];
    m_content = new QWidget;
    m_layout = new QVBoxLayout(m_content);
    const int em = fontMetrics().height();
    m_layout->setContentsMargins(em, em, em, em);
    m_layout->setSpacing(em / 2);
    addHead(lesson, place);
    addMarked(*m_layout, step.text);
    for (const LessonPicture& picture : step.pictures)
        m_layout->addWidget(new LessonPictureView(
            picture.project, text(picture.caption.in(m_language.toStdString())), m_content));
    for (std::size_t i = 0; i < step.questions.size(); ++i)
        addQuestion(step, static_cast<int>(i),
                    QStringLiteral("%1 %2 %3").arg(text(lesson.id)).arg(place.step).arg(i),
                    i < answers.size() ? answers[i] : -1);
    if (step.level)
        addLevel(*step.level);
    showPar();
    m_layout->addStretch(1);
    m_way->showStep(place.step == 0 && place.lesson <= 1,
                    place.step + 1 == static_cast<int>(lesson.steps.size()) && !place.more,
                    step.level.has_value());
    if (!lesson.source.empty())
        addLabel(*m_layout, text(lesson.source), Role::Secondary);
    m_scroll->setWidget(m_content); // the one before goes
    m_content->installEventFilter(this);
    m_scroll->setMinimumWidth(0);
    giveRoom();
    m_scroll->ensureVisible(0, 0);
}

bool LessonPanel::eventFilter(QObject* watched, QEvent* event)
{
    // What its parts need is known when they have their fonts, and again when a text changed.
    if (watched == m_content &&
        (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show))
        giveRoom();
    return QWidget::eventFilter(watched, event);
}

void LessonPanel::giveRoom()
{
    if (m_content == nullptr)
        return;
    const int needed =
        m_content->minimumSizeHint().width() + m_scroll->verticalScrollBar()->sizeHint().width();
    m_scroll->setMinimumWidth(std::max(m_scroll->minimumWidth(), needed));
}

void LessonPanel::addHead(const Lesson& lesson, const LessonPlace& place)
{
    const std::string language = m_language.toStdString();
    const auto steps = static_cast<int>(lesson.steps.size());
    const QString title = text(lesson.title.in(language));
    const QString now = QString::number(place.step + 1), all = QString::number(steps);
    addLabel(*m_layout,
             place.lesson > 0 ? tr("Lesson %1 of %2: %3 · step %4 of %5")
                                    .arg(QString::number(place.lesson),
                                         QString::number(place.lessons), title, now, all)
                              : tr("%1 · step %2 of %3").arg(title, now, all),
             Role::Secondary);
    m_layout->addWidget(new LessonSteps(steps, place.step, m_content));
    const LessonStep& step = lesson.steps[static_cast<std::size_t>(place.step)];
    QLabel* heading = addLabel(*m_layout, text(step.title.in(language)), Role::Text, true);
    QFont font = heading->font();
    font.setPointSizeF(font.pointSizeF() * 1.25);
    heading->setFont(font);
}

/// @param place  which question it is, as `answerOrder` wants it
void LessonPanel::addQuestion(const LessonStep& step, int number, const QString& place, int answer)
{
    const LessonQuestion& question = step.questions[static_cast<std::size_t>(number)];
    auto* card = new QuestionCard(
        question, guessOf(step, question),
        answerOrder(static_cast<int>(question.answers.size()), m_seed, place.toStdString()),
        m_language.toStdString(), m_content);
    m_layout->addWidget(card);
    m_questions.push_back(card);
    connect(card, &QuestionCard::wordAsked, this, &LessonPanel::wordAsked);
    connect(card, &QuestionCard::chosen, this, [this, card, number](int chosen, bool right) {
        Q_EMIT answered(number, chosen, right);
        showPar();
        bringIntoSight(*m_scroll, *card);
    });
    if (answer >= 0 && answer < static_cast<int>(question.answers.size()))
        card->reveal(answer);
}

/// What can be had in a level would say the answer.
void LessonPanel::showPar()
{
    if (m_medals != nullptr)
        m_medals->setParShown(std::all_of(m_questions.begin(), m_questions.end(),
                                          [](const QuestionCard* one) { return one->answered(); }));
}

void LessonPanel::addLevel(const LessonLevel& level)
{
    addLabel(*m_layout, tr("Your turn"), Role::Text, true);
    addMarked(*m_layout, level.task);
    if (const QString times = timesWords(level); !times.isEmpty())
        addLabel(*m_layout, times, Role::Secondary)->setObjectName(QStringLiteral("lesson-times"));
    m_free = new FreeAnswer(level, m_content);
    connect(m_free, &FreeAnswer::choiceAsked, this, &LessonPanel::choiceAsked);
    connect(m_free, &FreeAnswer::layerAsked, this, &LessonPanel::layerAsked);
    m_layout->addWidget(m_free);
    // Whoever builds sees what each move comes to: goals do not scroll.
    m_goals = new GoalList(level, this);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, m_goals);
    addMedals(level);
    m_solved = addLabel(*m_layout, QString(), Role::Good, true);
    m_solved->hide();
    m_field = new FieldChart(m_content);
    m_field->hide();
    m_layout->addWidget(m_field);
    addHelp(level);
}

void LessonPanel::setChosen(int choice)
{
    if (m_free != nullptr)
        m_free->setChosen(choice);
}

void LessonPanel::setKept(const Standing& kept)
{
    if (m_medals != nullptr)
        m_medals->setBest(kept);
    if (m_mine != nullptr)
        m_mine->show();
    giveRoom();
}

void LessonPanel::setLayers(const std::vector<int>& layers)
{
    if (m_free != nullptr)
        m_free->setLayers(layers);
}

void LessonPanel::addMedals(const LessonLevel& level)
{
    addLabel(*m_layout, tr("Medals"), Role::Text, true)->setVisible(level.par != LessonPar{});
    m_medals = new MedalRow(standingOf(level, level.start), m_content);
    m_layout->addWidget(m_medals);
}

void LessonPanel::addHelp(const LessonLevel& level)
{
    m_hints = level.hints;
    auto* row = new QHBoxLayout;
    m_hint = new QPushButton(tr("Hint 1 of 3"), m_content);
    m_hint->setObjectName(QStringLiteral("lesson-hint"));
    connect(m_hint, &QPushButton::clicked, this, &LessonPanel::takeHint);
    auto* play = new QPushButton(tr("Play it for me"), m_content);
    play->setObjectName(QStringLiteral("lesson-play"));
    connect(play, &QPushButton::clicked, this, &LessonPanel::playAsked);
    auto* reset = new QPushButton(tr("Start over"), m_content);
    reset->setObjectName(QStringLiteral("lesson-reset"));
    connect(reset, &QPushButton::clicked, this, &LessonPanel::resetAsked);
    row->addWidget(m_hint);
    row->addWidget(play);
    row->addWidget(reset);
    m_layout->addLayout(row);
    m_mine = new QPushButton(tr("My solution"), m_content);
    m_mine->setObjectName(QStringLiteral("lesson-mine"));
    connect(m_mine, &QPushButton::clicked, this, &LessonPanel::solutionAsked);
    m_layout->addWidget(m_mine);
    m_mine->hide();
    if (level.freedom == Freedom::Block) {
        auto* bench = new QPushButton(tr("Open the block on the bench"), m_content);
        connect(bench, &QPushButton::clicked, this, &LessonPanel::benchAsked);
        m_layout->addWidget(bench);
    }
    if (level.freedom == Freedom::Order)
        addOrderHelp();
    m_said = new MarkedText(QString(), m_content, Role::Accent);
    m_said->setObjectName(QStringLiteral("lesson-said"));
    connect(m_said, &MarkedText::wordAsked, this, &LessonPanel::wordAsked);
    m_layout->addWidget(m_said);
    m_said->hide();
}

/// What goes quicker than by hand where the order is free.
void LessonPanel::addOrderHelp()
{
    auto* row = new QHBoxLayout;
    auto* ready = new QCheckBox(tr("Show what is ready"), m_content);
    ready->setObjectName(QStringLiteral("lesson-ready"));
    ready->setChecked(m_readyShown);
    ready->setToolTip(tr("Passes that can come next stand palely in their lanes; a double click "
                         "puts one there."));
    m_ready = ready;
    connect(ready, &QCheckBox::toggled, this, [this](bool on) {
        m_readyShown = on;
        Q_EMIT readyToggled(on);
    });
    auto* run = new QPushButton(tr("Run until a choice"), m_content);
    run->setObjectName(QStringLiteral("lesson-run"));
    run->setToolTip(tr("Places passes as long as a device has only one that can come next."));
    connect(run, &QPushButton::clicked, this, &LessonPanel::runAsked);
    row->addWidget(ready, 1);
    row->addWidget(run);
    m_layout->addLayout(row);
}

void LessonPanel::toggleReady()
{
    if (m_ready != nullptr)
        m_ready->toggle();
}

void LessonPanel::setStanding(const Standing& standing, bool shown)
{
    if (m_goals != nullptr)
        m_goals->setStanding(standing);
    if (m_free != nullptr)
        m_free->setMended(standing.mended);
    if (m_medals != nullptr)
        m_medals->setStanding(standing);
    if (m_solved != nullptr) {
        m_solved->setText(solvedWords(standing, shown));
        m_solved->setVisible(standing.solved());
    }
    if (standing.solved())
        m_way->open();
    giveRoom();
    // On a low screen the medals and what is said of them are below the text.
    if (standing.solved() && !m_wasSolved && m_solved != nullptr)
        bringIntoSight(*m_scroll, *m_solved);
    m_wasSolved = standing.solved();
}

void LessonPanel::setField(std::vector<FieldPoint> points, const FieldPoint& own)
{
    if (m_field == nullptr)
        return;
    m_field->setVisible(!points.empty());
    m_field->setPoints(std::move(points), own);
}

void LessonPanel::takeHint()
{
    if (m_hintStage >= 3)
        return;
    ++m_hintStage;
    const std::string language = m_language.toStdString();
    if (m_hintStage == 1)
        m_said->setMarked(text(m_hints.say.in(language)));
    else if (m_hintStage == 2)
        m_said->setMarked(text(m_hints.show.in(language)));
    m_said->show();
    bringIntoSight(*m_scroll, *m_said);
    m_hint->setText(m_hintStage < 3 ? tr("Hint %1 of 3").arg(m_hintStage + 1)
                                    : tr("No more hints"));
    m_hint->setEnabled(m_hintStage < 3);
    Q_EMIT hintAsked(m_hintStage);
}

} // namespace pw::ui
