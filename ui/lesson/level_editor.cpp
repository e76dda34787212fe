// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/level_editor.h"

#include "core/base/text.h"
#include "core/sim/metrics.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/lesson/editor_form.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

/// What stands at first.
enum LevelStart
{
    EmptyLanes,
    WarmUp,
    WholeOrder
};

/// Entries of each device that stand at first.
std::vector<int> firstOnes(const DeviceOrders& orders, int start)
{
    std::vector<int> many;
    if (start == EmptyLanes)
        return many;
    for (const auto& order : orders) {
        const auto end = start == WholeOrder
                             ? order.end()
                             : std::find_if(order.begin(), order.end(), [](const OrderEntry& one) {
                                   return isBackward(one.pass.kind);
                               });
        many.push_back(static_cast<int>(end - order.begin()));
    }
    return many;
}

/// A number without zeros at its end.
class ShortNumber : public QDoubleSpinBox
{
public:
    using QDoubleSpinBox::QDoubleSpinBox;

    QString textFromValue(double value) const override
    {
        QString digits = QDoubleSpinBox::textFromValue(value);
        if (!digits.contains(locale().decimalPoint()))
            return digits;
        while (digits.endsWith(QLatin1Char('0')))
            digits.chop(1);
        if (digits.endsWith(locale().decimalPoint()))
            digits.chop(1);
        return digits;
    }
};

} // namespace

LevelEditor::LevelEditor(Origin origin, QWidget* parent)
    : QWidget(parent)
    , m_origin(std::move(origin))
{
    setObjectName(QStringLiteral("level-editor"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    QFormLayout& form = addEditorForm(*layout);
    addWords(form);
    addStart(form);
    addGoals(form);
    addHints(form);
    addPar(*layout);
    addButtons(*layout);
    fill();
}

/// Two and two: four in a row would make it wide.
void LevelEditor::addButtons(QVBoxLayout& layout)
{
    auto* grid = new QGridLayout;
    const int em = fontMetrics().height();
    grid->setContentsMargins(em / 2, 0, em / 2, em / 2);
    const auto add = [&](const QString& words, const char* name, int place) {
        auto* button = new QPushButton(words, this);
        button->setObjectName(QString::fromLatin1(name));
        grid->addWidget(button, place / 2, place % 2);
        return button;
    };
    m_try = add(tr("Try it"), "level-try", 0);
    m_save = add(tr("Save…"), "level-save", 1);
    m_add = add(tr("Add to a lesson…"), "level-add", 2);
    auto* close = add(tr("Close"), "level-close", 3);
    connect(m_try, &QPushButton::clicked, this, [this] { Q_EMIT tryAsked(lessonText()); });
    connect(m_save, &QPushButton::clicked, this, &LevelEditor::saveAsked);
    connect(m_add, &QPushButton::clicked, this, &LevelEditor::addAsked);
    connect(close, &QPushButton::clicked, this, &LevelEditor::closeAsked);
    layout.addLayout(grid);
}

void LevelEditor::addWords(QFormLayout& form)
{
    m_title = new QLineEdit(m_origin.title, this);
    m_title->setObjectName(QStringLiteral("level-title"));
    m_text = wordsField(QStringLiteral("level-text"), 4, this);
    m_text->setToolTip(tr("An empty line parts paragraphs; **bold** and `code` are marks."));
    m_task = wordsField(QStringLiteral("level-task"), 3, this);
    form.addRow(tr("Title"), m_title);
    form.addRow(tr("Text"), m_text);
    form.addRow(tr("Task"), m_task);
    connect(m_title, &QLineEdit::textChanged, this, &LevelEditor::changed);
    connect(m_text, &QPlainTextEdit::textChanged, this, &LevelEditor::changed);
    connect(m_task, &QPlainTextEdit::textChanged, this, &LevelEditor::changed);
}

void LevelEditor::addStart(QFormLayout& form)
{
    const int all = m_origin.schedule->spec().microBatches;
    m_microBatches = new QSpinBox(this);
    m_microBatches->setObjectName(QStringLiteral("level-micro-batches"));
    m_microBatches->setRange(1, all);
    m_microBatches->setValue(all);
    m_microBatches->setSuffix(tr(" of %1").arg(all));
    m_microBatches->setToolTip(tr("The first so many; a par of few is proven sooner."));
    m_start = new QComboBox(this);
    m_start->setObjectName(QStringLiteral("level-start"));
    m_start->addItem(tr("empty lanes"));
    m_start->addItem(tr("the forwards before the first backward"));
    m_start->addItem(tr("the whole order, to be made better"));
    m_locked = new QCheckBox(tr("they stay"), this);
    m_locked->setObjectName(QStringLiteral("level-locked"));
    auto* name = new QLabel(tr("At first stand"), this);
    name->setBuddy(m_start);
    form.addRow(tr("Micro-batches"), m_microBatches);
    // Its words want the width of both columns.
    form.addRow(name);
    form.addRow(m_start);
    form.addRow(QString(), m_locked);
    connect(m_microBatches, &QSpinBox::valueChanged, this, &LevelEditor::fill);
    connect(m_start, &QComboBox::currentIndexChanged, this, [this](int start) {
        m_locked->setEnabled(start == WarmUp);
        changed();
    });
    connect(m_locked, &QCheckBox::toggled, this, &LevelEditor::changed);
    m_locked->setEnabled(false);
}

void LevelEditor::addGoals(QFormLayout& form)
{
    m_timed = new QCheckBox(tr("makespan at most"), this);
    m_latest = new ShortNumber(this);
    m_latest->setObjectName(QStringLiteral("level-latest"));
    m_latest->setDecimals(6);
    m_latest->setRange(0, 1e9);
    m_latest->setSuffix(tr(" ms"));
    m_capped = new QCheckBox(tr("peak at most"), this);
    m_capped->setObjectName(QStringLiteral("level-capped"));
    m_cap = new ShortNumber(this);
    m_cap->setObjectName(QStringLiteral("level-cap"));
    m_cap->setDecimals(3);
    m_cap->setRange(0.001, 1e4);
    m_cap->setSuffix(tr(" micro-batches"));
    m_same = new QCheckBox(tr("exactly this order"), this);
    m_same->setObjectName(QStringLiteral("level-same"));
    const auto pair = [&](QCheckBox* box, QDoubleSpinBox* field, bool on) {
        box->setChecked(on);
        field->setEnabled(on);
        auto* row = new QHBoxLayout;
        row->addWidget(box);
        row->addWidget(field, 1);
        form.addRow(box == m_timed ? tr("Goals") : QString(), row);
        connect(box, &QCheckBox::toggled, field, &QWidget::setEnabled);
        connect(box, &QCheckBox::toggled, this, &LevelEditor::changed);
        connect(field, &QDoubleSpinBox::valueChanged, this, &LevelEditor::changed);
    };
    pair(m_timed, m_latest, true);
    pair(m_capped, m_cap, false);
    form.addRow(QString(), m_same);
    connect(m_same, &QCheckBox::toggled, this, &LevelEditor::changed);
}

void LevelEditor::addHints(QFormLayout& form)
{
    m_say = wordsField(QStringLiteral("level-say"), 2, this);
    m_show = wordsField(QStringLiteral("level-show"), 2, this);
    m_steps = new QSpinBox(this);
    m_steps->setRange(0, 1000);
    m_steps->setSuffix(tr(" passes placed"));
    form.addRow(tr("Hint 1 says"), m_say);
    form.addRow(tr("Hint 2 shows"), m_show);
    form.addRow(tr("Hint 3 does"), m_steps);
    connect(m_say, &QPlainTextEdit::textChanged, this, &LevelEditor::changed);
    connect(m_show, &QPlainTextEdit::textChanged, this, &LevelEditor::changed);
    connect(m_steps, &QSpinBox::valueChanged, this, &LevelEditor::changed);
}

/// Below what scrolls: the proof is what the buttons below it wait for.
void LevelEditor::addPar(QVBoxLayout& layout)
{
    m_par = new QLabel(this);
    m_par->setObjectName(QStringLiteral("level-par"));
    m_par->setTextFormat(Qt::PlainText);
    m_par->setWordWrap(true);
    m_prove = new QPushButton(tr("Prove the par"), this);
    m_prove->setObjectName(QStringLiteral("level-prove"));
    connect(m_prove, &QPushButton::clicked, this, &LevelEditor::prove);
    auto* row = new QHBoxLayout;
    const int em = fontMetrics().height();
    row->setContentsMargins(em / 2, em / 4, em / 2, 0);
    row->addWidget(m_par, 1);
    row->addWidget(m_prove);
    layout.addLayout(row);
}

/// The words and goals that fit as many micro-batches as are chosen.
void LevelEditor::fill()
{
    m_filling = true;
    const auto made =
        levelDraftOf({*m_origin.schedule, m_origin.costs, m_title->text().toStdString(),
                      m_microBatches->value(), m_origin.measured});
    if (made) {
        m_text->setPlainText(text(made->text));
        m_task->setPlainText(text(made->task));
        m_say->setPlainText(text(made->say));
        m_show->setPlainText(text(made->show));
        m_steps->setValue(made->steps);
        m_latest->setValue(msFromTicks(made->makespan));
        const auto schedule = Schedule::make(made->spec, made->order);
        if (const auto result = schedule ? simulate(*schedule, made->costs)
                                         : Result<SimResult>(fail(schedule.error())))
            m_cap->setValue(peakMicroBatches(*result));
    }
    m_filling = false;
    changed();
}

Result<LevelDraft> LevelEditor::draft() const
{
    auto draft = levelDraftOf({*m_origin.schedule, m_origin.costs, m_title->text().toStdString(),
                               m_microBatches->value(), m_origin.measured});
    if (!draft)
        return draft;
    draft->text = m_text->toPlainText().toStdString();
    draft->task = m_task->toPlainText().toStdString();
    draft->say = m_say->toPlainText().toStdString();
    draft->show = m_show->toPlainText().toStdString();
    draft->steps = m_steps->value();
    draft->firstOnes = firstOnes(draft->order, m_start->currentIndex());
    draft->locked = m_locked->isChecked() && m_locked->isEnabled();
    draft->latest.reset();
    if (m_timed->isChecked())
        draft->latest = ticksFromMs(m_latest->value());
    if (m_capped->isChecked())
        draft->cap = static_cast<Share>(m_cap->value() * static_cast<double>(shareOne) + 0.5);
    draft->sameOrder = m_same->isChecked();
    return draft;
}

/// What was proven is of other fields.
void LevelEditor::changed()
{
    if (m_filling)
        return;
    ++m_asked;
    m_proven.reset();
    const auto made = draft();
    m_par->setText(made ? tr("not proven yet") : coreSentence(made.error().message));
    setInk(m_par, made ? Role::Secondary : Role::Refusal);
    m_prove->setEnabled(made.has_value());
    for (QPushButton* button : {m_try, m_save, m_add})
        button->setEnabled(false);
}

void LevelEditor::prove()
{
    auto made = draft();
    if (!made)
        return;
    m_prove->setEnabled(false);
    m_par->setText(tr("searching …"));
    const int number = ++m_asked;
    inBackground(this,
                 [this, number, draft = std::make_shared<LevelDraft>(std::move(*made))]()
                     -> std::function<void()> {
                     const auto done = proveDraft(*draft);
                     const Result<LevelDraft> proven =
                         done ? Result<LevelDraft>(*draft) : fail(done.error());
                     return [this, number, proven] {
                         if (number == m_asked)
                             takeProof(proven);
                     };
                 });
}

void LevelEditor::takeProof(const Result<LevelDraft>& draft)
{
    m_prove->setEnabled(true);
    setInk(m_par, draft ? Role::Good : Role::Refusal);
    for (QPushButton* button : {m_try, m_save, m_add})
        button->setEnabled(draft.has_value());
    if (!draft) {
        m_par->setText(tr("%1. Fewer micro-batches are proven sooner.")
                           .arg(coreSentence(draft.error().message)));
        return;
    }
    m_proven = *draft;
    const LessonPar& par = draft->proof.least;
    m_par->setText(tr("proven: %1, %2 micro-batches, %3 messages; %4 looked at")
                       .arg(text(timeText(par.time.value_or(0))),
                            text(plainNumber(microBatchesFromShare(par.memory.value_or(0)))))
                       .arg(par.messages.value_or(0))
                       .arg(text(groupedNumber(draft->proof.nodes))));
}

std::string LevelEditor::lessonText() const
{
    return m_proven ? writeLevelLesson(*m_proven) : std::string();
}

} // namespace pw::ui
