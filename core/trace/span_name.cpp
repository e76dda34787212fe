// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/span_name.h"

#include "core/io/file_problem.h"
#include "core/io/torch_parts.h"

#include <algorithm>
#include <array>
#include <optional>

namespace pw {

namespace {

bool takeHead(std::string_view& text, std::string_view head)
{
    if (text.substr(0, head.size()) != head)
        return false;
    text.remove_prefix(head.size());
    return true;
}

std::optional<std::int32_t> takeNumber(std::string_view& text)
{
    std::size_t length = 0;
    while (length < text.size() && text[length] >= '0' && text[length] <= '9')
        ++length;
    const std::optional<std::int32_t> number = parseNumber(text.substr(0, length));
    text.remove_prefix(length);
    return number;
}

SpanLabel labelOf(const TorchAction& action)
{
    SpanLabel label;
    if (isPass(action.kind)) {
        label.role = SpanRole::Pass;
        label.kind = passKind(action.kind);
    } else if (isMessage(action.kind)) {
        const bool send = action.kind == TorchKind::SendF || action.kind == TorchKind::SendB;
        const bool forward = action.kind == TorchKind::SendF || action.kind == TorchKind::RecvF;
        label.role = send ? SpanRole::Send : SpanRole::Receive;
        label.kind = forward ? PassKind::F : PassKind::BW;
    } else {
        return label;
    }
    label.stage = action.stage;
    label.microBatch = action.microBatch;
    return label;
}

/// What PyTorch has no text for: "2R0" and "2U0".
std::optional<SpanLabel> ownAction(std::string_view action)
{
    const std::optional<std::int32_t> stage = takeNumber(action);
    const bool recompute = stage && takeHead(action, "R");
    if (!stage || (!recompute && !takeHead(action, "U")))
        return std::nullopt;
    const std::optional<std::int32_t> number = takeNumber(action);
    if (!number || !action.empty())
        return std::nullopt;
    SpanLabel label;
    label.role = SpanRole::Pass;
    label.kind = recompute ? PassKind::R : PassKind::U;
    label.stage = StageId(*stage);
    label.microBatch = *number;
    return label;
}

/// "STEP7", as our labels name a step of a schedule.
std::optional<std::int32_t> stepAction(std::string_view action)
{
    if (!takeHead(action, "STEP"))
        return std::nullopt;
    const std::optional<std::int32_t> number = takeNumber(action);
    return action.empty() ? number : std::nullopt;
}

SpanName torchName(std::string_view action)
{
    SpanName said;
    if (const std::optional<std::int32_t> step = stepAction(action)) {
        said.first.role = SpanRole::Step;
        said.first.iteration = *step;
        return said;
    }
    if (const std::optional<SpanLabel> own = ownAction(action)) {
        said.first = *own;
        return said;
    }
    TorchField field;
    if (!readTorchField(action, false, field).text.empty())
        return said;
    said.first = labelOf(field.first);
    if (field.shape == TorchField::Shape::Pair) {
        said.second = labelOf(field.second);
        said.first.paired = said.second.paired = true;
    }
    return said;
}

/// "F3.1.0": micro-batch, chunk and piece of the sequence.
std::optional<SpanName> sailName(std::string_view text)
{
    struct Kind
    {
        std::string_view head;
        PassKind kind;
    };
    constexpr std::array<Kind, 5> kinds = {{{"F", PassKind::F},
                                            {"BW", PassKind::BW},
                                            {"B", PassKind::B},
                                            {"W", PassKind::W},
                                            {"R", PassKind::R}}};
    for (const Kind& kind : kinds) {
        if (!takeHead(text, kind.head))
            continue;
        SpanName said;
        said.first.role = SpanRole::Pass;
        said.first.kind = kind.kind;
        said.first.openBackward = kind.kind == PassKind::B;
        for (std::int32_t* number :
             {&said.first.microBatch, &said.first.chunk, &said.first.segment}) {
            if (number != &said.first.microBatch && !takeHead(text, "."))
                return std::nullopt;
            const std::optional<std::int32_t> value = takeNumber(text);
            if (!value)
                return std::nullopt;
            *number = *value;
        }
        if (!text.empty())
            return std::nullopt;
        return said;
    }
    return std::nullopt;
}

/// "forward chunk 3 (phase0)": a micro-batch, and which of the two stages of the rank.
std::optional<SpanLabel> takePithPass(std::string_view& text)
{
    const bool forward = takeHead(text, "forward chunk ");
    if (!forward && !takeHead(text, "backward chunk "))
        return std::nullopt;
    SpanLabel label;
    label.role = SpanRole::Pass;
    label.kind = forward ? PassKind::F : PassKind::BW;
    const std::optional<std::int32_t> microBatch = takeNumber(text);
    const bool both = takeHead(text, " (phase");
    const std::optional<std::int32_t> chunk = takeNumber(text);
    if (!microBatch || !both || !chunk || !takeHead(text, ")"))
        return std::nullopt;
    label.microBatch = *microBatch;
    label.chunk = *chunk;
    return label;
}

/// A pass of PithTrain's DualPipeV, or a forward and a backward that it overlaps; before, in its
/// older versions, "rank 2 ".
std::optional<SpanName> pithName(std::string_view text)
{
    if (takeHead(text, "rank ") && (!takeNumber(text) || !takeHead(text, " ")))
        return std::nullopt;
    const std::optional<SpanLabel> first = takePithPass(text);
    if (!first)
        return std::nullopt;
    SpanName said;
    said.first = *first;
    if (text.empty())
        return said;
    const bool more = takeHead(text, " ");
    const std::optional<SpanLabel> second = takePithPass(text);
    if (!more || !second || !text.empty())
        return std::nullopt;
    said.second = *second;
    said.first.paired = said.second.paired = true;
    return said;
}

} // namespace

SpanName readSpanName(std::string_view name)
{
    SpanName said;
    std::string_view rest = name;
    if (takeHead(rest, "PP:"))
        return torchName(rest);
    if (name == "forward" || name == "backward") {
        said.first.role = SpanRole::Pass;
        said.first.kind = name == "forward" ? PassKind::F : PassKind::BW;
        said.needsArguments = true;
        return said;
    }
    if (takeHead(rest, "ProfilerStep#")) {
        if (const std::optional<std::int32_t> number = takeNumber(rest); number && rest.empty()) {
            said.first.role = SpanRole::Step;
            said.first.iteration = *number;
        }
        return said;
    }
    const bool forward = takeHead(rest, "Forward ");
    if (forward || takeHead(rest, "Backward ")) {
        if (const std::optional<std::int32_t> number = takeNumber(rest); number && rest.empty()) {
            said.first.role = SpanRole::Pass;
            said.first.kind = forward ? PassKind::F : PassKind::BW;
            said.first.microBatch = *number;
        }
        return said;
    }
    if (const std::optional<SpanName> sail = sailName(name))
        return *sail;
    if (const std::optional<SpanName> pith = pithName(name))
        return *pith;
    return said;
}

MeshPlace readMeshPlace(std::string_view name)
{
    MeshPlace place;
    if (!takeHead(name, "PP:MESH"))
        return place;
    while (takeHead(name, " ")) {
        const bool rank = takeHead(name, "rank=");
        const bool replica = !rank && takeHead(name, "dp=");
        if (!rank && !replica) {
            name.remove_prefix(std::min(name.find(' '), name.size()));
            continue;
        }
        const std::optional<std::int32_t> number = takeNumber(name);
        const bool both = takeHead(name, "/");
        const std::optional<std::int32_t> all = takeNumber(name);
        if (!number || !both || !all || *number >= *all)
            return {};
        if (rank)
            place.rank = *number;
        else if (*all > 1)
            place.replica = *number;
    }
    return name.empty() ? place : MeshPlace();
}

SpanName readPaddleName(std::string_view name)
{
    struct Head
    {
        std::string_view text;
        PassKind kind;
        bool job;
    };
    constexpr std::array<Head, 7> heads = {{{"forward", PassKind::F, true},
                                            {"backward_b", PassKind::B, true},
                                            {"backward_w", PassKind::W, true},
                                            {"backward", PassKind::BW, true},
                                            {"optimizer", PassKind::U, true},
                                            {"F", PassKind::F, false},
                                            {"B", PassKind::BW, false}}};
    SpanName said;
    for (const Head& head : heads) {
        std::string_view rest = name;
        if (!takeHead(rest, head.text))
            continue;
        const std::string_view middle = head.job ? "_" : "_VP";
        std::optional<std::int32_t> first = takeNumber(rest);
        const bool both = takeHead(rest, middle);
        const std::optional<std::int32_t> second = takeNumber(rest);
        // A job has its chunk first, a stamp its micro-batch.
        if (!rest.empty() || both != second.has_value() || (head.job ? !both : !first))
            return said;
        said.first.role = SpanRole::Pass;
        said.first.kind = head.kind;
        said.first.microBatch = head.job ? *second : *first;
        said.first.chunk = (head.job ? first : second).value_or(-1);
        return said;
    }
    return said;
}

} // namespace pw
