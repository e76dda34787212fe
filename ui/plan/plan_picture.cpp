// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_picture.h"

#include "core/sim/simulator.h"
#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"
#include "ui/timeline/time_scale.h"

#include <QPainter>

#include <algorithm>
#include <memory>
#include <utility>

namespace pw::ui {

namespace {

constexpr std::int64_t mostPictured = 400'000; ///< passes
constexpr double leastWithGap = 6;             ///< pixels of a lane

} // namespace

PlanPicture::PlanPicture(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("plan-picture"));
    setAccessibleName(tr("The chosen plan as it runs"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize PlanPicture::sizeHint() const
{
    constexpr int lane = 14, least = 96, most = 170;
    const int count = m_lanes != nullptr ? static_cast<int>(m_lanes->lanes().size()) : 0;
    return {400, std::clamp(count * lane, least, most)};
}

void PlanPicture::setLanes(LanesPtr lanes)
{
    m_lanes = std::move(lanes);
    updateGeometry();
    update();
}

void PlanPicture::setSentence(const QString& sentence)
{
    m_sentence = sentence;
    update();
}

void PlanPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_lanes == nullptr || m_lanes->lanes().empty() || m_lanes->spanCount() == 0) {
        painter.setPen(color(Role::Secondary));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_sentence);
        return;
    }
    const auto begin = static_cast<double>(m_lanes->begin());
    const double whole = std::max(1.0, static_cast<double>(m_lanes->end()) - begin);
    const TimeScale scale{begin, whole / std::max(1, width()), 0};
    const LanePainter lanes(*m_lanes, scale, ColorBy::Kind);
    const auto count = static_cast<double>(m_lanes->lanes().size());
    const double pitch = height() / count;
    QFont small = font();
    small.setPixelSize(std::clamp(static_cast<int>(pitch) - 4, 7, 11));
    painter.setFont(small);
    for (std::size_t lane = 0; lane < m_lanes->lanes().size(); ++lane) {
        const double top = std::round(pitch * static_cast<double>(lane));
        const double bottom = std::round(pitch * static_cast<double>(lane + 1));
        const QRectF area(0, top, width(), bottom - top - (pitch >= leastWithGap ? 1 : 0));
        if (area.height() < 1)
            continue;
        painter.save();
        painter.setClipRect(area);
        lanes.paint(painter, lane, area);
        painter.restore();
    }
}

LanesPtr pictureLanes(const Project& project)
{
    Result<Schedule> made = scheduleOf(project);
    if (!made || made->passCount() > mostPictured)
        return nullptr;
    const auto schedule = std::make_shared<const Schedule>(std::move(*made));
    const Result<SimResult> times = simulate(*schedule, costsOf(project));
    return times ? lanesOf(schedule, *times) : nullptr;
}

} // namespace pw::ui
