// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/sweep_part.h"

#include "core/base/stop.h"
#include "core/base/text.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/panels/field_bar.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr int mostSwept = 4096;

enum SweepShown
{
    ShownBubble,
    ShownPerMicroBatch,
    ShownMakespan,
    ShownPeak
};

double sweptValue(const Ranked& point, SweepShown shown, bool bytes)
{
    const auto makespan = static_cast<double>(point.makespan);
    switch (shown) {
    case ShownBubble:
        return 100 * point.wallBubble;
    case ShownPerMicroBatch:
        return makespan / point.candidate.options.microBatches;
    case ShownMakespan:
        return makespan;
    case ShownPeak:
        return bytes ? static_cast<double>(point.peakBytes) : point.peakMicroBatches;
    }
    return 0;
}

} // namespace

SweepPart::SweepPart(std::function<RankQuestion()> question, QWidget* parent)
    : QWidget(parent)
    , m_question(std::move(question))
    , m_fields(new FieldBar(4, this))
    , m_chart(new CurveChart(this))
{
    makeFields();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_fields, 0, Qt::AlignLeft);
    layout->addWidget(m_chart, 1);
    m_chart->setSentence(tr("Choose what is swept: one curve a family."));
    connect(m_sweep, &QComboBox::currentIndexChanged, this, [this] {
        setRange();
        begin();
    });
    connect(m_from, &QSpinBox::valueChanged, this, &SweepPart::begin);
    connect(m_to, &QSpinBox::valueChanged, this, &SweepPart::begin);
    connect(m_shown, &QComboBox::currentIndexChanged, this, &SweepPart::show);
    connect(m_chart, &CurveChart::told, this, &SweepPart::told);
    connect(m_chart, &CurveChart::chosen, this, &SweepPart::chosen);
    begin();
}

void SweepPart::makeFields()
{
    m_sweep = m_fields->addChoice(
        tr("Sweep"), {tr("none"), tr("devices"), tr("micro-batches"), tr("k"), tr("chunks")},
        QStringLiteral("sweep"));
    m_sweep->setToolTip(tr("Curves over a number: k of kFkB and groups, chunks a device."));
    m_from = m_fields->addCount(tr("Fro&m"), 1, mostSwept, 2, QStringLiteral("from"));
    m_to = m_fields->addCount(tr("T&o"), 1, mostSwept, 16, QStringLiteral("to"));
    m_shown = m_fields->addChoice(
        tr("Sho&w"), {tr("bubble"), tr("time of a micro-batch"), tr("makespan"), tr("peak")},
        QStringLiteral("shown"));
}

/// Ranges that mean something for each of them.
void SweepPart::setRange()
{
    const QSignalBlocker noFrom(m_from), noTo(m_to);
    const auto sweep = static_cast<SweepOf>(m_sweep->currentIndex());
    const int devices = m_question().devices;
    m_from->setValue(sweep == SweepOf::Devices ? 2 : sweep == SweepOf::MicroBatches ? devices : 1);
    m_to->setValue(sweep == SweepOf::Devices        ? 16
                   : sweep == SweepOf::MicroBatches ? 16 * devices
                   : sweep == SweepOf::Group        ? 2 * devices
                                                    : 4);
}

bool SweepPart::on() const
{
    return m_sweep->currentIndex() != static_cast<int>(SweepOf::Nothing);
}

void SweepPart::begin()
{
    for (QWidget* field : {static_cast<QWidget*>(m_from), static_cast<QWidget*>(m_to),
                           static_cast<QWidget*>(m_shown)})
        field->setEnabled(on());
    m_curves.clear();
    show();
    if (!on()) {
        m_work.drop();
        return;
    }
    m_chart->setSentence(tr("Sweeping …"));
    m_work.begin(
        [this, asked = m_question(), what = static_cast<SweepOf>(m_sweep->currentIndex()),
         values = sweepValues(m_from->value(), m_to->value())](const std::atomic<bool>& stop) {
            const StopScope scope(stop);
            auto curves = std::make_shared<std::vector<SweepCurve>>();
            for (const RankCandidate& candidate : sweepCandidates(asked, what)) {
                if (stop)
                    return LatestWork::Answer();
                curves->push_back(sweepOf(asked, candidate, what, values));
            }
            return LatestWork::Answer([this, curves] {
                m_curves = std::move(*curves);
                m_chart->setSentence(tr("No family takes these numbers; choose others."));
                show();
                Q_EMIT changed();
            });
        });
    Q_EMIT changed();
}

void SweepPart::setCurrent(const QString& name)
{
    m_chart->setCurrent(name);
}

void SweepPart::show()
{
    const auto shown = static_cast<SweepShown>(m_shown->currentIndex());
    const bool bytes = std::any_of(m_curves.begin(), m_curves.end(), [](const SweepCurve& curve) {
        return std::any_of(curve.points.begin(), curve.points.end(),
                           [](const Ranked& point) { return point.peakBytes > 0; });
    });
    std::vector<PlotCurve> curves;
    double longest = 0;
    for (const SweepCurve& one : m_curves) {
        PlotCurve curve{text(one.name), {}};
        for (std::size_t i = 0; i < one.points.size(); ++i) {
            curve.points.emplace_back(one.values[i], sweptValue(one.points[i], shown, bytes));
            longest = std::max(longest, curve.points.back().y());
        }
        curves.push_back(std::move(curve));
    }
    const Unit unit = timeUnit(static_cast<Ticks>(longest));
    PlotAxis across;
    across.title = m_sweep->currentText();
    across.whole = true;
    across.write = [](double value) { return text(plainNumber(value)); };
    PlotAxis up;
    up.title = m_shown->currentText();
    up.sizes = shown == ShownPeak && bytes;
    up.write = [shown, bytes, unit](double value) {
        if (shown == ShownBubble)
            return text(plainNumber(value) + " %");
        if (shown == ShownPeak)
            return bytes ? bytesText(value) : text(plainNumber(value) + " mb");
        return text(plainNumber(value / unit.size) + " " + std::string(unit.name));
    };
    m_chart->setAxes(across, up);
    m_chart->setCurves(std::move(curves));
}

} // namespace pw::ui
