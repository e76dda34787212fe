// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/noise/noise_panel.h"

#include "ui/noise/spread_chart.h"
#include "ui/panels/field_form.h"
#include "ui/panels/quiet_table.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QSettings>
#include <QTableWidget>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr double usualPassSpread = 5;
/// Links in the table: those behind hardly move the end.
constexpr std::size_t mostLinkRows = 64;

QTableWidgetItem* noiseCell(const QString& words, bool number)
{
    auto* item = new QTableWidgetItem(words);
    item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    item->setToolTip(words);
    return item;
}

const QString passesId = QStringLiteral("noise-passes");
const QString messagesId = QStringLiteral("noise-messages");
const QString ranksId = QStringLiteral("noise-ranks");

QString noiseKey(const QString& id)
{
    return QStringLiteral("noise/") + id;
}

/// A spread in per cent, as its field was left.
double keptSpread(const QString& id)
{
    const double usual = id == passesId ? usualPassSpread : 0;
    return std::clamp(QSettings().value(noiseKey(id), usual).toDouble(), 0.0, 100 * largestSpread);
}

} // namespace

NoiseModel keptNoise()
{
    NoiseModel model;
    model.passSpread.fill(keptSpread(passesId) / 100);
    model.messageSpread = keptSpread(messagesId) / 100;
    model.rankSpread = keptSpread(ranksId) / 100;
    return model;
}

NoisePanel::NoisePanel(NoiseStudy& study, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_chart(new SpreadChart(this))
    , m_sentence(new QLabel(this))
    , m_table(new QTableWidget(0, 2, this))
{
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setObjectName(QStringLiteral("noise-sentence"));
    m_sentence->setToolTip(tr("Devices wait for the slowest of them, so noise makes runs longer "
                              "on average, too."));
    auto* middle = new QVBoxLayout;
    middle->addWidget(m_chart, 1);
    middle->addWidget(m_sentence);
    makeTable();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(16);
    layout->addWidget(makeFields());
    layout->addLayout(middle, 1);
    layout->addWidget(m_table, 1);
    connect(&m_study, &NoiseStudy::changed, this, &NoisePanel::refresh);
    refresh();
}

QWidget* NoisePanel::makeFields()
{
    auto* area = new QWidget(this);
    auto* form = new FieldForm(area);
    const auto field = [&](const QString& label, const QString& id, const QString& tip) {
        QDoubleSpinBox* box = form->addNumber(label, tr("%"), 1, id);
        box->setRange(0, 100 * largestSpread);
        box->setValue(keptSpread(id));
        box->setToolTip(tip);
        connect(box, &QDoubleSpinBox::valueChanged, this, [this, id](double value) {
            QSettings().setValue(noiseKey(id), value);
            Q_EMIT modelChanged();
        });
        return box;
    };
    m_passes = field(tr("Passes ±"), passesId,
                     tr("Standard deviation of each pass, in per cent of its time."));
    m_messages = field(tr("Messages ±"), messagesId,
                       tr("Standard deviation of each message, in per cent of its time."));
    m_ranks = field(tr("Devices ±"), ranksId,
                    tr("Standard deviation of a factor that a device keeps for a whole run."));
    auto* layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(form);
    layout->addStretch(1);
    area->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    return area;
}

void NoisePanel::makeTable()
{
    m_table->setObjectName(QStringLiteral("noise-table"));
    m_table->setAccessibleName(tr("What the end depends on"));
    m_table->setHorizontalHeaderLabels({tr("10 % slower"), tr("end later")});
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    makeQuiet(*m_table);
    m_table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->setToolTip(tr("How much longer the mean run becomes where this alone is slower."));
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_table->setMinimumWidth(fontMetrics().averageCharWidth() * 30);
}

NoiseModel NoisePanel::model() const
{
    NoiseModel model;
    model.passSpread.fill(m_passes->value() / 100);
    model.messageSpread = m_messages->value() / 100;
    model.rankSpread = m_ranks->value() / 100;
    return model;
}

void NoisePanel::setProblem(const QString& why)
{
    if (why == m_problem)
        return;
    m_problem = why;
    refresh();
}

QString NoisePanel::sentence() const
{
    return m_sentence->text();
}

void NoisePanel::refresh()
{
    const std::shared_ptr<const NoiseBands>& bands = m_study.bands();
    m_chart->setSamples(bands ? &bands->makespans : nullptr);
    if (!m_problem.isEmpty()) {
        m_sentence->setText(m_problem);
    } else if (!m_study.problem().isEmpty()) {
        m_sentence->setText(m_study.problem());
    } else if (!bands) {
        m_sentence->setText(m_study.busy() ? tr("Running it many times …") : QString());
    } else {
        const NoiseSamples& runs = bands->makespans;
        const auto nominal = static_cast<double>(runs.nominal);
        const double later = nominal > 0 ? runs.mean / nominal - 1 : 0;
        m_sentence->setText(
            tr("Nine of ten runs take %1 to %2; without noise %3. The mean is %4 longer.")
                .arg(durationText(runs.quantile(NoiseBand::lowPart)),
                     durationText(runs.quantile(NoiseBand::highPart)), durationText(nominal),
                     percentText(std::max(0.0, later))));
    }
    showSensitivity();
}

void NoisePanel::showSensitivity()
{
    const std::shared_ptr<const Sensitivity>& found = m_study.sensitivity();
    m_table->setRowCount(0);
    if (!found || !m_problem.isEmpty())
        return;
    const auto add = [&](const QString& what, const QString& tip, double longer) {
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        m_table->setItem(row, 0, noiseCell(what, false));
        m_table->setItem(row, 1, noiseCell(percentText(std::max(0.0, longer)), true));
        for (int column = 0; column < 2; ++column)
            m_table->item(row, column)->setToolTip(tip);
    };
    for (const Sensitivity::Rank& rank : found->ranks)
        add(tr("device %1").arg(rank.device),
            tr("Where the passes of device %1 take %2 longer, the mean run ends %3 later.")
                .arg(rank.device)
                .arg(percentText(found->rankSlower), percentText(std::max(0.0, rank.longer))),
            rank.longer);
    for (std::size_t i = 0; i < std::min(mostLinkRows, found->links.size()); ++i) {
        const Sensitivity::Link& link = found->links[i];
        add(tr("link %1 → %2, ×2").arg(link.from).arg(link.to),
            tr("Where messages from device %1 to device %2 take twice as long, the mean run ends "
               "%3 later.")
                .arg(link.from)
                .arg(link.to)
                .arg(percentText(std::max(0.0, link.longer))),
            link.longer);
    }
}

} // namespace pw::ui
