// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/step_editor.h"

#include "ui/core_sentences.h"
#include "ui/lesson/editor_form.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace pw::ui {

StepEditor::StepEditor(const Lesson& lesson, const std::string& source, std::size_t step,
                       const QString& language, QWidget* parent)
    : QWidget(parent)
    , m_title(new QLineEdit(this))
    , m_text(new QPlainTextEdit(this))
    , m_language(language.toStdString())
{
    setObjectName(QStringLiteral("step-editor"));
    const LessonStep& shown = lesson.steps[step];
    if (auto parts = stepParts(source, step, m_language))
        m_partsBefore = std::move(*parts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    QFormLayout& form = addEditorForm(*layout);
    form.setRowWrapPolicy(QFormLayout::WrapAllRows); // words want the width
    addWords(form, shown);
    addParts(form);
    if (shown.level)
        addStands(*layout);
    addButtons(*layout, shown.level.has_value());
}

void StepEditor::addWords(QFormLayout& form, const LessonStep& shown)
{
    m_before.title = shown.title.writtenIn(m_language);
    m_before.text = shown.text.writtenIn(m_language);
    m_title->setText(text(*m_before.title));
    m_title->setObjectName(QStringLiteral("step-title"));
    m_text->setPlainText(text(*m_before.text));
    m_text->setObjectName(QStringLiteral("step-text"));
    m_text->setTabChangesFocus(true);
    m_text->setMinimumHeight(fontMetrics().lineSpacing() * 10 + 14);
    m_text->setToolTip(tr("An empty line parts paragraphs; **bold** and `code` are marks."));
    form.addRow(tr("Title"), m_title);
    form.addRow(tr("Text"), m_text);
    if (!shown.level)
        return;
    m_before.task = shown.level->task.writtenIn(m_language);
    m_before.say = shown.level->hints.say.writtenIn(m_language);
    m_before.show = shown.level->hints.show.writtenIn(m_language);
    m_task = wordsField(QStringLiteral("step-task"), 3, this);
    m_task->setPlainText(text(*m_before.task));
    m_say = wordsField(QStringLiteral("step-say"), 3, this);
    m_say->setPlainText(text(*m_before.say));
    m_show = wordsField(QStringLiteral("step-show"), 3, this);
    m_show->setPlainText(text(*m_before.show));
    form.addRow(tr("Task"), m_task);
    form.addRow(tr("Hint 1 says"), m_say);
    form.addRow(tr("Hint 2 shows"), m_show);
}

/// Lines, where the step has them.
void StepEditor::addParts(QFormLayout& form)
{
    const auto add = [&](const std::optional<std::string>& lines, const char* name, int high,
                         const QString& title, const QString& tip) -> QPlainTextEdit* {
        if (!lines)
            return nullptr;
        QPlainTextEdit* field = wordsField(QString::fromLatin1(name), high, this);
        field->setPlainText(text(*lines));
        field->setToolTip(tip);
        form.addRow(title, field);
        return field;
    };
    m_questions =
        add(m_partsBefore.questions, "step-questions", 5, tr("Questions"),
            tr("The question; '- ' before a wrong answer, '+ ' before the right one, '= ' "
               "before the reason. An empty line parts questions."));
    m_goals = add(m_partsBefore.goals, "step-goals", 3, tr("Goals"),
                  tr("A goal in each line: complete, makespan_ms 33, peak 4, interval 6 …"));
    m_passes = add(m_partsBefore.passes, "step-passes", 1, tr("Passes"),
                   tr("What each stage does with a micro-batch: F BW, or F B W; R may be added."));
    m_choices = add(m_partsBefore.choices, "step-choices", 3, tr("Choices"),
                    tr("A family in each line, then numbers of micro-batches and options: gpipe 8 "
                       "16, interleaved-1f1b 8 chunks=2."));
    m_acts = add(m_partsBefore.acts, "step-acts", 4, tr("Demonstration"),
                 tr("An act in each line: place 0 F0, move 0 3 1, remove 0 3, shift 1:B0.1 -2, "
                    "interval 6, layer 0 1, toggle 0 F3 …"));
}

/// What stands in the level can become its start and its demonstration.
void StepEditor::addStands(QVBoxLayout& layout)
{
    auto* row = new QHBoxLayout;
    const int em = fontMetrics().height();
    row->setContentsMargins(em / 2, 0, em / 2, 0);
    auto* start = new QPushButton(tr("Begin with this"), this);
    start->setObjectName(QStringLiteral("step-start"));
    start->setToolTip(tr("What stands in the level now is what it begins with."));
    auto* shown = new QPushButton(tr("Demonstrate this"), this);
    shown->setObjectName(QStringLiteral("step-demonstration"));
    shown->setToolTip(tr("What you have done in the level is its demonstration."));
    m_record = new QPushButton(tr("Record"), this);
    m_record->setObjectName(QStringLiteral("step-record"));
    m_record->setCheckable(true);
    m_record->setToolTip(tr("What you do in the level from now on becomes its demonstration, act "
                            "by act."));
    row->addWidget(start);
    row->addWidget(shown);
    row->addWidget(m_record);
    row->addStretch(1);
    layout.addLayout(row);
    const auto note = [this](const char* name) {
        auto* label = new QLabel(this);
        label->setObjectName(QString::fromLatin1(name));
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setContentsMargins(fontMetrics().height() / 2, 0, fontMetrics().height() / 2, 0);
        label->hide();
        return label;
    };
    m_stands = note("step-stands");
    m_found = note("step-found");
    layout.addWidget(m_stands);
    layout.addWidget(m_found);
    connect(start, &QPushButton::clicked, this, &StepEditor::startAsked);
    connect(shown, &QPushButton::clicked, this, &StepEditor::demonstrationAsked);
    connect(m_record, &QPushButton::toggled, this, &StepEditor::recordToggled);
}

void StepEditor::addButtons(QVBoxLayout& layout, bool level)
{
    auto* buttons = new QHBoxLayout;
    const int em = fontMetrics().height();
    buttons->setContentsMargins(em / 2, 0, em / 2, em / 2);
    const auto add = [&](const QString& words, const char* name, auto asked) {
        auto* button = new QPushButton(words, this);
        button->setObjectName(QString::fromLatin1(name));
        buttons->addWidget(button);
        connect(button, &QPushButton::clicked, this, asked);
    };
    if (level)
        add(tr("Check"), "step-check", &StepEditor::checkAsked);
    buttons->addStretch(1);
    add(tr("Save as…"), "step-save", &StepEditor::saveAsked);
    add(tr("Close"), "step-close", &StepEditor::closeAsked);
    layout.addLayout(buttons);
}

void StepEditor::takeStart(const Project& project)
{
    m_taken.start = project;
    m_stands->setText(tr("The level will begin with what stood when you said so."));
    m_stands->show();
}

void StepEditor::takeDemonstration(const Project& project)
{
    m_taken.demonstration = project;
    m_stands->setText(tr("The demonstration will show what stood when you said so."));
    m_stands->show();
}

void StepEditor::beginRecording(const LessonLevel& level, const Project& now)
{
    m_taken.demonstration.reset();
    m_states = {level.start};
    m_recorded.clear();
    m_acts->clear();
    // What stands already is how it begins.
    if (const auto lines = actLinesBetween(level, level.start, now); lines && !lines->empty()) {
        m_recorded << text(*lines).trimmed();
        m_acts->setPlainText(m_recorded.join(QLatin1Char('\n')));
        m_states.push_back(now);
    } else {
        m_states = {now};
    }
    m_stands->setText(tr("What you do in the level is recorded."));
    m_stands->show();
}

void StepEditor::record(const LessonLevel& level, const Project& now)
{
    if (m_states.empty() || now == m_states.back())
        return;
    if (now == m_states.front()) {
        m_states.resize(1);
        m_recorded.clear();
    } else if (m_states.size() > 1 && now == m_states[m_states.size() - 2]) {
        m_states.pop_back();
        m_recorded.removeLast();
    } else {
        const auto lines = actLinesBetween(level, m_states.back(), now);
        if (!lines) {
            m_stands->setText(coreSentence(lines.error().message));
            return;
        }
        if (lines->empty())
            return;
        m_states.push_back(now);
        m_recorded << text(*lines).trimmed();
    }
    m_acts->setPlainText(m_recorded.join(QLatin1Char('\n')));
}

void StepEditor::endRecording()
{
    m_states.clear();
    m_record->setChecked(false);
}

void StepEditor::showCheck(const Result<StepCheck>& check)
{
    QStringList lines;
    if (!check) {
        lines << coreSentence(check.error().message);
    } else {
        m_taken.par = check->par;
        for (const std::string& problem : check->problems)
            lines << text(problem);
    }
    const bool good = check && lines.isEmpty();
    m_found->setText(good ? tr("The level can be solved, and its par is proven.")
                          : lines.join(QLatin1Char('\n')));
    setInk(m_found, good ? Role::Good : Role::Refusal);
    m_found->show();
}

StepParts StepEditor::parts() const
{
    StepParts parts = m_taken;
    const auto take = [](std::optional<std::string>& lines, const QPlainTextEdit* field,
                         const std::optional<std::string>& before) {
        if (field != nullptr && field->toPlainText().toStdString() != *before)
            lines = field->toPlainText().toStdString();
    };
    take(parts.questions, m_questions, m_partsBefore.questions);
    take(parts.goals, m_goals, m_partsBefore.goals);
    take(parts.passes, m_passes, m_partsBefore.passes);
    take(parts.choices, m_choices, m_partsBefore.choices);
    take(parts.acts, m_acts, m_partsBefore.acts);
    return parts;
}

StepWords StepEditor::words() const
{
    StepWords words;
    const auto take = [](std::optional<std::string>& word, const QString& now,
                         const std::optional<std::string>& before) {
        if (before && now.toStdString() != *before)
            word = now.toStdString();
    };
    take(words.title, m_title->text(), m_before.title);
    take(words.text, m_text->toPlainText(), m_before.text);
    if (m_task != nullptr) {
        take(words.task, m_task->toPlainText(), m_before.task);
        take(words.say, m_say->toPlainText(), m_before.say);
        take(words.show, m_show->toPlainText(), m_before.show);
    }
    return words;
}

} // namespace pw::ui
