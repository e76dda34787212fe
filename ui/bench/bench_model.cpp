// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/bench_model.h"

#include "core/base/try.h"
#include "core/block/check.h"
#include "core/block/draw.h"
#include "core/families/default_family.h"
#include "core/families/family.h"
#include "core/model/schedule.h"
#include "ui/plural.h"

#include <algorithm>

namespace pw::ui {

namespace {

QString qt(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace

BenchModel::BenchModel(QObject* parent)
    : QObject(parent)
{
    if (Result<BenchSheet> sheet = familySheet({std::string(defaultBlockFamily), {}}, 4); sheet)
        m_sheet = *std::move(sheet);
    refresh();
}

const Result<Assembly>& BenchModel::assembly() const
{
    if (m_assembly)
        return *m_assembly;
    const BuildingBlock& made = block();
    const std::size_t passes =
        made.passes.size() * static_cast<std::size_t>(microBatches() / made.microBatches + 1);
    if (!m_findings.refusal.isEmpty()) {
        m_assembly = fail(ErrorCode::BadSchedule, m_findings.refusal.toStdString());
    } else if (passes > mostAssembled) {
        m_assembly = fail(ErrorCode::TooLarge,
                          tr("%1 passes are more than the bench assembles, which is %2: take "
                             "fewer micro-batches.")
                              .arg(passes)
                              .arg(mostAssembled)
                              .toStdString());
    } else {
        const BlockRun run{made, microBatches()};
        m_assembly = assemble(std::span<const BlockRun>(&run, 1));
    }
    return *m_assembly;
}

QString BenchModel::title() const
{
    return qt(m_sheet.block.title);
}

Ticks BenchModel::grid() const
{
    Ticks shortest = maxBlockTicks;
    for (const BlockPass& placed : block().passes)
        shortest = std::min(shortest, placed.duration);
    return block().passes.empty() ? 1 : std::max<Ticks>(1, shortest / 10);
}

Result<BenchSheet> BenchModel::familySheet(FamilyChoice choice, int devices) const
{
    choice.options.devices = devices;
    // A block knows no end; some families only ask that there are enough, in whole rounds.
    choice.options.microBatches = 4 * devices;
    PW_TRY(const Family* family, findFamily(choice.id));
    if (family->block == nullptr)
        return fail(ErrorCode::BadValue,
                    tr("%1 has no building block").arg(qt(family->title)).toStdString());
    if (const Result<PipelineSpec> shape = specOf(*family, choice.options); !shape)
        return fail(shape.error());
    PW_TRY(BuildingBlock made, family->block(choice.options));
    made.title = std::string(family->title);
    return BenchSheet{std::move(made), m_sheet.microBatches, std::move(choice)};
}

Result<void> BenchModel::startFromFamily(const QString& id)
{
    PW_TRY(BenchSheet sheet, familySheet({id.toStdString(), {}}, m_sheet.block.devices));
    const QString name = qt(sheet.block.title);
    return change(std::move(sheet), tr("Start from %1").arg(name));
}

Result<void> BenchModel::start(BuildingBlock block, const QString& text)
{
    PW_DO(checkPasses(block));
    return change({std::move(block), m_sheet.microBatches, std::nullopt}, text);
}

void BenchModel::clear()
{
    BuildingBlock empty = m_sheet.block;
    empty.title.clear();
    empty.passes.clear();
    if (const Result<void> cleared = start(std::move(empty), tr("Start empty")); !cleared)
        return; // cannot be: the shape is one that the bench has
}

void BenchModel::setTitle(const QString& title)
{
    BenchSheet next = m_sheet;
    next.block.title = title.trimmed().toStdString();
    if (const Result<void> named = change(std::move(next), tr("Name")); !named)
        return; // cannot be: a name changes no pass
}

Result<void> BenchModel::setMicroBatches(int count)
{
    if (count < 1 || count > mostMicroBatches)
        return fail(
            ErrorCode::BadValue,
            tr("The bench assembles 1 to %1 micro-batches.").arg(mostMicroBatches).toStdString());
    BenchSheet next = m_sheet;
    next.microBatches = count;
    return change(std::move(next), plural(count, Noun::MicroBatch), QStringLiteral("m"));
}

Result<void> BenchModel::setInterval(Ticks interval)
{
    BuildingBlock next = m_sheet.block;
    next.interval = interval;
    return redraw(std::move(next), tr("Interval %1").arg(interval), QStringLiteral("interval"));
}

Result<void> BenchModel::setLeastInterval()
{
    const std::optional<Ticks> least = leastInterval(m_sheet.block);
    if (!least)
        return fail(ErrorCode::BadSchedule,
                    tr("Two passes of the block itself meet: no interval helps.").toStdString());
    return setInterval(*least);
}

Result<void> BenchModel::setDevices(int devices)
{
    if (devices < 1 || devices > mostDevices)
        return fail(ErrorCode::BadValue,
                    tr("The bench has 1 to %1 devices.").arg(mostDevices).toStdString());
    if (devices == m_sheet.block.devices)
        return {};
    const QString text = plural(devices, Noun::Device);
    if (m_sheet.source) {
        Result<BenchSheet> sheet = familySheet(*m_sheet.source, devices);
        return sheet ? change(*std::move(sheet), text, QStringLiteral("devices"))
                     : Result<void>(fail(sheet.error()));
    }
    const PlacementShape kept = shape();
    if (kept == PlacementShape::Own)
        return fail(ErrorCode::BadValue, tr("The stages of this block are placed in a way of its "
                                            "own: choose a placement first.")
                                             .toStdString());
    Result<BuildingBlock> plain = plainBlock(devices, placementOf(kept, devices, chunks()));
    if (plain)
        plain->title = m_sheet.block.title;
    return redraw(std::move(plain), text, QStringLiteral("devices"));
}

Result<void> BenchModel::setPlacement(PlacementShape shape, int chunks)
{
    const int p = m_sheet.block.devices;
    if (shape == PlacementShape::Zigzag && (chunks < 2 || chunks % 2 != 0))
        return fail(ErrorCode::BadValue,
                    tr("A zigzag goes down and up: 2, 4, 6 … chunks.").toStdString());
    if (chunks < 1 || chunks > 16)
        return fail(ErrorCode::BadValue, tr("A device has 1 to 16 chunks.").toStdString());
    const Placement placement =
        shape == PlacementShape::Own ? m_sheet.block.routes.front() : placementOf(shape, p, chunks);
    if (m_sheet.block.routes.size() == 1 && placement == m_sheet.block.routes.front())
        return {};
    Result<BuildingBlock> plain = plainBlock(p, placement);
    return redraw(std::move(plain), tr("Placement"), QStringLiteral("placement"));
}

Result<void> BenchModel::move(const std::vector<Pass>& passes, Ticks by, InTheWay others,
                              bool nudge)
{
    QString merge;
    if (nudge) {
        merge = QStringLiteral("move");
        for (const Pass& pass : passes)
            merge += QLatin1Char(' ') + qt(describe(pass, specOf(m_sheet.block)));
    }
    const QString text = passes.size() == 1
                             ? tr("Move %1").arg(qt(describe(passes.front(), specOf(block()))))
                             : tr("Move %1 passes").arg(passes.size());
    return redraw(movePasses(m_sheet.block, passes, by, others), text, merge);
}

Result<void> BenchModel::resize(const std::vector<Pass>& passes, Ticks duration)
{
    return redraw(resizePasses(m_sheet.block, passes, duration), tr("Duration %1").arg(duration),
                  QStringLiteral("duration"));
}

Result<void> BenchModel::split(const std::vector<Pass>& passes)
{
    return redraw(splitBackwards(m_sheet.block, passes), tr("Split BW"));
}

Result<void> BenchModel::join(const std::vector<Pass>& passes)
{
    return redraw(joinBackwards(m_sheet.block, passes), tr("Join B and W"));
}

Result<void> BenchModel::add(const BlockPass& placed)
{
    return redraw(addPass(m_sheet.block, placed),
                  tr("Add %1").arg(qt(describe(placed.pass, specOf(m_sheet.block)))));
}

Result<void> BenchModel::remove(const std::vector<Pass>& passes)
{
    return redraw(removePasses(m_sheet.block, passes),
                  passes.size() == 1
                      ? tr("Remove %1").arg(qt(describe(passes.front(), specOf(m_sheet.block))))
                      : tr("Remove %1 passes").arg(passes.size()));
}

Result<void> BenchModel::fillWeights()
{
    BuildingBlock next = m_sheet.block;
    std::erase_if(next.passes,
                  [](const BlockPass& placed) { return placed.pass.kind == PassKind::W; });
    Ticks duration = 1;
    for (const BlockPass& placed : m_sheet.block.passes) {
        if (placed.pass.kind == PassKind::W)
            duration = std::max(duration, placed.duration);
    }
    PW_DO(pw::fillWeights(next, duration));
    return redraw(std::move(next), tr("Fill weights"));
}

Result<void> BenchModel::complete()
{
    return redraw(completeBlock(m_sheet.block), tr("Add what is missing"));
}

Result<void> BenchModel::tryMove(const std::vector<Pass>& passes, Ticks by, InTheWay others)
{
    Result<BuildingBlock> next = movePasses(m_sheet.block, passes, by, others);
    m_trial = next ? *next : m_sheet.block;
    refresh();
    return next ? Result<void>() : Result<void>(fail(next.error()));
}

Result<void> BenchModel::tryInterval(Ticks interval)
{
    BuildingBlock next = m_sheet.block;
    next.interval = interval;
    const Result<void> known = checkPasses(next);
    m_trial = known ? std::move(next) : m_sheet.block;
    refresh();
    return known;
}

void BenchModel::clearTrial()
{
    if (!m_trial)
        return;
    m_trial.reset();
    refresh();
}

Result<void> BenchModel::redraw(Result<BuildingBlock> next, const QString& text,
                                const QString& merge)
{
    if (!next)
        return fail(next.error());
    BenchSheet sheet{*std::move(next), m_sheet.microBatches, m_sheet.source};
    // A family's block that is only repeated at another interval is its block no longer either.
    if (m_sheet.source && !(sheet.block == m_sheet.block)) {
        sheet.source.reset();
        if (sheet.block.title == m_sheet.block.title)
            sheet.block.title = tr("%1, changed").arg(title()).toStdString();
    }
    return change(std::move(sheet), text, merge);
}

Result<void> BenchModel::change(BenchSheet next, const QString& text, const QString& merge)
{
    if (next.block.passes.size() > mostPasses)
        return fail(ErrorCode::TooLarge, tr("The block has %1 passes; the bench draws up to %2.")
                                             .arg(next.block.passes.size())
                                             .arg(mostPasses)
                                             .toStdString());
    PW_DO(checkPasses(next.block));
    const bool trial = m_trial.has_value();
    m_trial.reset();
    if (!(next == m_sheet))
        m_undo.push(new BenchStep([this](const BenchSheet& sheet) { show(sheet); }, m_sheet,
                                  std::move(next), text, merge));
    else if (trial)
        refresh();
    return {};
}

void BenchModel::show(const BenchSheet& sheet)
{
    m_trial.reset();
    m_sheet = sheet;
    refresh();
}

void BenchModel::refresh()
{
    m_assembly.reset();
    m_timed.reset();
    m_findings = findingsOf(block());
    Q_EMIT changed();
}

// In milliseconds and bytes

void BenchModel::setCosts(std::optional<BenchCosts> costs)
{
    m_costs = std::move(costs);
    m_timed.reset();
    Q_EMIT changed();
}

const Result<TimedBlock>* BenchModel::timed() const
{
    const std::size_t passes = block().passes.size() * static_cast<std::size_t>(microBatches());
    if (!m_costs || !m_findings.refusal.isEmpty() || passes > mostAssembled ||
        (trying() && passes > mostTimedWhileTrying))
        return nullptr;
    if (!m_timed) {
        const auto timed = [this]() -> Result<TimedBlock> {
            PW_TRY(const Costs costs, costsFor(*m_costs, specOf(block(), microBatches())));
            return timedBlock(block(), microBatches(), m_findings.lifespans, costs);
        };
        m_timed = timed();
    }
    return &*m_timed;
}

std::optional<SimResult> BenchModel::run(const Arrangement& arrangement) const
{
    return m_costs ? runOf(arrangement, *m_costs) : std::nullopt;
}

} // namespace pw::ui
