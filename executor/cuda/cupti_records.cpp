// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cupti_records.h"

#include <cstring>

namespace pw::exec::cuda {

namespace {

template<typename Value>
Value valueAt(const void* record, std::size_t place)
{
    Value value;
    std::memcpy(&value, static_cast<const std::byte*>(record) + place, sizeof(value));
    return value;
}

CuptiRecord workAt(const void* record, CuptiKind kind, std::size_t correlation)
{
    CuptiRecord work;
    work.kind = kind;
    work.correlation = valueAt<std::uint32_t>(record, correlation);
    work.start = valueAt<std::uint64_t>(record, cupti_places::start);
    work.end = valueAt<std::uint64_t>(record, cupti_places::end);
    return work;
}

} // namespace

CuptiRecord readCupti(const void* record)
{
    const auto kind = static_cast<CuptiKind>(valueAt<std::uint32_t>(record, 0));
    switch (kind) {
    case CuptiKind::Kernel: {
        CuptiRecord kernel = workAt(record, kind, cupti_places::kernelCorrelation);
        kernel.name = valueAt<const char*>(record, cupti_places::kernelName);
        return kernel;
    }
    case CuptiKind::Copy:
        if (valueAt<std::uint8_t>(record, cupti_places::copyKind) != cuptiCopyWithin)
            return {};
        return workAt(record, kind, cupti_places::copyCorrelation);
    case CuptiKind::Fill:
        return workAt(record, kind, cupti_places::copyCorrelation);
    case CuptiKind::Link: {
        if (valueAt<std::uint32_t>(record, cupti_places::linkKind) != cuptiCustom)
            return {};
        CuptiRecord link;
        link.kind = kind;
        link.said = valueAt<std::uint64_t>(record, cupti_places::linkId);
        link.correlation = valueAt<std::uint32_t>(record, cupti_places::linkCorrelation);
        return link;
    }
    default:
        return {};
    }
}

} // namespace pw::exec::cuda
