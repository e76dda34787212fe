// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// Ranges that nobody listens to.
#include <cstdint>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE static_cast<std::uint16_t>(sizeof(nvtxEventAttributes_t))
#define NVTX_PAYLOAD_TYPE_INT64 2
#define NVTX_MESSAGE_TYPE_ASCII 1

using nvtxDomainHandle_t = struct nvtxDomainRegistration_st*;

struct nvtxEventAttributes_t
{
    std::uint16_t version;
    std::uint16_t size;
    std::uint32_t category;
    std::int32_t payloadType;
    union
    {
        std::int64_t llValue;
    } payload;
    std::int32_t messageType;
    union
    {
        const char* ascii;
    } message;
};

inline nvtxDomainHandle_t nvtxDomainCreateA(const char*)
{
    return nullptr;
}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*)
{
    return 0;
}
inline int nvtxDomainRangePop(nvtxDomainHandle_t)
{
    return 0;
}
