// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/torch_csv.h"

#include "core/base/try.h"
#include "core/io/torch_parts.h"
#include "core/lower/program.h"

#include <array>

namespace pw {

std::string_view name(TorchKind kind)
{
    constexpr std::array<std::string_view, 11> names = {
        "F",           "I",      "B",      "W",      "UNSHARD", "RESHARD",
        "REDUCE_GRAD", "SEND_F", "RECV_F", "SEND_B", "RECV_B"};
    return names[static_cast<std::size_t>(kind)];
}

std::string actionText(const TorchAction& action)
{
    std::string text = std::to_string(action.stage) + std::string(name(action.kind));
    if (hasMicroBatch(action.kind))
        text += std::to_string(action.microBatch);
    return text;
}

std::string fieldText(const TorchField& field)
{
    switch (field.shape) {
    case TorchField::Shape::Blank:
        break;
    case TorchField::Shape::Single:
        return actionText(field.first);
    case TorchField::Shape::Pair:
        return '(' + actionText(field.first) + ';' + actionText(field.second) + ")OVERLAP_F_B";
    }
    return {};
}

namespace {

TorchKind torchKind(PassKind kind)
{
    switch (kind) {
    case PassKind::B:
        return TorchKind::I;
    case PassKind::BW:
        return TorchKind::B;
    case PassKind::W:
        return TorchKind::W;
    case PassKind::F:
    case PassKind::R: // refused before
    case PassKind::U:
        break;
    }
    return TorchKind::F;
}

TorchField fieldOf(const OrderEntry& entry)
{
    auto action = [](const Pass& pass) {
        return TorchAction{torchKind(pass.kind), pass.stage, pass.microBatch};
    };
    if (entry.paired)
        return {TorchField::Shape::Pair, action(entry.pass), action(entry.partner)};
    return {TorchField::Shape::Single, action(entry.pass), {}};
}

TorchField fieldOf(const Message& message, bool sends)
{
    const bool forward = message.producer.kind == PassKind::F;
    const TorchKind kind = forward ? (sends ? TorchKind::SendF : TorchKind::RecvF)
                                   : (sends ? TorchKind::SendB : TorchKind::RecvB);
    const Pass& named = sends ? message.producer : message.consumer;
    return {TorchField::Shape::Single, {kind, named.stage, named.microBatch}, {}};
}

Result<void> checkExpressible(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    auto refuse = [](const std::string& what) {
        return fail(ErrorCode::BadValue, "PyTorch's schedule file has no %1", what);
    };
    if (spec.segments() > 1)
        return refuse(
            "segments; this schedule has " + std::to_string(spec.segments()) +
            ". It would take a runtime that keeps the keys and values of earlier segments "
            "between the passes of a stage");
    if (spec.routeCount() > 1)
        return refuse("second route: every stage belongs to one rank");
    if (spec.steps > 1)
        return refuse("steps; this schedule has " + std::to_string(spec.steps));
    if (spec.updates)
        return refuse("optimizer updates: a step ends with the last backward, and a stage has one "
                      "version of its weights. It would take a runtime that keeps several");
    if (schedule.anyRecompute())
        return refuse("recompute passes");
    return {};
}

} // namespace

Result<TorchTable> torchTable(const Schedule& schedule, TorchForm form)
{
    PW_DO(checkExpressible(schedule));
    TorchTable table(static_cast<std::size_t>(schedule.devices()));
    if (form == TorchForm::ComputeOnly) {
        for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
            auto& row = table[static_cast<std::size_t>(device)];
            for (const EntryId i : schedule.entries(device))
                row.push_back(fieldOf(schedule.entry(i)));
        }
        return table;
    }
    PW_TRY(const Program program, lower(schedule, ReceivePlacement::AsSent));
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
        for (const Instruction& instruction : program.ranks[rank]) {
            const auto index = static_cast<std::size_t>(instruction.index);
            table[rank].push_back(
                instruction.kind == InstructionKind::Compute
                    ? fieldOf(schedule.entry(EntryId(instruction.index)))
                    : fieldOf(program.messages[index], instruction.kind == InstructionKind::Send));
        }
    }
    return table;
}

std::string writeTorchTable(const TorchTable& table)
{
    std::string text;
    for (const auto& row : table) {
        // A row of one blank field would read as an empty row.
        if (row.size() == 1 && row.front().shape == TorchField::Shape::Blank)
            text += "\"\"";
        for (std::size_t column = 0; column < row.size(); ++column) {
            if (column > 0)
                text += ',';
            text += fieldText(row[column]);
        }
        text += "\r\n";
    }
    return text;
}

Result<std::string> writeTorchCsv(const Schedule& schedule, TorchForm form)
{
    PW_TRY(const auto table, torchTable(schedule, form));
    return writeTorchTable(table);
}

} // namespace pw
