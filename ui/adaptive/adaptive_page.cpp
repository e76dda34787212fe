// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/adaptive/adaptive_page.h"

#include "core/families/family_traits.h"
#include "ui/adaptive/adaptive_charts.h"
#include "ui/core_sentences.h"
#include "ui/panels/field_form.h"
#include "ui/panels/quiet_table.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>

#include <algorithm>

namespace pw::ui {

namespace {

enum AdaptiveColumn
{
    NameColumn,
    GroupColumn,
    MicroBatchColumn,
    SimulatedColumn,
    GainColumn,
    RunColumn,
    OffColumn
};

QTableWidgetItem* adaptiveCell(const QString& words, bool number = true)
{
    auto* item = new QTableWidgetItem(words);
    item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return item;
}

/// Throughput of a run over another one, as a part.
double gainOf(Ticks own, Ticks other)
{
    return own > 0 ? static_cast<double>(other) / static_cast<double>(own) - 1 : 0;
}

QString signedPercent(double part)
{
    return (part > 0 ? QStringLiteral("+") : QString()) + percentText(part);
}

} // namespace

AdaptivePage::AdaptivePage(QWidget* parent)
    : Page(parent)
    , m_fields(new AdaptiveFields(this))
    , m_charts(new AdaptiveCharts(this))
    , m_table(new QTableWidget(0, 7, this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setChildrenCollapsible(false);
    split->addWidget(m_charts);
    makeTable();
    split->addWidget(m_table);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(makeHead());
    layout->addWidget(split, 1);
    m_delay.setSingleShot(true);
    m_delay.setInterval(150);
    connect(&m_delay, &QTimer::timeout, this, &AdaptivePage::simulateAgain);
    connect(m_fields, &AdaptiveFields::changed, &m_delay, qOverload<>(&QTimer::start));
    m_showDelay.setSingleShot(true);
    m_showDelay.setInterval(50);
    connect(&m_showDelay, &QTimer::timeout, this, &AdaptivePage::refresh);
    connect(&m_client, &AdaptiveClient::heard, this, &AdaptivePage::hear);
    connect(&m_client, &AdaptiveClient::ended, this, &AdaptivePage::finish);
    m_delay.start();
    refresh();
}

AdaptivePage::~AdaptivePage() = default;

QWidget* AdaptivePage::makeHead()
{
    auto* head = new QWidget(this);
    m_sentence = new QLabel(head);
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setObjectName(QStringLiteral("adaptive-sentence"));
    m_backend = new QComboBox(head);
    m_backend->setObjectName(QStringLiteral("adaptive-backend"));
    m_backend->setAccessibleName(tr("Backend"));
    m_backend->addItems({tr("emulated"), tr("cpu, tiny model")});
    m_backend->setToolTip(tr("Emulated: passes take the times above. cpu: a tiny model is trained; "
                             "its passes are measured, and messages are delayed as said above."));
    calm(m_backend);
    m_eachFixed = new QCheckBox(tr("each fixed k, too"), head);
    m_eachFixed->setObjectName(QStringLiteral("adaptive-fixed"));
    m_eachFixed->setToolTip(tr("Runs every k over the same network, for as many iterations."));
    m_button = new QPushButton(head);
    m_button->setObjectName(QStringLiteral("adaptive-run"));
    m_button->setMinimumHeight(26);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_client.running())
            stop();
        else
            Q_EMIT runAsked();
    });
    auto* row = new QHBoxLayout;
    row->addWidget(m_sentence, 1);
    row->addWidget(m_eachFixed, 0, Qt::AlignTop);
    row->addWidget(m_backend, 0, Qt::AlignTop);
    row->addWidget(m_button, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(head);
    layout->setContentsMargins(12, 8, 12, 0);
    layout->setSpacing(6);
    layout->addWidget(m_fields);
    layout->addLayout(row);
    return head;
}

void AdaptivePage::makeTable()
{
    m_table->setObjectName(QStringLiteral("adaptive-table"));
    m_table->setAccessibleName(tr("Every k over the same network"));
    m_table->setHorizontalHeaderLabels({tr("order"), tr("k"), tr("micro-batch"), tr("simulated"),
                                        tr("over 1F1B"), tr("run"), tr("off")});
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    makeQuiet(*m_table);
    m_table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int column = 1; column < m_table->columnCount(); ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->horizontalHeaderItem(OffColumn)->setToolTip(tr("run over simulated"));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(NameColumn, QHeaderView::ResizeToContents);
    m_table->setMinimumHeight(fontMetrics().height() * 8);
}

bool AdaptivePage::modelled() const
{
    return m_backend->currentIndex() == 0;
}

QString AdaptivePage::sentence() const
{
    return m_sentence->text();
}

void AdaptivePage::simulateAgain()
{
    const Result<AdaptiveAsked> asked = m_fields->asked();
    if (!asked) {
        m_work.drop();
        m_simulated.reset();
        m_fields->refuse(coreSentence(asked.error().message));
        return refresh();
    }
    m_work.begin([this, asked = *asked](const std::atomic<bool>& stop) {
        auto made = std::make_shared<Result<AdaptComparison>>(compareGroupings(
            asked.problem, asked.iterations, asked.every, 1, [&stop] { return stop.load(); }));
        return LatestWork::Answer([this, made] {
            m_fields->refuse(*made ? QString() : coreSentence(made->error().message));
            m_simulated = *made ? std::make_shared<const AdaptComparison>(std::move(**made))
                                : std::shared_ptr<const AdaptComparison>();
            refresh();
        });
    });
    showSentence();
}

void AdaptivePage::run(const QStringList& program)
{
    if (m_client.running())
        return;
    if (const Result<AdaptiveAsked> asked = m_fields->asked(); !asked) {
        Q_EMIT refused(coreSentence(asked.error().message));
        return;
    }
    QStringList words = program;
    words << QStringLiteral("run") << text(regroupingFamily().id) << QStringLiteral("--adapt")
          << QStringLiteral("--wire") << QStringLiteral("--attended")
          << QStringLiteral("--no-store");
    words += m_fields->arguments(modelled());
    words << QStringLiteral("--backend")
          << (modelled() ? QStringLiteral("emulated") : QStringLiteral("cpu"));
    if (!modelled())
        words << QStringLiteral("--size") << QStringLiteral("tiny");
    if (m_eachFixed->isChecked())
        words << QStringLiteral("--compare-fixed");
    m_outline.reset();
    m_points.clear();
    m_totals.reset();
    m_saying.clear();
    m_client.start(words);
    refresh();
}

void AdaptivePage::stop()
{
    m_client.stop();
}

void AdaptivePage::hear(const AdaptiveLine& line)
{
    if (const auto* outline = std::get_if<AdaptiveOutline>(&line))
        m_outline = *outline;
    else if (const auto* point = std::get_if<AdaptivePoint>(&line))
        m_points.push_back(*point);
    else if (const auto* totals = std::get_if<AdaptiveTotals>(&line))
        m_totals = *totals;
    else if (const auto* saying = std::get_if<AdaptiveSaying>(&line))
        m_saying = text(saying->words);
    if (!m_showDelay.isActive())
        m_showDelay.start();
}

void AdaptivePage::finish(const Trouble& trouble)
{
    m_saying.clear();
    if (trouble)
        Q_EMIT refused(trouble.advice.isEmpty() ? trouble.what
                                                : trouble.what + QLatin1Char(' ') + trouble.advice);
    refresh();
}

void AdaptivePage::refresh()
{
    m_button->setText(m_client.running() ? tr("Stop") : tr("▶ Run"));
    m_charts->showRuns(m_simulated.get(), m_points);
    showTable();
    showSentence();
    Q_EMIT figuresChanged();
    Q_EMIT changed();
}

void AdaptivePage::showTable()
{
    const std::vector<GroupingPair> pairs = m_simulated ? m_simulated->pairs
                                            : m_outline ? m_outline->pairs
                                                        : std::vector<GroupingPair>();
    // Times of a training are measured: what was simulated from the fields is another thing.
    const bool same = m_outline && m_simulated && m_outline->pairs == m_simulated->pairs;
    const auto fixedRun = [&](std::size_t pair) {
        return same && m_totals && pair < m_totals->fixedRun.size() ? m_totals->fixedRun[pair]
                                                                    : Ticks{0};
    };
    m_table->setRowCount(static_cast<int>(pairs.size()) + (pairs.empty() ? 0 : 1));
    const auto fill = [&](int row, const QString& name, const GroupingPair* pair, Ticks simulated,
                          Ticks run) {
        const auto set = [&](int column, const QString& words, bool number = true) {
            m_table->setItem(row, column, adaptiveCell(words, number));
        };
        const QString dash = QStringLiteral("–");
        set(NameColumn, name, false);
        set(GroupColumn, pair != nullptr ? QString::number(pair->group) : QString());
        set(MicroBatchColumn, pair != nullptr ? QString::number(pair->microBatch) : QString());
        set(SimulatedColumn, simulated > 0 ? columnTimeText(simulated) : dash);
        set(GainColumn, simulated > 0
                            ? signedPercent(gainOf(simulated, m_simulated->fixed.front().total))
                            : dash);
        set(RunColumn, run > 0 ? columnTimeText(run) : dash);
        const bool compared = run > 0 && simulated > 0 && modelled();
        set(OffColumn,
            compared ? signedPercent(static_cast<double>(run) / static_cast<double>(simulated) - 1)
                     : dash);
    };
    for (std::size_t i = 0; i < pairs.size(); ++i)
        fill(static_cast<int>(i), i == 0 ? tr("1F1B") : tr("kFkB"), &pairs[i],
             m_simulated ? m_simulated->fixed[i].total : 0, fixedRun(i));
    if (!pairs.empty()) {
        fill(static_cast<int>(pairs.size()), tr("k that follows the network"), nullptr,
             m_simulated ? m_simulated->adaptive.total : 0, m_totals ? m_totals->run : 0);
        QTableWidgetItem* last = m_table->item(static_cast<int>(pairs.size()), NameColumn);
        QFont bold = last->font();
        bold.setWeight(QFont::DemiBold);
        for (int column = 0; column < m_table->columnCount(); ++column)
            m_table->item(static_cast<int>(pairs.size()), column)->setFont(bold);
    }
}

void AdaptivePage::showSentence()
{
    QStringList parts;
    if (m_simulated && !m_simulated->fixed.empty()) {
        const AdaptedRun& own = m_simulated->adaptive;
        parts << tr("Simulated: %1 over 1F1B, with %2 of k.")
                     .arg(signedPercent(gainOf(own.total, m_simulated->fixed.front().total)),
                          plural(own.switches, Noun::Switch));
    } else if (busy()) {
        parts << tr("Simulating …");
    }
    if (m_client.running() && m_outline)
        parts << tr("Running: iteration %1 of %2.").arg(m_points.size()).arg(m_outline->iterations);
    else if (m_client.running())
        parts << tr("Starting …");
    const bool within =
        m_outline && !m_points.empty() &&
        m_points.size() < static_cast<std::size_t>(std::max(m_outline->iterations, 1));
    if (m_client.running() && !m_saying.isEmpty() && !within)
        parts << tr("(%1)").arg(m_saying);
    if (m_totals) {
        parts << tr("Run: %1, with %2 of k.")
                     .arg(durationText(static_cast<double>(m_totals->run)),
                          plural(m_totals->switches, Noun::Switch));
        if (!m_totals->fixedRun.empty())
            parts << tr("Throughput %1 over 1F1B as run.")
                         .arg(signedPercent(gainOf(m_totals->run, m_totals->fixedRun.front())));
    }
    m_sentence->setText(parts.join(QLatin1Char(' ')));
}

} // namespace pw::ui
