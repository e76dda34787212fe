// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/lower/program.h"
#include "core/model/offload.h"
#include "core/model/recompute.h"
#include "core/sim/simulator.h"
#include "tests/support/random_drafts.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>

using namespace pw;

namespace {

/// Times of few ticks, so that copies and passes often begin and end together.
Costs shortMoveCosts(const PipelineSpec& spec, std::mt19937& random)
{
    UniformCosts uniform;
    uniform.keptForWeight = 0.5;
    uniform.stash = 0.25;
    Costs costs = expand(uniform, spec);
    for (auto* table : {&costs.forward, &costs.backward, &costs.weight})
        for (Ticks& time : *table)
            time = test::below(random, 6);
    costs.link.latency = test::below(random, 3);
    for (ActivationCost& cost : costs.activation) {
        cost.activation = 4 * test::below(random, 5);
        cost.keptForWeight = cost.activation / 2;
        cost.stash = cost.activation / 4;
    }
    costs.offload.link.bytesPerSecond = test::below(random, 2) == 0 ? 1e9 : 2e9;
    const int share = 1 + test::below(random, 3);
    for (const StageId stage : Ids<StageId>(spec.stages()))
        for (int j = 0; j < spec.totalMicroBatches(); ++j)
            for (int q = 0; q < spec.segments(); ++q)
                if (test::below(random, share) == 0)
                    costs.offload.cells.push_back({PassKind::F, 0, stage, j, q});
    costs.offload.cells = offloadedCells(std::move(costs.offload.cells), spec);
    return costs;
}

/// A rank that carries its instructions out one after the other, without a clock: what its device
/// holds, and whether each activation is where it has to be.
class RankOnPaper
{
public:
    RankOnPaper(const Schedule& schedule, const Costs& costs, const Program& program)
        : m_schedule(schedule)
        , m_costs(costs)
        , m_program(program)
    {
    }

    /// @return what is wrong; empty where nothing is
    std::string run(const std::vector<Instruction>& instructions)
    {
        std::vector<Instruction> within;
        for (const Instruction& one : instructions) {
            switch (one.kind) {
            case InstructionKind::Compute:
                compute(m_schedule.entry(EntryId(one.index)), one.index, within);
                within.clear();
                break;
            case InstructionKind::Stow:
                put(one, m_onDevice, m_leaving);
                break;
            case InstructionKind::Free:
            case InstructionKind::Fetch: {
                const HostMove& move = m_program.moves[static_cast<std::size_t>(one.index)];
                if (one.kind == InstructionKind::Free ? move.freedWithin : move.fetchedWithin)
                    within.push_back(one);
                else
                    carryOut(one);
                break;
            }
            default:
                // The messages between two entries stay one group.
                if (!within.empty())
                    m_wrong = "a message stands between an entry and what belongs to it";
                break;
            }
        }
        if (!m_leaving.empty() || !m_away.empty())
            m_wrong = "an activation has stayed on the host";
        return m_wrong;
    }

    Bytes peak() const { return m_peak; }

private:
    void carryOut(const Instruction& one)
    {
        const Bytes bytes = bytesOf(m_program.moves[static_cast<std::size_t>(one.index)].cell);
        if (one.kind == InstructionKind::Free) {
            put(one, m_leaving, m_away);
            change(-bytes);
        } else {
            put(one, m_away, m_onDevice);
            change(bytes);
        }
    }
    void put(const Instruction& one, std::set<Pass>& from, std::set<Pass>& to)
    {
        const Pass cell = m_program.moves[static_cast<std::size_t>(one.index)].cell;
        if (from.erase(cell) == 0)
            m_wrong = describe(one, m_program, m_schedule) + " finds it elsewhere";
        to.insert(cell);
    }
    void compute(const OrderEntry& entry, std::int32_t index,
                 const std::vector<Instruction>& within)
    {
        const auto both = [&](auto act) {
            act(entry.pass);
            if (entry.paired)
                act(entry.partner);
        };
        both([&](const Pass& pass) { start(pass, index); });
        for (const Instruction& one : within)
            carryOut(one);
        both([&](const Pass& pass) {
            if (pass.kind != PassKind::F && pass.kind != PassKind::R && pass.kind != PassKind::U)
                change(activationChange(costOf(pass), pass.kind, false).bytes);
        });
    }
    void start(Pass pass, std::int32_t index)
    {
        if (pass.kind == PassKind::U)
            return;
        if (pass.kind == PassKind::F || pass.kind == PassKind::R)
            change(activationChange(costOf(pass), pass.kind, m_schedule.recomputed(pass)).bytes);
        const bool makes = pass.kind == PassKind::F;
        pass.kind = PassKind::F;
        if (makes)
            m_onDevice.insert(pass);
        else if (m_onDevice.count(pass) == 0)
            m_wrong = describe(pass, m_schedule.spec()) + " is not back for entry " +
                      std::to_string(index);
    }
    const ActivationCost& costOf(const Pass& pass) const
    {
        return m_costs.activation[cellIndex(m_schedule.spec(), pass.stage, pass.segment)];
    }
    Bytes bytesOf(const Pass& cell) const
    {
        return activationChange(costOf(cell), PassKind::F, m_schedule.recomputed(cell)).bytes;
    }
    void change(Bytes bytes)
    {
        m_level += bytes;
        m_peak = std::max(m_peak, m_level);
    }

    const Schedule& m_schedule;
    const Costs& m_costs;
    const Program& m_program;
    std::set<Pass> m_onDevice, m_leaving, m_away; ///< by F
    Bytes m_level = 0;
    Bytes m_peak = 0;
    std::string m_wrong;
};

int movesOf(const Program& program, InstructionKind kind)
{
    int count = 0;
    for (const auto& rank : program.ranks)
        count += static_cast<int>(std::count_if(
            rank.begin(), rank.end(), [kind](const Instruction& one) { return one.kind == kind; }));
    return count;
}

} // namespace

/// Copies to the host as instructions: as a simulation has them, without its clock.
class TestHostMoves : public QObject
{
    Q_OBJECT

private slots:
    void aRankHoldsWhatIsPredictedWithoutAClock_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("recompute");
        for (const Family& family : allFamilies()) {
            const QString id =
                QString::fromUtf8(family.id.data(), static_cast<int>(family.id.size()));
            for (const bool recompute : {false, true})
                QTest::addRow("%s%s", qPrintable(id), recompute ? ", recompute" : "")
                    << id << recompute;
        }
    }
    void aRankHoldsWhatIsPredictedWithoutAClock()
    {
        QFETCH(QString, id);
        QFETCH(bool, recompute);
        const Family& family = **findFamily(id.toStdString());
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        for (int turn = 0; turn < 20; ++turn) {
            FamilyOptions options;
            options.devices = 2 + test::below(random, 3);
            options.microBatches = 2 * options.devices;
            const Result<PipelineSpec> spec = specOf(family, options);
            if (!spec)
                continue;
            Result<Schedule> schedule = buildUniform(family, options, UniformCosts{});
            if (schedule && recompute && !schedule->anyRecompute())
                schedule = withRecompute(*schedule);
            if (!schedule)
                continue;
            Costs costs = shortMoveCosts(schedule->spec(), random);
            const Result<SimResult> times = simulate(*schedule, costs);
            Result<Program> program = lower(*schedule);
            QVERIFY(times && program);
            QVERIFY(addHostMoves(*program, *schedule, costs));
            const int cells = static_cast<int>(costs.offload.cells.size());
            for (const InstructionKind kind :
                 {InstructionKind::Stow, InstructionKind::Free, InstructionKind::Fetch})
                QCOMPARE(movesOf(*program, kind), cells);
            const Result<void> proven =
                proveProgress(*schedule, *program, schedule->spec().messages);
            QVERIFY2(proven, proven ? "" : proven.error().message.c_str());
            for (std::size_t rank = 0; rank < program->ranks.size(); ++rank) {
                RankOnPaper paper(*schedule, costs, *program);
                const std::string wrong = paper.run(program->ranks[rank]);
                QVERIFY2(wrong.empty(), (wrong + ", seed " + std::to_string(seed)).c_str());
                QVERIFY2(paper.peak() == times->devices[rank].peakActivation,
                         ("rank " + std::to_string(rank) + " holds " +
                          std::to_string(paper.peak()) + " of " +
                          std::to_string(times->devices[rank].peakActivation) + ", seed " +
                          std::to_string(seed) + ", turn " + std::to_string(turn))
                             .c_str());
            }
        }
    }

    void withoutOffloadAProgramIsTheSame()
    {
        FamilyOptions options;
        options.devices = 3;
        options.microBatches = 6;
        const Schedule schedule = *buildUniform(**findFamily("1f1b"), options, UniformCosts{});
        Program program = *lower(schedule);
        QVERIFY(addHostMoves(program, schedule, expand(UniformCosts{}, schedule.spec())));
        QVERIFY(program == *lower(schedule));
    }

    void anInstructionSaysWhatIsCopied()
    {
        FamilyOptions options;
        options.devices = 2;
        options.microBatches = 2;
        const Schedule schedule = *buildUniform(**findFamily("1f1b"), options, UniformCosts{});
        Costs costs = expand(UniformCosts{}, schedule.spec());
        costs.offload.cells = {{PassKind::F, 0, StageId(0), 1, 0}};
        Program program = *lower(schedule);
        QVERIFY(addHostMoves(program, schedule, costs));
        QStringList said;
        for (const Instruction& one : program.ranks[0])
            if (one.kind == InstructionKind::Stow || one.kind == InstructionKind::Free ||
                one.kind == InstructionKind::Fetch)
                said += QString::fromStdString(describe(one, program, schedule));
        QCOMPARE(said, (QStringList{"copy to the host of F of micro-batch 1 on stage 0",
                                    "room of F of micro-batch 1 on stage 0",
                                    "copy back of F of micro-batch 1 on stage 0"}));
    }
};

PW_TEST(TestHostMoves)
#include "tst_host_moves.moc"
