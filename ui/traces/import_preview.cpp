// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/import_preview.h"

#include "core/analysis/step_curve.h"
#include "core/base/text.h"
#include "core/job/job_sentences.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/figure_table.h"
#include "ui/panels/quiet_table.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/timeline/value_text.h"
#include "ui/traces/rules_view.h"

#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <initializer_list>

namespace pw::ui {

namespace {

QString trustText(const RecoveredPipeline& pipeline)
{
    const auto counts = trustCounts(pipeline);
    QStringList kinds;
    for (int i = 0; i < trustCount; ++i) {
        const std::int64_t count = counts[static_cast<std::size_t>(i)];
        if (count == 0)
            continue;
        const auto trust = static_cast<Trust>(i);
        QString kind = coreWords(name(trust));
        if (count < pipeline.passes)
            kind = ImportPreview::tr("%1 of %2 %3")
                       .arg(text(groupedNumber(count)), text(groupedNumber(pipeline.passes)), kind);
        if (trust == Trust::Guessed)
            kind += ImportPreview::tr(" (hatched in the timeline)");
        kinds += kind;
    }
    return kinds.join(QStringLiteral(", "));
}

QString shapeText(const RecoveredPipeline& pipeline)
{
    QStringList parts = {plural(static_cast<qint64>(pipeline.rankOfDevice.size()), Noun::Device),
                         plural(pipeline.stages, Noun::Stage)};
    if (pipeline.chunks > 1)
        parts += ImportPreview::tr("%1 chunks a device").arg(pipeline.chunks);
    parts += plural(pipeline.microBatches, Noun::MicroBatch);
    if (pipeline.segments > 1)
        parts += plural(pipeline.segments, Noun::Segment);
    parts += pipeline.split ? ImportPreview::tr("B and W") : ImportPreview::tr("BW");
    return parts.join(QStringLiteral(", "));
}

QString familyText(const RecoveredPipeline& pipeline)
{
    const std::vector<FamilyMatch>& matches = pipeline.family.matches;
    if (matches.empty())
        return ImportPreview::tr("unknown");
    return ImportPreview::tr("%1, %2 of %3 entries out of order")
        .arg(text(describe(matches.front())), text(groupedNumber(matches.front().outOfOrder)),
             text(groupedNumber(matches.front().entries)));
}

/// The other families that make the same order.
QString othersText(const RecoveredPipeline& pipeline)
{
    QStringList others;
    for (std::size_t i = 1; i < pipeline.family.matches.size(); ++i)
        others += text(describe(pipeline.family.matches[i]));
    return others.join(QStringLiteral(", "));
}

/// A table of texts; numbers stand at the right.
QTableWidget* table(const QStringList& heads, int rows, int numbersFrom, int numbersTo)
{
    auto* made = new QTableWidget(rows, static_cast<int>(heads.size()));
    made->setHorizontalHeaderLabels(heads);
    makeQuiet(*made);
    made->setEditTriggers(QAbstractItemView::NoEditTriggers);
    for (int column = 0; column < made->columnCount(); ++column)
        made->horizontalHeaderItem(column)->setTextAlignment(
            Qt::AlignVCenter |
            (column >= numbersFrom && column < numbersTo ? Qt::AlignRight : Qt::AlignLeft));
    return made;
}

void fillRow(QTableWidget& into, int row, const QStringList& cells)
{
    for (int column = 0; column < cells.size(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        item->setTextAlignment(
            static_cast<Qt::AlignmentFlag>(into.horizontalHeaderItem(column)->textAlignment()));
        into.setItem(row, column, item);
    }
}

QStringList textsOf(const std::vector<std::string>& lines)
{
    QStringList texts;
    for (const std::string& line : lines)
        texts += text(line);
    return texts;
}

void addList(QTabWidget& lists, QWidget* list, const QString& title, std::int64_t count)
{
    list->setAccessibleName(title);
    lists.addTab(list, count > 0 ? QStringLiteral("%1 (%2)").arg(title, text(groupedNumber(count)))
                                 : title);
}

} // namespace

ImportPreview::ImportPreview(const ImportedTracePtr& trace, QWidget* parent)
    : QWidget(parent)
    , m_imported(trace)
{
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(fontMetrics().height() / 3);
    form->setHorizontalSpacing(fontMetrics().height());
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    addFacts(*form);
    auto* lists = new QTabWidget(this);
    lists->setObjectName(QStringLiteral("lists"));
    lists->setDocumentMode(true);
    const Trace& from = m_imported->trace;
    const RecoveredPipeline& pipeline = m_imported->pipeline();
    addSentences(*lists, tr("What the log says"), textsOf(logSentences(from.log)));
    if (m_imported->job != nullptr) {
        QStringList job;
        for (const Sentence& one : jobSentences(m_imported->job->analysis))
            job += coreSentence(one);
        addSentences(*lists, tr("The job"), job);
    }
    addCurve(*lists);
    addRanks(*lists);
    addTimes(*lists);
    addAccount(*lists);
    addRepairs(*lists);
    addSentences(*lists, tr("Warnings"), textsOf(from.warnings));
    std::vector<std::string> unknown = pipeline.unknown;
    for (const std::string& line : logUnknown(from.log))
        unknown.push_back(line);
    addSentences(*lists, tr("Unknown"), textsOf(unknown));
    addSentences(*lists, tr("How it was found"), textsOf(pipeline.notes));
    addRules(*lists);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(fontMetrics().height() / 2);
    layout->addLayout(form);
    if (!obstacle().isEmpty()) {
        auto* why = new QLabel(obstacle(), this);
        why->setObjectName(QStringLiteral("obstacle"));
        why->setWordWrap(true);
        setInk(why, Role::Refusal);
        layout->addWidget(why);
    }
    layout->addWidget(lists, 1);
}

/// What stands out from iteration to iteration.
void ImportPreview::addCurve(QTabWidget& lists)
{
    QStringList sentences;
    const std::vector<StepCurve> curves = curvesOf(m_imported->trace, m_imported->pipeline());
    for (const CurveFinding& one :
         m_imported->job == nullptr ? findingsOf(curves) : findingsBesideTime(curves))
        sentences += coreSentence(one.sentence);
    addSentences(lists, tr("From iteration to iteration"), sentences);
}

void ImportPreview::addRules(QTabWidget& lists)
{
    m_rules = new RulesView(m_imported);
    connect(m_rules, &RulesView::readAsked, this, &ImportPreview::readAsked);
    addList(lists, m_rules, tr("Names and rules"), 0);
    // A log has no names that could be passes.
    if (m_imported->pipeline().passes == 0 && !m_imported->trace.log.any())
        lists.setCurrentWidget(m_rules);
}

bool ImportPreview::focusRule()
{
    if (m_imported->pipeline().passes > 0 || m_imported->trace.log.any())
        return false;
    m_rules->focusField();
    return true;
}

QString ImportPreview::obstacle() const
{
    const RecoveredPipeline& pipeline = m_imported->pipeline();
    return pipeline.schedule
               ? QString()
               : tr("No run and no plan can be made of it: %1. Everything in it can be "
                    "shown as rows of a timeline.")
                     .arg(text(whyNoOrder(pipeline)));
}

void ImportPreview::addFacts(QFormLayout& form)
{
    const Trace& trace = m_imported->trace;
    const RecoveredPipeline& pipeline = m_imported->pipeline();
    const auto row = [this, &form](const QString& what, const QString& value, bool bold = false) {
        auto* label = new QLabel(what, this);
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        auto* field = new QLabel(value, this);
        field->setWordWrap(true);
        field->setTextFormat(Qt::PlainText);
        field->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        field->setAccessibleName(what);
        label->setBuddy(field);
        if (bold) {
            QFont font = field->font();
            font.setWeight(QFont::DemiBold);
            field->setFont(font);
        }
        form.addRow(label, field);
    };
    QString found =
        tr("%1, %2, %3 events, %4 spans")
            .arg(text(trace.origin), plural(static_cast<qint64>(trace.ranks.size()), Noun::Rank),
                 text(groupedNumber(trace.events)), text(groupedNumber(m_imported->spans)));
    if (trace.leftOut > 0)
        found += tr(", %1 left out").arg(text(groupedNumber(trace.leftOut)));
    row(tr("Trace"), found);
    const RecoveredIteration* shown = pipeline.iteration();
    if (shown == nullptr)
        return;
    row(tr("Family"), familyText(pipeline), true);
    if (const QString others = othersText(pipeline); !others.isEmpty())
        row(tr("Same order"), others);
    row(tr("Shape"), shapeText(pipeline));
    row(tr("Passes"),
        tr("%1 in %2; shown is iteration %3")
            .arg(text(groupedNumber(pipeline.passes)),
                 plural(static_cast<qint64>(pipeline.iterations.size()), Noun::Iteration))
            .arg(shown->number));
    row(tr("Times"), trustText(pipeline));
    row(tr("Makespan"), text(millisecondText(shown->makespan())));
    const AlignedClocks& clocks = m_imported->clocks();
    if (clocks.outcome == ClockOutcome::Shifted || clocks.outcome == ClockOutcome::Unsolvable)
        row(tr("Clocks"), text(clocks.text));
    else if (pipeline.violated > 0)
        row(tr("Clocks"), tr("%1 of %2 dependencies are impossible by the times: the clocks of "
                             "the ranks do not agree")
                              .arg(text(groupedNumber(pipeline.violated)),
                                   text(groupedNumber(pipeline.dependencies))));
    if (m_imported->fitted)
        row(tr("Costs"),
            tr("fitted; with them the same order takes %1 (%2)")
                .arg(text(millisecondText(m_imported->fitted->predicted)),
                     offText(m_imported->fitted->predicted, m_imported->fitted->measured)));
}

void ImportPreview::addRanks(QTabWidget& lists)
{
    const std::vector<RankFigures>& ranks = m_imported->pipeline().ranks;
    if (ranks.empty())
        return;
    QTableWidget* made = table({tr("Rank"), tr("Passes"), tr("First start"), tr("Last end"),
                                tr("Busy"), tr("Idle"), tr("Peak chunks"), tr("Number from")},
                               static_cast<int>(ranks.size()), 1, 7);
    int row = 0;
    for (const RankFigures& figures : ranks) {
        const TraceRank& rank = m_imported->trace.ranks[figures.rank.index()];
        fillRow(*made, row++,
                {rank.number < 0 ? tr("?") : QString::number(rank.number),
                 text(groupedNumber(figures.passes)), text(timeText(figures.firstStart)),
                 columnTimeText(figures.lastEnd), columnTimeText(figures.busy),
                 percentText(figures.idle), QString::number(figures.peakLive), text(rank.source)});
    }
    made->resizeColumnsToContents();
    made->horizontalHeader()->setStretchLastSection(true);
    addList(lists, made, tr("Ranks"), static_cast<std::int64_t>(ranks.size()));
}

void ImportPreview::addTimes(QTabWidget& lists)
{
    const std::vector<MeasuredPass>& times = m_imported->pipeline().times;
    if (times.empty())
        return;
    QTableWidget* made = table({tr("Pass"), tr("Stage"), tr("Segment"), tr("Median"),
                                tr("Lower quartile"), tr("Upper quartile"), tr("Count")},
                               static_cast<int>(times.size()), 1, 7);
    int row = 0;
    for (const MeasuredPass& pass : times)
        fillRow(*made, row++,
                {pass.paired ? tr("pair") : text(name(pass.kind)), QString::number(pass.stage),
                 QString::number(pass.segment), columnTimeText(pass.time.median),
                 columnTimeText(pass.time.low), columnTimeText(pass.time.high),
                 text(groupedNumber(pass.time.count))});
    made->setColumnHidden(2, m_imported->pipeline().segments < 2);
    made->resizeColumnsToContents();
    addList(lists, made, tr("Times"), 0);
}

QStringList ImportPreview::rankNames() const
{
    QStringList names;
    for (const TraceRank& rank : m_imported->trace.ranks)
        names += rank.number < 0 ? tr("?") : QString::number(rank.number);
    return names;
}

QStringList ImportPreview::deviceNames() const
{
    const QStringList ranks = rankNames();
    QStringList names;
    for (const TraceRankId rank : m_imported->pipeline().rankOfDevice)
        names += ranks.value(rank);
    return names;
}

/// Where the time went, what messages took, and what the clocks are.
void ImportPreview::addAccount(QTabWidget& lists)
{
    if (m_imported->account)
        addList(lists, accountTable(*m_imported->account, deviceNames(), this), tr("Lost time"), 0);
    if (!m_imported->transfers.empty())
        addList(lists, transfersTable(m_imported->transfers, rankNames(), this), tr("Messages"), 0);
    const AlignedClocks& clocks = m_imported->clocks();
    if (clocks.outcome == ClockOutcome::Unknown)
        return;
    QWidget* page = clocksPage(clocks, deviceNames(), this);
    addList(lists, page, tr("Clocks"), clocks.impossible);
}

void ImportPreview::addRepairs(QTabWidget& lists)
{
    const TraceRepairs& repairs = m_imported->trace.repairs;
    if (repairs.count == 0)
        return;
    const std::vector<std::string>& files = m_imported->trace.files;
    const bool rest = repairs.count > static_cast<std::int64_t>(repairs.list.size());
    QTableWidget* made = table({tr("Byte"), tr("What was mended"), tr("File")},
                               static_cast<int>(repairs.list.size()) + (rest ? 1 : 0), 0, 1);
    int row = 0;
    for (const TraceRepair& repair : repairs.list)
        fillRow(*made, row++,
                {text(groupedNumber(repair.position)), text(repair.text),
                 QFileInfo(text(files[static_cast<std::size_t>(repair.file)])).fileName()});
    if (rest)
        fillRow(*made, row,
                {QString(),
                 tr("and %1 more")
                     .arg(text(groupedNumber(repairs.count -
                                             static_cast<std::int64_t>(repairs.list.size())))),
                 QString()});
    made->setColumnHidden(2, files.size() < 2);
    made->resizeColumnsToContents();
    made->horizontalHeader()->setStretchLastSection(true);
    addList(lists, made, tr("Repairs"), repairs.count);
    // A mended file is not what it was; that is worth a look before anything else.
    lists.setCurrentWidget(made);
}

void ImportPreview::addSentences(QTabWidget& lists, const QString& title,
                                 const QStringList& sentences)
{
    if (sentences.isEmpty())
        return;
    auto* list = new QListWidget;
    list->setFrameShape(QFrame::NoFrame);
    list->setWordWrap(true);
    list->setSpacing(fontMetrics().height() / 6);
    list->addItems(sentences);
    addList(lists, list, title, static_cast<std::int64_t>(sentences.size()));
}

} // namespace pw::ui
