// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/pass_label.h"

namespace pw {

namespace {

std::string action(const Pass& pass)
{
    std::string_view kind = name(pass.kind);
    if (pass.kind == PassKind::B)
        kind = "I";
    else if (pass.kind == PassKind::BW)
        kind = "B";
    return std::to_string(pass.stage) + std::string(kind) + std::to_string(pass.microBatch);
}

} // namespace

std::string passLabel(const Pass& pass)
{
    return "PP:" + action(pass);
}

std::string entryLabel(const OrderEntry& entry)
{
    if (!entry.paired)
        return passLabel(entry.pass);
    return "PP:(" + action(entry.pass) + ';' + action(entry.partner) + ")OVERLAP_F_B";
}

} // namespace pw
