// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/kernel_watch.h"

#include "core/base/try.h"
#include "executor/cuda/cupti_records.h"

#include <array>
#include <cstdlib>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace pw::exec::cuda {

namespace {

struct FreeMemory
{
    void operator()(std::uint8_t* memory) const { std::free(memory); }
};

/// A buffer that the library has filled.
struct FilledBuffer
{
    std::unique_ptr<std::uint8_t, FreeMemory> bytes;
    std::size_t valid = 0;
};

/// Buffers of the library, which calls back from threads of its own and hands nothing on that would
/// say for whom: one for the process, never destroyed.
class CuptiBuffers
{
public:
    static CuptiBuffers& one()
    {
        static auto* const buffers = new CuptiBuffers;
        return *buffers;
    }

    static void requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* mostRecords)
    {
        constexpr std::size_t size = std::size_t{4} << 20;
        *buffer = one().mayHaveMore() ? static_cast<std::uint8_t*>(std::malloc(size)) : nullptr;
        *bytes = *buffer == nullptr ? 0 : size;
        *mostRecords = 0; // as many as there is room for
    }

    static void completed(void*, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t validBytes)
    {
        FilledBuffer filled{std::unique_ptr<std::uint8_t, FreeMemory>(buffer), validBytes};
        if (buffer == nullptr || validBytes == 0)
            return;
        // What the library has not used goes back: it may hand over many with little in them.
        if (void* const less = std::realloc(buffer, validBytes); less != nullptr) {
            static_cast<void>(filled.bytes.release());
            filled.bytes.reset(static_cast<std::uint8_t*>(less));
        }
        one().keep(std::move(filled));
    }

    void open()
    {
        const std::lock_guard lock(m_mutex);
        m_open = true;
        m_filled.clear();
        m_bytes = 0;
    }
    std::vector<FilledBuffer> close()
    {
        const std::lock_guard lock(m_mutex);
        m_open = false;
        m_bytes = 0;
        return std::exchange(m_filled, {});
    }

private:
    /// A run that launches without end must not take all memory; the library counts what it then
    /// has no room for.
    bool mayHaveMore()
    {
        constexpr std::size_t most = std::size_t{512} << 20; // more than a million launches
        const std::lock_guard lock(m_mutex);
        return m_bytes < most;
    }
    void keep(FilledBuffer buffer) noexcept
    {
        const std::lock_guard lock(m_mutex);
        try {
            if (!m_open)
                return;
            const std::size_t valid = buffer.valid;
            m_filled.push_back(std::move(buffer));
            m_bytes += valid;
        } catch (const std::exception&) {
            // No memory: the records are lost, and their passes have fewer kernels.
        }
    }

    std::mutex m_mutex;
    bool m_open = false;
    std::vector<FilledBuffer> m_filled;
    std::size_t m_bytes = 0; ///< in those
};

/// Takes records in.
class RecordReader
{
public:
    explicit RecordReader(KernelRecords& records)
        : m_records(records)
    {
    }

    void read(const void* record)
    {
        const CuptiRecord read = readCupti(record);
        if (read.kind == CuptiKind::Link) {
            if (read.said > 0)
                m_records.links.push_back({read.correlation, read.said - 1});
            return;
        }
        if (read.kind != CuptiKind::Kernel && read.kind != CuptiKind::Copy &&
            read.kind != CuptiKind::Fill)
            return;
        const std::int32_t name = read.kind == CuptiKind::Kernel ? numberOf(read.name) : -1;
        m_records.works.push_back(
            {read.correlation, static_cast<Ticks>(read.start), static_cast<Ticks>(read.end), name});
    }

private:
    /// Kernels of a name have the same text, at one place or at several.
    std::int32_t numberOf(const char* name)
    {
        const auto known = m_places.find(name);
        if (known != m_places.end())
            return known->second;
        const auto next = static_cast<std::int32_t>(m_records.names.size());
        const std::string text = name == nullptr ? "a kernel without a name" : name;
        const auto [own, fresh] = m_numbers.try_emplace(text, next);
        if (fresh)
            m_records.names.push_back(text);
        m_places.emplace(name, own->second);
        return own->second;
    }

    KernelRecords& m_records;
    std::unordered_map<const char*, std::int32_t> m_places;
    std::unordered_map<std::string, std::int32_t> m_numbers;
};

} // namespace

Result<std::shared_ptr<KernelWatch>> KernelWatch::begin(const CuptiApi& api)
{
    std::shared_ptr<KernelWatch> watch(new KernelWatch(api));
    PW_DO(watch->start()); // which stops where it fails
    return watch;
}

KernelWatch::~KernelWatch()
{
    if (m_ended)
        return;
    stop();
    CuptiBuffers::one().close();
}

Result<void> KernelWatch::start()
{
    CuptiBuffers::one().open();
    PW_DO(m_api.check("cuptiActivityRegisterCallbacks",
                      m_api.registerCallbacks(&CuptiBuffers::requested, &CuptiBuffers::completed)));
    // A link is written beside the record of a call, so calls are asked for, too: kernels are
    // launched through the runtime, and by libraries through the driver.
    for (const CuptiKind kind : {CuptiKind::Link, CuptiKind::RuntimeCall, CuptiKind::DriverCall,
                                 CuptiKind::Kernel, CuptiKind::Copy, CuptiKind::Fill}) {
        const auto number = static_cast<std::uint32_t>(kind);
        PW_DO(m_api.check("cuptiActivityEnable", m_api.enable(number)));
        m_enabled.push_back(number);
    }
    // Whoever waits asks again and again; these calls launch nothing.
    constexpr std::array<std::uint32_t, 2> queriesOfRuntime = {132, 138}; // of streams, events
    constexpr std::array<std::uint32_t, 2> queriesOfDriver = {125, 120};
    for (std::size_t i = 0; i < queriesOfRuntime.size(); ++i) {
        if (m_api.enableRuntimeApi != nullptr)
            m_api.enableRuntimeApi(queriesOfRuntime[i], 0);
        if (m_api.enableDriverApi != nullptr)
            m_api.enableDriverApi(queriesOfDriver[i], 0);
    }
    return {};
}

void KernelWatch::stop() noexcept
{
    for (const std::uint32_t kind : m_enabled)
        m_api.disable(kind);
    m_enabled.clear();
}

void KernelWatch::enter(const WatchedPass& pass)
{
    std::uint64_t number = 0; // 0 is nobody's
    {
        const std::lock_guard lock(m_mutex);
        m_passes.push_back(pass);
        number = m_passes.size();
    }
    m_api.pushExternalCorrelationId(cuptiCustom, number);
}

void KernelWatch::leave()
{
    std::uint64_t last = 0;
    m_api.popExternalCorrelationId(cuptiCustom, &last);
}

Result<KernelRecords> KernelWatch::end()
{
    constexpr std::uint32_t forced = 1;
    const int flushed = m_api.flushAll(forced);
    stop();
    m_api.flushAll(forced);
    const std::vector<FilledBuffer> buffers = CuptiBuffers::one().close();
    m_ended = true;
    KernelRecords records;
    {
        const std::lock_guard lock(m_mutex);
        records.passes = m_passes;
    }
    RecordReader reader(records);
    for (const FilledBuffer& buffer : buffers) {
        void* record = nullptr;
        while (m_api.getNextRecord(buffer.bytes.get(), buffer.valid, &record) == 0)
            reader.read(record);
    }
    std::size_t dropped = 0;
    if (m_api.getNumDroppedRecords(nullptr, 0, &dropped) == 0)
        records.lost = static_cast<std::int64_t>(dropped);
    if (records.works.empty()) {
        PW_DO(m_api.check("cuptiActivityFlushAll", flushed));
        return fail(ErrorCode::BadValue, "CUPTI has told of no kernel");
    }
    if (records.links.empty())
        return fail(ErrorCode::BadValue,
                    "CUPTI has told of %1 kernels and copies, and of none which pass launched it",
                    records.works.size());
    return records;
}

} // namespace pw::exec::cuda
