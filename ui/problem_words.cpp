// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/problem_words.h"

#include "core/base/text.h"
#include "core/model/dependency_rule.h"
#include "ui/core_words.h"
#include "ui/text.h"

#include <QCoreApplication>

namespace pw::ui {

namespace {

/// Links of a ring that are told, as `ringText` has it.
constexpr std::size_t mostRingLinks = 12;

class Rules
{
    Q_DECLARE_TR_FUNCTIONS(Rules)
};

/// Of the passes of a cell that stand in a wrong order, and of an F before its weights. An R or a U
/// has several that it may stand before: what the core says of those goes through its table.
QString orderWords(const Problem& problem, const PipelineSpec& spec)
{
    const Pass& pass = problem.pass;
    const auto beforeOwn = [&](const QString& needed) {
        return Rules::tr("micro-batch %1 of stage %2 has %3 before %4")
            .arg(QString::number(pass.microBatch), QString::number(pass.stage),
                 text(name(pass.kind)), needed);
    };
    switch (pass.kind) {
    case PassKind::F:
        return Rules::tr("%1 comes before the update of step %2 that makes its weights")
            .arg(passText(pass, spec), QString::number(updateBefore(spec, pass.microBatch)));
    case PassKind::B:
    case PassKind::BW:
        return beforeOwn(QStringLiteral("F"));
    case PassKind::W:
        return beforeOwn(QStringLiteral("B"));
    case PassKind::R:
    case PassKind::U:
        break;
    }
    return coreWords(problem.text);
}

QString linkWords(const RingLink& link, const PipelineSpec& spec)
{
    return Rules::tr("device %1 waits in %2 for %3")
        .arg(QString::number(link.device), passText(link.waiting, spec),
             passText(link.needed, spec));
}

} // namespace

QString problemWords(const Problem& problem, const PipelineSpec& spec)
{
    const Pass& pass = problem.pass;
    switch (problem.code) {
    case ProblemCode::Missing:
        return Rules::tr("device %1 misses %2")
            .arg(QString::number(problem.device), passText(pass, spec));
    case ProblemCode::Doubled:
        return Rules::tr("%1 appears twice").arg(passText(pass, spec));
    case ProblemCode::Misplaced:
        return Rules::tr("%1 belongs to device %2")
            .arg(passText(pass, spec), QString::number(spec.device(pass.route, pass.stage)));
    case ProblemCode::OutOfOrder:
        return orderWords(problem, spec);
    case ProblemCode::Conflict:
        if (pass.kind == PassKind::W)
            return Rules::tr("%1 appears beside a BW, which contains it").arg(passText(pass, spec));
        // B and BW share one place.
        return Rules::tr("%1 appears beside a %2 of the same micro-batch")
            .arg(passText(pass, spec),
                 text(name(pass.kind == PassKind::B ? PassKind::BW : PassKind::B)));
    case ProblemCode::Outside:
    case ProblemCode::BadPair:
        break;
    }
    return coreWords(problem.text);
}

QString placedWords(const Problem& problem, const PipelineSpec& spec)
{
    if (problem.position < 0)
        return problemWords(problem, spec);
    return Rules::tr("device %1, entry %2: %3")
        .arg(QString::number(problem.device), QString::number(problem.position),
             problemWords(problem, spec));
}

QString ringWords(const std::vector<RingLink>& ring, const PipelineSpec& spec)
{
    if (ring.empty())
        return {};
    // Its beginning and end say enough of a long one.
    QStringList links;
    const std::size_t cut = ring.size() > mostRingLinks ? mostRingLinks / 2 : ring.size();
    for (std::size_t i = 0; i < cut; ++i)
        links += linkWords(ring[i], spec);
    if (cut < ring.size()) {
        links += Rules::tr("… %1 more devices …").arg(ring.size() - mostRingLinks);
        for (std::size_t i = ring.size() - cut; i < ring.size(); ++i)
            links += linkWords(ring[i], spec);
    }
    return Rules::tr("deadlock: %1").arg(links.join(QStringLiteral("; ")));
}

QString collisionWords(const Collision& collision, const BuildingBlock& block)
{
    const PipelineSpec spec = specOf(block);
    const QString device = QString::number(collision.device);
    const QString first = passText(collision.first.pass, spec);
    const QString residue = QString::number(collision.residue);
    const QString interval = QString::number(block.interval);
    if (collision.first == collision.second)
        return Rules::tr("device %1: %2 takes %3 and meets its own repetition at %4 of interval %5")
            .arg(device, first, QString::number(collision.first.duration), residue, interval);
    return Rules::tr("device %1: %2 at %3 and %4 at %5 meet at %6 of interval %7")
        .arg(device, first, QString::number(collision.first.start),
             passText(collision.second.pass, spec), QString::number(collision.second.start),
             residue, interval);
}

QString refusalWords(const DragRefusal& refusal, const PipelineSpec& spec)
{
    switch (refusal.rule) {
    case DragRefusal::Rule::None:
        return {};
    case DragRefusal::Rule::Order:
        return placedWords(refusal.problem, spec);
    case DragRefusal::Rule::Ring:
        return ringWords(refusal.ring, spec);
    case DragRefusal::Rule::Input:
        break;
    }
    const QString consumer = passText(refusal.consumer, spec);
    const QString producer = passText(refusal.producer, spec);
    const QString end = text(millisecondText(refusal.end));
    return refusal.there > refusal.end
               ? Rules::tr("%1 cannot start before %2 ends at %3 and its message is there at %4")
                     .arg(consumer, producer, end, text(millisecondText(refusal.there)))
               : Rules::tr("%1 cannot start before %2 ends at %3").arg(consumer, producer, end);
}

} // namespace pw::ui
