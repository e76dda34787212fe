// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/lesson_panel.h"

#include "ui/help/marked_text.h"
#include "ui/lesson/field_chart.h"
#include "ui/lesson/goal_words.h"
#include "ui/lesson/lesson_cards.h"
#include "ui/lesson/lesson_picture_view.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace pw::ui {

namespace {

QString markOf(bool met)
{
    return met ? QStringLiteral("✓") : QStringLiteral("○");
}

} // namespace

LessonPanel::LessonPanel(QWidget* parent)
    : QWidget(parent)
    , m_scroll(new QScrollArea(this))
    , m_language(QLocale().name().left(2))
{
    setObjectName(QStringLiteral("lesson-panel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_scroll);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
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

void LessonPanel::showStep(const Lesson& lesson, const LessonPlace& place)
{
    m_goals.clear();
    m_medals.clear();
    m_hint = nullptr;
    m_said = nullptr;
    m_field = nullptr;
    m_trouble = m_solved = nullptr;
    m_hintStage = 0;
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
    for (const LessonQuestion& question : step.questions)
        addQuestion(question);
    if (step.level)
        addLevel(*step.level);
    m_layout->addStretch(1);
    addWay(lesson, place);
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
    addLabel(*m_layout,
             tr("Lesson %1 of %2: %3 · step %4 of %5")
                 .arg(place.lesson)
                 .arg(place.lessons)
                 .arg(text(lesson.title.in(language)))
                 .arg(place.step + 1)
                 .arg(steps),
             Role::Secondary);
    m_layout->addWidget(new LessonSteps(steps, place.step, m_content));
    const LessonStep& step = lesson.steps[static_cast<std::size_t>(place.step)];
    QLabel* title = addLabel(*m_layout, text(step.title.in(language)), Role::Text, true);
    QFont font = title->font();
    font.setPointSizeF(font.pointSizeF() * 1.25);
    title->setFont(font);
}

void LessonPanel::addQuestion(const LessonQuestion& question)
{
    const std::string language = m_language.toStdString();
    auto* card = new LessonCard(m_content, Role::Accent);
    auto* layout = new QVBoxLayout(card);
    const int em = fontMetrics().height();
    layout->setContentsMargins(em * 2 / 3, em / 2, em * 2 / 3, em * 2 / 3);
    layout->setSpacing(em / 3);
    m_layout->addWidget(card);
    addLabel(*layout, tr("Before you go on: predict"), Role::Accent, true);
    addMarked(*layout, question.ask);
    auto* why = new MarkedText(QString(), m_content);
    connect(why, &MarkedText::wordAsked, this, &LessonPanel::wordAsked);
    why->hide();
    auto* group = new QButtonGroup(card);
    for (std::size_t i = 0; i < question.answers.size(); ++i) {
        auto* button = new QPushButton(withoutMarks(text(question.answers[i].in(language)))
                                           .replace(QLatin1Char('&'), QStringLiteral("&&")),
                                       card);
        button->setCheckable(true);
        group->addButton(button, static_cast<int>(i));
        layout->addWidget(button);
    }
    const QString reveal = text(question.why.in(language));
    const int right = question.right;
    connect(group, &QButtonGroup::idClicked, why, [why, reveal, right](int chosen) {
        why->setMarked(
            (chosen == right ? tr("**Right.** %1") : tr("**Not quite.** %1")).arg(reveal));
        why->show();
    });
    layout->addWidget(why);
}

void LessonPanel::addLevel(const LessonLevel& level)
{
    addLabel(*m_layout, tr("Your turn"), Role::Text, true);
    addMarked(*m_layout, level.task);
    addLabel(*m_layout, tr("Goal"), Role::Text, true);
    for (const LessonGoal& goal : level.goals) {
        auto* row = new QHBoxLayout;
        auto* mark = new QLabel(markOf(false), m_content);
        auto* what = new QLabel(goalWords(goal), m_content);
        what->setTextFormat(Qt::PlainText);
        what->setWordWrap(true);
        auto* now = new QLabel(m_content);
        now->setTextFormat(Qt::PlainText);
        now->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        setInk(now, Role::Secondary);
        row->addWidget(mark);
        row->addWidget(what, 1);
        row->addWidget(now);
        m_layout->addLayout(row);
        m_goals.push_back({mark, now});
    }
    m_trouble = addLabel(*m_layout, QString(), Role::Refusal);
    m_trouble->hide();
    addMedals(level);
    m_solved = addLabel(*m_layout, QString(), Role::Good, true);
    m_solved->hide();
    m_field = new FieldChart(m_content);
    m_field->hide();
    m_layout->addWidget(m_field);
    addHelp(level);
}

void LessonPanel::addMedals(const LessonLevel& level)
{
    const Standing before = standingOf(level, level.start);
    addLabel(*m_layout, tr("Medals"), Role::Text, true);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    m_medals = {addMedal(*row, tr("time"), before.time),
                addMedal(*row, tr("memory"), before.memory),
                addMedal(*row, tr("messages"), before.letters)};
    const QString par = tr("Par is the best that can be had in this level; who reaches it has the "
                           "medal.");
    const QString what[] = {tr("The makespan: when the last pass ends."),
                            tr("The most that a device holds at a time, in micro-batches (mb)."),
                            tr("Messages from device to device.")};
    for (std::size_t i = 0; i < m_medals.size(); ++i)
        m_medals[i].card->setToolTip(what[i] + QLatin1Char('\n') + par);
    m_layout->addLayout(row);
}

LessonPanel::MedalRow LessonPanel::addMedal(QLayout& row, const QString& name,
                                            const MedalStanding& medal)
{
    auto* card = new LessonCard(m_content);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(1);
    auto* head = new QHBoxLayout;
    auto* mark = new QLabel(card);
    auto* what = new QLabel(name, card);
    QFont bold = what->font();
    bold.setWeight(QFont::DemiBold);
    what->setFont(bold);
    head->addWidget(mark);
    head->addWidget(what, 1);
    layout->addLayout(head);
    const auto small = [&](const QString& words) {
        auto* label = new QLabel(words, card);
        label->setTextFormat(Qt::PlainText);
        QFont font = label->font();
        font.setPointSizeF(font.pointSizeF() * 0.9);
        label->setFont(font);
        setInk(label, Role::Secondary);
        layout->addWidget(label);
        return label;
    };
    small(tr("par %1").arg(text(medal.par)));
    auto* now = small(QString());
    card->setVisible(medal.offered);
    row.addWidget(card);
    return {card, mark, now};
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

void LessonPanel::addWay(const Lesson& lesson, const LessonPlace& place)
{
    auto* row = new QHBoxLayout;
    auto* back = new QPushButton(tr("‹ Back"), m_content);
    back->setObjectName(QStringLiteral("lesson-back"));
    back->setEnabled(place.step > 0 || place.lesson > 1);
    connect(back, &QPushButton::clicked, this, &LessonPanel::backAsked);
    const bool last =
        place.step + 1 == static_cast<int>(lesson.steps.size()) && lesson.next.empty();
    const bool level = lesson.steps[static_cast<std::size_t>(place.step)].level.has_value();
    auto* skip = new QPushButton(tr("Skip"), m_content);
    skip->setObjectName(QStringLiteral("lesson-skip"));
    skip->setFlat(true);
    skip->setVisible(level && !last);
    connect(skip, &QPushButton::clicked, this, &LessonPanel::skipAsked);
    m_next = new QPushButton(tr("Next ›"), m_content);
    m_next->setObjectName(QStringLiteral("lesson-next"));
    m_next->setEnabled(!last && !level);
    connect(m_next, &QPushButton::clicked, this, &LessonPanel::nextAsked);
    row->addWidget(back);
    row->addStretch(1);
    row->addWidget(skip);
    row->addStretch(1);
    row->addWidget(m_next);
    m_layout->addLayout(row);
    m_last = last;
}

void LessonPanel::toggleReady()
{
    if (m_ready != nullptr)
        m_ready->toggle();
}

void LessonPanel::setStanding(const Standing& standing)
{
    for (std::size_t i = 0; i < m_goals.size() && i < standing.goals.size(); ++i) {
        const GoalStanding& goal = standing.goals[i];
        m_goals[i].mark->setText(markOf(goal.met));
        setInk(m_goals[i].mark, goal.met ? Role::Good : Role::Secondary);
        m_goals[i].now->setText(text(goal.nowText));
    }
    const MedalStanding* medals[] = {&standing.time, &standing.memory, &standing.letters};
    for (std::size_t i = 0; i < m_medals.size(); ++i) {
        m_medals[i].mark->setText(medals[i]->won ? QStringLiteral("●") : QStringLiteral("○"));
        setInk(m_medals[i].mark, medals[i]->won ? Role::Weight : Role::Secondary);
        m_medals[i].card->setLine(medals[i]->won ? Role::Weight : Role::Line);
        m_medals[i].now->setText(tr("you: %1").arg(text(medals[i]->now)));
    }
    if (m_trouble != nullptr) {
        m_trouble->setText(text(standing.trouble));
        m_trouble->setVisible(!standing.trouble.empty());
    }
    if (m_solved != nullptr) {
        m_solved->setText(standing.medals() == 0 ? tr("Solved.")
                                                 : tr("Solved, medals: %1").arg(standing.medals()));
        m_solved->setVisible(standing.solved());
    }
    if (m_next != nullptr && standing.solved())
        m_next->setEnabled(!m_last);
    giveRoom();
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
    m_hint->setText(m_hintStage < 3 ? tr("Hint %1 of 3").arg(m_hintStage + 1)
                                    : tr("No more hints"));
    m_hint->setEnabled(m_hintStage < 3);
    Q_EMIT hintAsked(m_hintStage);
}

} // namespace pw::ui
