// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/torch_csv.h"

// What the parts of the PyTorch reader share, and the reader of labels; nobody else includes this.
namespace pw {

constexpr bool isPass(TorchKind kind)
{
    return kind <= TorchKind::W;
}

constexpr bool isMessage(TorchKind kind)
{
    return kind >= TorchKind::SendF;
}

constexpr bool hasMicroBatch(TorchKind kind)
{
    return isPass(kind) || isMessage(kind);
}

/// @pre isPass(kind)
constexpr PassKind passKind(TorchKind kind)
{
    switch (kind) {
    case TorchKind::I:
        return PassKind::B;
    case TorchKind::B:
        return PassKind::BW;
    case TorchKind::W:
        return PassKind::W;
    case TorchKind::F:
    case TorchKind::Unshard: // no passes, see `isPass`
    case TorchKind::Reshard:
    case TorchKind::ReduceGrad:
    case TorchKind::SendF:
    case TorchKind::RecvF:
    case TorchKind::SendB:
    case TorchKind::RecvB:
        break;
    }
    return PassKind::F;
}

/// The field as the file writes it.
std::string fieldText(const TorchField& field);
std::string actionText(const TorchAction& action);

/// What is wrong with a field, and what would mend it.
struct FieldFlaw
{
    Sentence text; ///< empty: nothing
    std::string repair;
    bool sawFused = false; ///< `BW` stands in it, a type of the older dialect only
};

/// Reads one field without blanks around it, in either dialect.
FieldFlaw readTorchField(std::string_view cell, bool older, TorchField& field);

/// Checks the sends and receives of a file against its draft, and that the ranks cannot wait in a
/// ring.
void checkTorchMessages(TorchCsv& csv);

} // namespace pw
