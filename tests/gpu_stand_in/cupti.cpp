// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/cupti.h"

#include "tests/gpu_stand_in/machine.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

// CUPTI, as far as kernels and copies are told of: records lie as in version 13.0 of its manual.
// They are handed over when they are asked for, in an order of the seed, in buffers with a few of
// them each, calls and links among them. What PW_FAKE_CUPTI sets is in tests/gpu/README.md.
namespace pw::gpu {

namespace {

enum Answer
{
    Good = 0,
    InvalidParameter = 1,
    InvalidOperation = 7,
    LimitReached = 12,
    QueueEmpty = 18,
    InvalidKind = 21,
    InsufficientPrivileges = 35
};

/// What PW_FAKE_CUPTI asks for.
enum Way
{
    NoPermission = 0,
    Ordinary = 1,
    LaterVersion = 2,
    WithoutLinks = 3,
    WithoutTimes = 4
};

enum Kind : std::uint32_t
{
    CopyKind = 1,
    FillKind = 2,
    DriverKind = 4,
    RuntimeKind = 5,
    KernelKind = 10,
    LinkKind = 39
};

#define PW_RECORD __attribute__((packed, aligned(8)))
struct PW_RECORD KernelRecord
{
    std::uint32_t kind = KernelKind;
    std::uint32_t registersAndConfigs = 0x00205a5a;
    std::uint32_t partitionedGlobalCache[2] = {};
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t completed = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 1;
    std::uint32_t streamId = 7;
    std::int32_t gridAndBlock[6] = {1, 1, 1, 32, 1, 1};
    std::int32_t sharedMemory[2] = {};
    std::uint32_t localMemory[2] = {};
    std::uint32_t correlationId = 0;
    std::int64_t gridId = -1;
    const char* name = nullptr;
    std::uint8_t more[104] = {};
};
struct PW_RECORD CopyRecord
{
    std::uint32_t kind = CopyKind;
    std::uint8_t copyKind = 0;
    std::uint8_t srcKindDstKindFlags[3] = {};
    std::uint64_t bytes = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t deviceContextStream[3] = {};
    std::uint32_t correlationId = 0;
    std::uint8_t more[48] = {};
};
struct PW_RECORD FillRecord
{
    std::uint32_t kind = FillKind;
    std::uint32_t value = 0;
    std::uint64_t bytes = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t deviceContextStream[3] = {};
    std::uint32_t correlationId = 0;
    std::uint8_t more[40] = {};
};
struct PW_RECORD LinkRecord
{
    std::uint32_t kind = LinkKind;
    std::uint32_t externalKind = 0;
    std::uint64_t externalId = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t reserved = 0;
};
struct PW_RECORD CallRecord
{
    std::uint32_t kind = RuntimeKind;
    std::uint32_t cbid = 211;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t processId = 0;
    std::uint32_t threadId = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t returnValue = 0;
};
#undef PW_RECORD
static_assert(sizeof(KernelRecord) == 216 && sizeof(CopyRecord) == 96 && sizeof(FillRecord) == 88);
static_assert(sizeof(LinkRecord) == 24 && sizeof(CallRecord) == 40);

std::size_t sizeOf(std::uint32_t kind)
{
    switch (kind) {
    case KernelKind:
        return sizeof(KernelRecord);
    case CopyKind:
        return sizeof(CopyRecord);
    case FillKind:
        return sizeof(FillRecord);
    case LinkKind:
        return sizeof(LinkRecord);
    case RuntimeKind:
        return sizeof(CallRecord);
    default:
        return 0;
    }
}

using Requested = void (*)(std::uint8_t**, std::size_t*, std::size_t*);
using Completed = void (*)(void*, std::uint32_t, std::uint8_t*, std::size_t, std::size_t);

/// What the calling thread has said that it does, by kind, the innermost last.
thread_local std::vector<std::pair<std::uint32_t, std::uint64_t>> said;

std::uint64_t clockNow()
{
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
            .count());
}

/// One for the process, never destroyed. Any thread.
class Teller
{
public:
    static Teller& one()
    {
        static auto* const teller = new Teller;
        return *teller;
    }

    int enable(std::uint32_t kind)
    {
        if (setting("PW_FAKE_CUPTI", Ordinary) == NoPermission)
            return InsufficientPrivileges;
        if (kind != DriverKind && sizeOf(kind) == 0)
            return InvalidKind;
        const std::lock_guard lock(m_mutex);
        m_kinds.insert(kind);
        return Good;
    }
    int disable(std::uint32_t kind)
    {
        const std::lock_guard lock(m_mutex);
        m_kinds.erase(kind);
        return Good;
    }
    int callBack(Requested requested, Completed completed)
    {
        if (requested == nullptr || completed == nullptr)
            return InvalidParameter;
        const std::lock_guard lock(m_mutex);
        m_requested = requested;
        m_completed = completed;
        return Good;
    }

    /// A call of the calling thread. @return its number; 0: nobody asked
    std::uint32_t call()
    {
        const std::lock_guard lock(m_mutex);
        if (m_kinds.empty())
            return 0;
        const std::uint32_t number = ++m_calls;
        if (m_kinds.count(RuntimeKind) == 0 && m_kinds.count(DriverKind) == 0)
            return number;
        if (m_kinds.count(LinkKind) != 0 && setting("PW_FAKE_CUPTI", Ordinary) != WithoutLinks) {
            for (const auto& [kind, id] : said)
                add(LinkRecord{LinkKind, kind, id, number, 0});
        }
        CallRecord record;
        record.start = record.end = clockNow();
        record.correlationId = number;
        add(record);
        return number;
    }

    template<typename Record>
    void ran(Record record, std::uint64_t start, std::uint64_t end)
    {
        const bool timed = setting("PW_FAKE_CUPTI", Ordinary) != WithoutTimes;
        record.start = timed ? start : 0;
        record.end = timed ? end : 0;
        const std::lock_guard lock(m_mutex);
        if (m_kinds.count(record.kind) != 0)
            add(record);
    }

    int flush()
    {
        std::vector<std::vector<std::uint8_t>> records;
        {
            const std::lock_guard lock(m_mutex);
            if (m_requested == nullptr)
                return InvalidOperation;
            records = std::exchange(m_records, {});
        }
        for (std::size_t i = records.size(); i > 1; --i)
            std::swap(records[i - 1], records[random(static_cast<unsigned>(i))]);
        for (std::size_t first = 0; first < records.size();) {
            const std::size_t most = 1 + random(200);
            first = handOver(records, first, std::min(records.size(), first + most));
        }
        return Good;
    }

    std::size_t dropped()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_dropped, 0);
    }

private:
    /// The lock is held.
    template<typename Record>
    void add(const Record& record)
    {
        if (record.kind == KernelKind && m_toDrop > 0) {
            --m_toDrop;
            ++m_dropped;
            return;
        }
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&record);
        m_records.emplace_back(bytes, bytes + sizeof(record));
    }

    std::size_t handOver(const std::vector<std::vector<std::uint8_t>>& records, std::size_t first,
                         std::size_t end)
    {
        std::uint8_t* buffer = nullptr;
        std::size_t bytes = 0;
        std::size_t most = 0;
        m_requested(&buffer, &bytes, &most);
        if (buffer == nullptr) {
            const std::lock_guard lock(m_mutex);
            m_dropped += end - first;
            return end;
        }
        std::size_t valid = 0;
        for (; first < end && valid + records[first].size() <= bytes; ++first) {
            std::memcpy(buffer + valid, records[first].data(), records[first].size());
            valid += records[first].size();
        }
        m_completed(nullptr, 0, buffer, bytes, valid);
        return first;
    }

    std::mutex m_mutex; ///< of all below
    std::set<std::uint32_t> m_kinds;
    Requested m_requested = nullptr;
    Completed m_completed = nullptr;
    std::uint32_t m_calls = 0;
    std::vector<std::vector<std::uint8_t>> m_records;
    int m_toDrop = setting("PW_FAKE_CUPTI_DROPPED", 0);
    std::size_t m_dropped = 0;
};

} // namespace

namespace {

std::uint8_t toldKind(cudaMemcpyKind kind)
{
    constexpr std::uint8_t fromHost = 1;
    constexpr std::uint8_t toHost = 2;
    constexpr std::uint8_t within = 8;
    return kind == cudaMemcpyHostToDevice   ? fromHost
           : kind == cudaMemcpyDeviceToHost ? toHost
                                            : within;
}

} // namespace

void tellOf(Work& work)
{
    tellOf(work, callOfThread());
}

std::uint32_t callOfThread()
{
    return Teller::one().call();
}

void tellOf(Work& work, std::uint32_t call)
{
    const std::string_view what = work.what;
    if (call == 0 || !work.run || what == "an event" || what == "a wait")
        return;
    work.run = [call, name = work.what, copy = work.copied, run = std::move(work.run)] {
        const std::uint64_t start = clockNow();
        run();
        const std::uint64_t end = clockNow() + 1; // what runs takes time
        if (std::string_view(name) == "a fill") {
            FillRecord fill;
            fill.correlationId = call;
            Teller::one().ran(fill, start, end);
        } else if (std::string_view(name) == "a copy") {
            CopyRecord record;
            record.copyKind = toldKind(copy);
            record.correlationId = call;
            Teller::one().ran(record, start, end);
        } else {
            KernelRecord kernel;
            kernel.name = name;
            kernel.correlationId = call;
            Teller::one().ran(kernel, start, end);
        }
    };
}

} // namespace pw::gpu

using namespace pw::gpu;

extern "C" {

int cuptiGetVersion(std::uint32_t* version)
{
    *version = setting("PW_FAKE_CUPTI", Ordinary) == LaterVersion ? 140000 : 130001;
    return Good;
}

int cuptiGetResultString(int result, const char** text)
{
    *text = result == InsufficientPrivileges ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
                                             : "an error of the stand-in";
    return Good;
}

int cuptiActivityRegisterCallbacks(Requested requested, Completed completed)
{
    return Teller::one().callBack(requested, completed);
}

int cuptiActivityEnable(std::uint32_t kind)
{
    return Teller::one().enable(kind);
}

int cuptiActivityDisable(std::uint32_t kind)
{
    return Teller::one().disable(kind);
}

int cuptiActivityFlushAll(std::uint32_t)
{
    return Teller::one().flush();
}

int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t validBytes, void** record)
{
    if (buffer == nullptr || record == nullptr)
        return InvalidParameter;
    std::uint8_t* next = buffer;
    if (*record != nullptr) {
        std::uint32_t kind = 0;
        std::memcpy(&kind, *record, sizeof(kind));
        next = static_cast<std::uint8_t*>(*record) + sizeOf(kind);
    }
    if (next >= buffer + validBytes)
        return LimitReached;
    *record = next;
    return Good;
}

int cuptiActivityGetNumDroppedRecords(void*, std::uint32_t, std::size_t* dropped)
{
    *dropped = Teller::one().dropped();
    return Good;
}

int cuptiActivityPushExternalCorrelationId(std::uint32_t kind, std::uint64_t id)
{
    if (kind < 1 || kind > 5)
        return InvalidParameter;
    said.emplace_back(kind, id);
    return Good;
}

int cuptiActivityPopExternalCorrelationId(std::uint32_t kind, std::uint64_t* last)
{
    if (said.empty())
        return QueueEmpty;
    if (said.back().first != kind)
        return InvalidParameter;
    if (last != nullptr)
        *last = said.back().second;
    said.pop_back();
    return Good;
}
}
