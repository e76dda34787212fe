// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/losses_view.h"

#include "ui/charts/loss_curves.h"

#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace pw::ui {

namespace {

/// Runs that differ by their seed alone.
struct AlikeRuns
{
    QString training;
    std::vector<const ComparedRow*> rows;
};

std::vector<AlikeRuns> alikeRuns(const std::vector<ComparedRow>& rows)
{
    std::vector<AlikeRuns> all;
    for (const ComparedRow& row : rows) {
        if (row.lengths == nullptr || row.lengths->losses.empty())
            continue;
        const auto known = std::find_if(all.begin(), all.end(), [&](const AlikeRuns& one) {
            return one.training == row.lengths->training;
        });
        AlikeRuns& into =
            known != all.end() ? *known : all.emplace_back(AlikeRuns{row.lengths->training, {}});
        into.rows.push_back(&row);
    }
    return all;
}

LossCurve curveOf(const AlikeRuns& runs)
{
    LossCurve curve;
    curve.title = runs.rows.front()->title;
    if (runs.rows.size() > 1)
        curve.title = LossesView::tr("%1 and %2 more")
                          .arg(curve.title)
                          .arg(static_cast<int>(runs.rows.size()) - 1);
    std::size_t longest = 0;
    for (const ComparedRow* row : runs.rows)
        longest = std::max(longest, row->lengths->losses.size());
    constexpr std::size_t most = 20'000; // more than a screen has columns
    const auto stride = static_cast<std::int32_t>(longest / most + 1);
    std::map<std::int32_t, std::vector<double>> steps;
    for (const ComparedRow* row : runs.rows)
        for (const StepLoss& loss : row->lengths->losses)
            if (loss.step % stride == 0)
                steps[loss.step].push_back(loss.loss);
    for (const auto& [step, losses] : steps) {
        double sum = 0;
        for (const double loss : losses)
            sum += loss;
        curve.points.push_back({step + 1, sum / static_cast<double>(losses.size()),
                                *std::min_element(losses.begin(), losses.end()),
                                *std::max_element(losses.begin(), losses.end())});
    }
    return curve;
}

} // namespace

LossesView::LossesView(QWidget* parent)
    : QWidget(parent)
    , m_chart(new LossCurves(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->addWidget(m_chart);
}

void LossesView::show(const std::vector<ComparedRow>& rows)
{
    std::vector<LossCurve> curves;
    for (const AlikeRuns& runs : alikeRuns(rows))
        curves.push_back(curveOf(runs));
    m_chart->setCurves(std::move(curves));
}

} // namespace pw::ui
