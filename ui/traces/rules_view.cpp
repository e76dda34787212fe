// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/rules_view.h"

#include "core/base/text.h"
#include "core/reading/chrome/event_arguments.h"
#include "core/trace/rule_draft.h"
#include "core/trace/rules_file.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/quiet_table.h"
#include "ui/presentation.h"
#include "ui/traces/rule_lanes.h"
#include "ui/traces/rule_parts.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

QPushButton* button(const QString& title, const char* name, QWidget* parent)
{
    auto* made = new QPushButton(title, parent);
    made->setObjectName(QString::fromLatin1(name));
    made->setAutoDefault(false);
    return made;
}

/// What the first span of a name says of itself.
RuleDraft draftOf(const ShownActivity& activity, const std::string& name)
{
    const Trace& trace = activity.trace;
    const auto named = std::find(trace.names.begin(), trace.names.end(), name);
    const auto id = static_cast<std::int32_t>(named - trace.names.begin());
    const auto span = std::find_if(trace.spans.begin(), trace.spans.end(),
                                   [id](const TraceSpan& one) { return one.name == id; });
    if (named == trace.names.end() || span == trace.spans.end())
        return RuleDraft(name, {}, {}, {});
    const TraceTrack& track = trace.tracks[static_cast<std::size_t>(span->track)];
    // A format without arguments has none.
    const Result<ArgumentTexts> arguments =
        argumentsOf(trace, static_cast<std::int32_t>(span - trace.spans.begin()));
    return RuleDraft(name, processSaid(track), track.thread,
                     arguments ? *arguments : ArgumentTexts());
}

} // namespace

RulesView::RulesView(const ImportedTracePtr& trace, QWidget* parent)
    : QWidget(parent)
    , m_imported(trace)
    , m_path(defaultRulesPath())
    , m_rules(trace->rules)
    , m_names(new TraceNamesModel(this))
    , m_field(new QLineEdit(this))
    , m_keep(button(tr("&Add rule"), "addRule", this))
    , m_said(new QLabel(this))
    , m_table(new QTableView(this))
    , m_parts(new RuleParts(this))
    , m_lanes(new RuleLanes(this))
    , m_unread(new QLabel(this))
    , m_keptLabel(new QLabel(this))
    , m_kept(new QListWidget(this))
    , m_remove(button(tr("Remo&ve rule"), "removeRule", this))
    , m_read(button(tr("&Read the trace again"), "readAgain", this))
{
    const int em = fontMetrics().height();
    m_said->setObjectName(QStringLiteral("ruleSaid"));
    m_said->setWordWrap(true);
    m_said->setTextFormat(Qt::PlainText);
    m_said->setMinimumHeight(2 * fontMetrics().lineSpacing()); // nothing jumps
    m_said->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_table->setModel(m_names);
    m_table->setAccessibleName(tr("Names of the trace"));
    m_table->setToolTip(tr("Enter, or a double click, puts a name into the field."));
    makeQuiet(*m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_unread->setObjectName(QStringLiteral("unread"));
    m_unread->setForegroundRole(QPalette::PlaceholderText);
    m_keptLabel->setBuddy(m_kept);
    m_keptLabel->setForegroundRole(QPalette::PlaceholderText);
    m_keptLabel->setToolTip(text(m_path));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, em / 2, 0, 0);
    layout->setSpacing(em / 3);
    layout->addLayout(writingRow());
    layout->addWidget(m_said);
    auto* names = new QHBoxLayout;
    names->addWidget(m_table, 3);
    names->addWidget(m_parts, 2);
    layout->addLayout(names, 1);
    layout->addWidget(m_lanes);
    layout->addWidget(m_unread);
    layout->addWidget(m_keptLabel);
    layout->addLayout(keptRow());

    connect(m_field, &QLineEdit::textChanged, this, &RulesView::look);
    connect(m_field, &QLineEdit::returnPressed, this, &RulesView::keep);
    connect(m_keep, &QPushButton::clicked, this, &RulesView::keep);
    connect(m_remove, &QPushButton::clicked, this, &RulesView::remove);
    connect(m_read, &QPushButton::clicked, this, &RulesView::readAsked);
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& at) { useName(at.row()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& at) { chooseName(at.row()); });
    connect(m_parts, &RuleParts::changed, this, &RulesView::takeParts);
    connect(m_kept, &QListWidget::currentRowChanged, this,
            [this](int row) { m_remove->setEnabled(row >= 0); });
    auto* erase = new QShortcut(QKeySequence(QKeySequence::Delete), m_kept);
    erase->setContext(Qt::WidgetShortcut);
    connect(erase, &QShortcut::activated, this, &RulesView::remove);
    m_parts->setNone(tr("Choose a name: its numbers, its thread and its arguments become a rule."));
    showRules();
    look();
}

QLayout* RulesView::writingRow()
{
    m_field->setObjectName(QStringLiteral("rule"));
    m_field->setPlaceholderText(QStringLiteral("{kind} mb{micro-batch} stage{stage}"));
    m_field->setMaxLength(static_cast<int>(NameRule::longest));
    m_field->setToolTip(
        tr("Text as it stands, * for any text, and fields: {kind}, {micro-batch}, {stage}, "
           "{chunk}, {rank}, {segment}, {iteration}. {kind:fprop=F,bprop=BW} says which words "
           "mean which kind; {kind=F} that every name is of one. A \\ takes the meaning of the "
           "character behind it away."));
    auto* label = new QLabel(tr("Ru&le"), this);
    label->setBuddy(m_field);
    auto* writing = new QHBoxLayout;
    writing->setSpacing(fontMetrics().height() / 2);
    writing->addWidget(label);
    writing->addWidget(m_field, 1);
    writing->addWidget(m_keep);
    return writing;
}

QLayout* RulesView::keptRow()
{
    const int em = fontMetrics().height();
    m_kept->setObjectName(QStringLiteral("keptRules"));
    m_kept->setAccessibleName(tr("Rules that are kept"));
    m_kept->setFrameShape(QFrame::NoFrame);
    m_kept->setTextElideMode(Qt::ElideRight);
    m_kept->setFixedHeight(3 * std::max(24, em + 8));
    auto* acts = new QVBoxLayout;
    acts->addWidget(m_remove);
    acts->addWidget(m_read);
    acts->addStretch(1);
    auto* kept = new QHBoxLayout;
    kept->setSpacing(em / 2);
    kept->addWidget(m_kept, 1);
    kept->addLayout(acts);
    return kept;
}

void RulesView::focusField()
{
    m_field->setFocus();
}

void RulesView::say(const QString& sentence, bool refusal)
{
    setInk(m_said, refusal ? Role::Refusal : Role::Secondary);
    m_said->setText(sentence);
}

void RulesView::look()
{
    m_draft.reset();
    m_keep->setEnabled(false);
    if (!m_imported->rulesProblem.isEmpty())
        say(tr("The rules that were kept cannot be read, so none can be added: %1")
                .arg(m_imported->rulesProblem),
            true);
    else if (m_field->text().isEmpty())
        say(tr("A rule says what names mean: write one as they look, with fields in the place of "
               "kind and numbers."),
            false);
    else if (Result<NameRule> rule = NameRule::parse(m_field->text().toStdString()); !rule)
        say(tr("Not a rule yet, %1.").arg(coreSentence(rule.error().message)), true);
    else if (std::find(m_rules.begin(), m_rules.end(), *rule) != m_rules.end())
        say(tr("This rule is kept already."), true);
    else
        m_draft = std::move(*rule);
    m_reading.begin([this, names = m_imported->names, activity = m_imported->activity,
                     rules = m_rules,
                     draft = m_draft](const std::atomic<bool>&) -> LatestWork::Answer {
        std::vector<NameRule> all = rules;
        if (draft)
            all.insert(all.begin(), *draft);
        return [this, read = readNames(names, rules, draft), picture = pictureOf(*activity, all)] {
            take(read);
            m_lanes->setPicture(picture);
        };
    });
}

void RulesView::take(const NamesReadPtr& read)
{
    // The name that is chosen stays so, wherever it stands now.
    const QString chosen = m_names->nameAt(m_table->currentIndex().row());
    const QSignalBlocker quiet(m_table->selectionModel());
    m_names->setNames(read);
    for (int row = 0; !chosen.isEmpty() && row < m_names->rowCount(); ++row)
        if (m_names->nameAt(row) == chosen) {
            m_table->selectRow(row);
            break;
        }
    const int em = fontMetrics().averageCharWidth();
    if (!m_sized && !read->rows.empty()) {
        m_sized = true;
        m_table->setColumnWidth(0, 38 * em);
        m_table->setColumnWidth(1, 10 * em);
        m_table->setColumnWidth(2, 62 * em);
    }
    QString unread = read->unreadNames == 0 ? tr("Every name is read.")
                                            : tr("Names that nothing reads: %1, of %2 spans.")
                                                  .arg(text(groupedNumber(read->unreadNames)),
                                                       text(groupedNumber(read->unreadSpans)));
    if (read->names->leftOut > 0)
        unread +=
            QLatin1Char(' ') +
            tr("%1 rarer names are not shown.").arg(text(groupedNumber(read->names->leftOut)));
    m_unread->setText(unread);
    if (!read->draft)
        return;
    m_keep->setEnabled(true);
    if (read->draftNames == 0) {
        say(tr("This rule reads no name of the trace."), true);
        return;
    }
    QString sentence =
        tr("This rule reads %1 names of %2 spans; %3 of them are passes.")
            .arg(text(groupedNumber(read->draftNames)), text(groupedNumber(read->draftSpans)),
                 text(groupedNumber(read->draftPasses)));
    if (!read->draftNumbered)
        sentence += QLatin1Char(' ') +
                    tr("They say no micro-batch: where no argument says it, they are left out.");
    say(sentence, false);
}

void RulesView::keep()
{
    if (!m_draft)
        return;
    std::vector<NameRule> rules = m_rules;
    rules.insert(rules.begin(), *m_draft);
    if (!keepAll(std::move(rules)))
        return;
    m_field->clear();
    m_read->setFocus();
}

void RulesView::remove()
{
    const int row = m_kept->currentRow();
    if (row < 0 || static_cast<std::size_t>(row) >= m_rules.size())
        return;
    std::vector<NameRule> rules = m_rules;
    rules.erase(rules.begin() + row);
    if (keepAll(std::move(rules)))
        look();
}

bool RulesView::keepAll(std::vector<NameRule> rules)
{
    if (const Result<void> kept = keepNameRules(m_path, rules); !kept) {
        say(tr("The rule is not kept: %1").arg(coreSentence(kept.error().message)), true);
        return false;
    }
    m_rules = std::move(rules);
    showRules();
    return true;
}

void RulesView::showRules()
{
    m_kept->clear();
    for (const NameRule& rule : m_rules)
        m_kept->addItem(text(rule.pattern()));
    m_keptLabel->setText(m_rules.empty() ? tr("&Kept for next time: no rule yet")
                                         : tr("&Kept for next time, the first that fits counts"));
    m_remove->setEnabled(m_kept->currentRow() >= 0);
    const bool fresh = m_rules != m_imported->rules;
    m_read->setEnabled(fresh);
    m_read->setToolTip(fresh ? tr("Reads the files with the rules as they are now.")
                             : tr("The trace was read with these rules."));
}

/// Puts a name into the field, as text that means itself.
void RulesView::useName(int row)
{
    QString pattern;
    const QString name = m_names->nameAt(row);
    for (const QChar c : name) {
        if (c == QLatin1Char('{') || c == QLatin1Char('}') || c == QLatin1Char('*') ||
            c == QLatin1Char('\\'))
            pattern += QLatin1Char('\\');
        pattern += c;
    }
    m_field->setText(pattern);
    m_field->setFocus();
    m_field->selectAll();
}

/// What the first span of that name says of itself becomes a rule in the making; its arguments are
/// read from its file.
void RulesView::chooseName(int row)
{
    if (row < 0)
        return;
    m_drafting.begin(
        [this, name = m_names->nameAt(row).toStdString(),
         activity = m_imported->activity](const std::atomic<bool>&) -> LatestWork::Answer {
            return [this, draft = draftOf(*activity, name)] {
                m_parts->setDraft(draft);
                takeParts();
            };
        });
}

/// The field takes what the parts say, unless somebody has written in it.
void RulesView::takeParts()
{
    const QString pattern = text(m_parts->draft().pattern());
    if (pattern.isEmpty() || (m_field->text() != m_made && !m_field->text().isEmpty()))
        return;
    m_made = pattern;
    m_field->setText(pattern);
}

} // namespace pw::ui
