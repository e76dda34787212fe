// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/help/glossary_picture.h"

#include "core/families/family.h"
#include "core/sim/explain.h"
#include "core/sim/simulator.h"
#include "ui/help/glossary_sketches.h"
#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>

#include <algorithm>
#include <memory>
#include <optional>

namespace pw::ui {

namespace {

constexpr int sketchLane = 18; // points
constexpr int sketchMarks = 14;
constexpr int sketchMemory = 34;

QStringList sketchWords(std::string_view words)
{
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()))
        .split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/// The schedule of a sketch with its times; nothing where the family refuses.
struct SketchedOrder
{
    std::shared_ptr<const Schedule> schedule;
    Costs costs;
    SimResult result;
    LanesPtr lanes;
};

std::optional<SketchedOrder> orderOf(const GlossarySketch& sketch)
{
    const auto family = findFamily(std::string(sketch.family));
    if (!family)
        return std::nullopt;
    FamilyOptions options;
    options.devices = sketch.devices;
    options.microBatches = sketch.microBatches;
    const QStringList given = sketchWords(sketch.options);
    for (const QString& option : given) {
        const QString name = option.section(QLatin1Char('='), 0, 0);
        const double value = option.section(QLatin1Char('='), 1).toDouble();
        if (name == QLatin1String("steps"))
            options.steps = static_cast<int>(value);
        else if (name == QLatin1String("updates"))
            options.updates = true;
        else
            options.parameters.emplace_back(name.toStdString(), value);
    }
    const auto spec = specOf(**family, options);
    if (!spec)
        return std::nullopt;
    UniformCosts uniform;
    uniform.update = ticksPerMs / 2;
    const Costs costs = expand(uniform, *spec);
    auto schedule = (*family)->build(*spec, options, costs);
    if (!schedule)
        return std::nullopt;
    SketchedOrder made;
    made.schedule = std::make_shared<const Schedule>(std::move(*schedule));
    made.costs = costs;
    auto result = simulate(*made.schedule, costs);
    if (!result)
        return std::nullopt;
    made.result = std::move(*result);
    made.lanes = lanesOf(made.schedule, made.result);
    return made;
}

class GlossarySketcher
{
public:
    GlossarySketcher(const GlossarySketch& sketch, const SketchedOrder& order, int width)
        : m_sketch(sketch)
        , m_order(order)
        , m_lit(sketchWords(sketch.lit))
        , m_marks(sketchWords(sketch.marks))
        , m_width(width)
    {
        m_scale.begin = 0;
        m_scale.left = 0;
        m_scale.ticksPerPixel =
            static_cast<double>(std::max<Ticks>(1, order.lanes->end())) / std::max(1, width - 4);
        if (m_lit.contains(QLatin1String("critical")))
            for (const CriticalEntry& entry :
                 criticalPath(*order.schedule, order.costs, order.result))
                m_critical.push_back(entry.entry);
    }

    int height() const
    {
        return static_cast<int>(lanes().size()) * sketchLane + (hasStretch() ? sketchMarks : 0) +
               (memoryDevice() >= 0 ? sketchMemory : 0);
    }

    void paint(QPainter& painter) const
    {
        const LanePainter blocks(*m_order.lanes, m_scale, ColorBy::Kind);
        for (std::size_t lane = 0; lane < lanes().size(); ++lane) {
            const QRectF area = laneArea(static_cast<int>(lane));
            painter.fillRect(area, color(Role::Lane));
            blocks.paint(painter, lane, area);
            fade(painter, static_cast<int>(lane), area);
        }
        if (m_lit.contains(QLatin1String("gaps")))
            frameGaps(painter);
        for (const QString& mark : m_marks)
            paintMark(painter, mark);
        if (const int device = memoryDevice(); device >= 0)
            paintMemory(painter, device);
    }

private:
    const std::vector<Lane>& lanes() const { return m_order.lanes->lanes(); }

    QRectF laneArea(int lane) const
    {
        return {0, static_cast<double>(lane * sketchLane), static_cast<double>(m_width),
                sketchLane - 2.0};
    }

    QRectF box(SpanRef span) const
    {
        const Lane& lane = lanes()[static_cast<std::size_t>(span.lane)];
        const auto at = static_cast<std::size_t>(span.index);
        const QRectF area = laneArea(span.lane);
        return {QPointF(m_scale.x(lane.start[at]), area.top()),
                QPointF(m_scale.x(lane.end[at]), area.bottom())};
    }

    bool hasStretch() const
    {
        return std::any_of(m_marks.begin(), m_marks.end(), [](const QString& mark) {
            return mark.contains(QLatin1Char('-')) || mark.contains(QLatin1Char('|'));
        });
    }

    int memoryDevice() const
    {
        for (const QString& mark : m_marks)
            if (mark.startsWith(QLatin1String("memory@")))
                return mark.section(QLatin1Char('@'), 1).toInt();
        return -1;
    }

    /// "F1@0": the pass of a kind and a micro-batch on a device.
    bool isPass(const QString& word, int lane, const Pass& pass) const
    {
        return word == QStringLiteral("%1%2@%3")
                           .arg(QLatin1String(name(pass.kind).data(),
                                              static_cast<qsizetype>(name(pass.kind).size())))
                           .arg(pass.microBatch)
                           .arg(lane);
    }

    std::optional<SpanRef> find(const QString& word) const
    {
        for (int lane = 0; lane < static_cast<int>(lanes().size()); ++lane)
            for (std::size_t i = 0; i < lanes()[static_cast<std::size_t>(lane)].size(); ++i) {
                const SpanRef span{lane, static_cast<std::int64_t>(i)};
                if (isPass(word, lane, m_order.lanes->pass(span)))
                    return span;
            }
        return std::nullopt;
    }

    /// Before the first backward of a device, behind its last forward, or between the two.
    QString phaseOf(SpanRef span) const
    {
        const std::size_t size = lanes()[static_cast<std::size_t>(span.lane)].size();
        const auto at = static_cast<std::size_t>(span.index);
        const auto forward = [&](std::size_t i) {
            return m_order.lanes->pass({span.lane, static_cast<std::int64_t>(i)}).kind ==
                   PassKind::F;
        };
        std::size_t back = 0, last = size;
        while (back < size && forward(back))
            ++back;
        while (last > 0 && !forward(last - 1))
            --last;
        // The forward right before the first backward is of the steady state.
        if (at + 1 < back)
            return QStringLiteral("warm");
        return at > last ? QStringLiteral("cool") : QStringLiteral("steady");
    }

    bool lit(SpanRef span) const
    {
        const Lane& lane = lanes()[static_cast<std::size_t>(span.lane)];
        const auto at = static_cast<std::size_t>(span.index);
        const Pass pass = m_order.lanes->pass(span);
        const std::string_view kind = name(pass.kind);
        const int chunk = pass.stage / std::max(1, m_order.schedule->spec().devices);
        for (const QString& word : m_lit) {
            if (word == QLatin1String("all") ||
                word == QLatin1String(kind.data(), static_cast<qsizetype>(kind.size())) ||
                word == QStringLiteral("mb%1").arg(pass.microBatch) ||
                word == QStringLiteral("device%1").arg(span.lane) ||
                word == QStringLiteral("route%1").arg(pass.route) ||
                word == QStringLiteral("chunk%1").arg(chunk) || word == phaseOf(span) ||
                (word == QLatin1String("pairs") && lane.look[at].paired) ||
                isPass(word, span.lane, pass))
                return true;
        }
        return std::find(m_critical.begin(), m_critical.end(), lane.entry[at]) != m_critical.end();
    }

    /// What the word is not about becomes pale.
    void fade(QPainter& painter, int lane, const QRectF& area) const
    {
        if (m_sketch.lit == "all")
            return;
        QColor veil = color(Role::Lane);
        veil.setAlphaF(0.72F);
        const Lane& own = lanes()[static_cast<std::size_t>(lane)];
        for (std::size_t i = 0; i < own.size(); ++i)
            if (const SpanRef span{lane, static_cast<std::int64_t>(i)}; !lit(span))
                painter.fillRect(box(span) & area, veil);
    }

    void frameGaps(QPainter& painter) const
    {
        painter.setPen(QPen(color(Role::Accent), 1.4));
        painter.setBrush(Qt::NoBrush);
        for (int lane = 0; lane < static_cast<int>(lanes().size()); ++lane) {
            const Lane& own = lanes()[static_cast<std::size_t>(lane)];
            Ticks behind = 0;
            for (std::size_t i = 0; i <= own.size(); ++i) {
                const Ticks to = i < own.size() ? own.start[i] : m_order.lanes->end();
                if (to > behind) {
                    const QRectF area = laneArea(lane);
                    painter.drawRect(QRectF(QPointF(m_scale.x(behind), area.top()),
                                            QPointF(m_scale.x(to), area.bottom()))
                                         .adjusted(1, 1, -1, -1));
                }
                if (i < own.size())
                    behind = own.end[i];
            }
        }
    }

    void paintMark(QPainter& painter, const QString& mark) const
    {
        for (const QChar sign : {QLatin1Char('>'), QLatin1Char('-'), QLatin1Char('|')}) {
            if (mark.count(sign) != 1)
                continue;
            const auto from = find(mark.section(sign, 0, 0));
            const auto to = find(mark.section(sign, 1));
            if (!from || !to)
                return;
            if (sign == QLatin1Char('>'))
                paintArrow(painter, box(*from), box(*to));
            else
                paintStretch(painter, box(*from).left(),
                             sign == QLatin1Char('-') ? box(*to).right() : box(*to).left());
            return;
        }
    }

    void paintArrow(QPainter& painter, const QRectF& from, const QRectF& to) const
    {
        const bool down = to.top() > from.top();
        const QPointF begin(from.right() - 2, down ? from.bottom() - 3 : from.top() + 3);
        const QPointF end(to.left() + 5, down ? to.top() + 5 : to.bottom() - 5);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color(Role::Text), 1.6));
        painter.drawLine(begin, end);
        painter.setBrush(color(Role::Text));
        painter.setPen(Qt::NoPen);
        const double turn = down ? 1 : -1;
        painter.drawPolygon(QPolygonF({end + QPointF(0, 3 * turn), end + QPointF(-4, -3 * turn),
                                       end + QPointF(4, -3 * turn)}));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }

    void paintStretch(QPainter& painter, double left, double right) const
    {
        const double y = static_cast<double>(lanes().size()) * sketchLane + sketchMarks / 2.0;
        painter.setPen(QPen(color(Role::Accent), 1.6));
        painter.drawLine(QPointF(left, y), QPointF(right, y));
        for (const double x : {left, right})
            painter.drawLine(QPointF(x, y - 4), QPointF(x, y + 4));
    }

    /// Micro-batches that a device holds, over time, from F to the pass that frees them.
    void paintMemory(QPainter& painter, int device) const
    {
        const Lane& lane = lanes()[static_cast<std::size_t>(device)];
        std::vector<std::pair<Ticks, int>> changes;
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const Pass pass = m_order.lanes->pass({device, static_cast<std::int64_t>(i)});
            if (pass.kind == PassKind::F)
                changes.emplace_back(lane.start[i], 1);
            else if (pass.kind == PassKind::BW || pass.kind == PassKind::W)
                changes.emplace_back(lane.end[i], -1);
        }
        std::sort(changes.begin(), changes.end());
        int held = 0, most = 1;
        for (const auto& [time, by] : changes)
            most = std::max(most, held += by);
        const double bottom = height() - 1.0;
        const double unit = (sketchMemory - 10.0) / (most + 0.5);
        QPainterPath path(QPointF(0, bottom));
        held = 0;
        for (const auto& [time, by] : changes) {
            path.lineTo(m_scale.x(time), bottom - held * unit);
            held += by;
            path.lineTo(m_scale.x(time), bottom - held * unit);
        }
        path.lineTo(m_scale.x(m_order.lanes->end()), bottom);
        QColor ground = color(Role::Forward);
        ground.setAlphaF(0.35F);
        painter.fillPath(path, ground);
        painter.strokePath(path, QPen(color(Role::Forward), 1.2));
        for (const QString& mark : m_marks) {
            if (!mark.startsWith(QLatin1String("cap@")))
                continue;
            const double y = bottom - mark.section(QLatin1Char('@'), 1).toInt() * unit;
            painter.setPen(QPen(color(Role::Refusal), 1.2, Qt::DashLine));
            painter.drawLine(QPointF(0, y), QPointF(m_width, y));
        }
    }

    const GlossarySketch& m_sketch;
    const SketchedOrder& m_order;
    QStringList m_lit;
    QStringList m_marks;
    int m_width;
    TimeScale m_scale;
    std::vector<std::int32_t> m_critical;
};

} // namespace

QImage glossaryPicture(const QString& word, int width, double ratio)
{
    const GlossarySketch* sketch = glossarySketch(word.toStdString());
    if (sketch == nullptr)
        return {};
    const auto order = orderOf(*sketch);
    if (!order)
        return {};
    const GlossarySketcher sketcher(*sketch, *order, width);
    QImage image(QSize(qRound(width * ratio), qRound(sketcher.height() * ratio)),
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    QFont small = QGuiApplication::font();
    small.setPointSizeF(small.pointSizeF() * 0.75);
    painter.setFont(small);
    sketcher.paint(painter);
    return image;
}

} // namespace pw::ui
