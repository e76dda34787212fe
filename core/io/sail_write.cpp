// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/io/sail_parts.h"
#include "core/io/schedule_text.h"
#include "core/lower/program.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace pw {

namespace {

Result<void> checkHolds(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    const char* what = nullptr;
    if (spec.routeCount() > 1)
        what = "no second route: every stage belongs to one rank";
    else if (spec.steps > 1)
        what = "one optimizer step; this schedule has more";
    else if (spec.updates)
        what = "no optimizer updates";
    for (const Schedule::Places& places : schedule.places())
        if (places.second.valid())
            what = "no overlapped pairs";
    if (what != nullptr)
        return fail(ErrorCode::BadValue, "sail-sg's plans have %1", what);
    return {};
}

class NodeWriter
{
public:
    NodeWriter(const Schedule& schedule, const SimResult& times)
        : m_schedule(schedule)
        , m_spec(schedule.spec())
        , m_times(times)
        , m_chunks(schedule.spec())
    {
        for (const HostCopy& copy : times.copies)
            m_cells.push_back(copy.cell);
        std::sort(m_cells.begin(), m_cells.end());
    }

    /// Every rank's entries in their order.
    std::string passes()
    {
        m_json.beginArray();
        for (const DeviceId rank : Ids<DeviceId>(m_schedule.devices())) {
            m_json.beginArray();
            takeCopies(rank);
            for (const EntryId i : m_schedule.entries(rank))
                addPass(i);
            addTransfers(std::nullopt);
            m_json.endArray();
        }
        m_json.endArray();
        return m_json.text();
    }

    std::string program(const Program& program)
    {
        m_json.beginArray();
        for (const RankId rank : Ids<RankId>(program.ranks.size())) {
            m_json.beginArray();
            takeCopies(deviceOf(rank));
            for (const Instruction& one : program.ranks[rank.index()])
                add(program, one);
            addTransfers(std::nullopt);
            m_json.endArray();
        }
        m_json.endArray();
        return m_json.text();
    }

private:
    /// A node of a copy between the device and its host.
    struct Transfer
    {
        Ticks time = 0;
        SailKind kind = SailKind::OffloadSendStart;
        Pass cell;
    };

    static double microseconds(Ticks time) { return static_cast<double>(time) / 1000; }

    void add(const Program& program, const Instruction& one)
    {
        switch (one.kind) {
        case InstructionKind::Compute:
            addPass(EntryId(one.index));
            break;
        case InstructionKind::Send:
            addMessage(program, one.index, true);
            break;
        case InstructionKind::Receive:
            addMessage(program, one.index, false);
            break;
        case InstructionKind::Reduce: // between two routes only
        case InstructionKind::Stow:   // by the times of a simulation
        case InstructionKind::Free:
        case InstructionKind::Fetch:
            break;
        }
    }

    RankId rankOf(StageId stage) const { return pw::rankOf(m_spec.device(0, stage)); }

    void begin(std::string_view type, const Pass& pass)
    {
        m_json.beginObject(JsonText::Layout::OneLine);
        m_json.member("type", type);
        m_json.member("stage", rankOf(pass.stage));
        m_json.member("microbatch", pass.microBatch);
        m_json.member("chunk", m_chunks.chunk(0, pass.stage));
        m_json.member("seq_split_idx", pass.segment);
        m_json.member("layer_group_idx", pass.stage);
    }

    void addTimes(Ticks start, Ticks end)
    {
        m_json.member("start_time", microseconds(start));
        m_json.member("completion_time", microseconds(end));
    }

    void addPeer(std::string_view name, StageId stage, RankId own)
    {
        m_json.key(name);
        if (stage < 0 || stage >= m_spec.stages() || rankOf(stage) == own)
            m_json.null();
        else
            m_json.value(rankOf(stage));
    }

    /// The transfers of a rank, in their order.
    void takeCopies(DeviceId device)
    {
        m_transfers.clear();
        m_nextTransfer = 0;
        for (const HostCopy& copy : m_times.copies) {
            if (copy.device != device)
                continue;
            m_transfers.push_back({copy.outStart, SailKind::OffloadSendStart, copy.cell});
            m_transfers.push_back({copy.outEnd, SailKind::OffloadSendEnd, copy.cell});
            m_transfers.push_back({copy.backStart, SailKind::OffloadRecvPrep, copy.cell});
            m_transfers.push_back({copy.backStart, SailKind::OffloadRecvStart, copy.cell});
            m_transfers.push_back({lastUse(copy.cell), SailKind::OffloadRecvEnd, copy.cell});
        }
        std::stable_sort(m_transfers.begin(), m_transfers.end(),
                         [](const Transfer& a, const Transfer& b) {
                             return std::tie(a.time, a.kind) < std::tie(b.time, b.kind);
                         });
    }

    /// End of the W or BW that releases an activation.
    Ticks lastUse(const Pass& cell) const
    {
        Pass last = cell;
        last.kind = PassKind::W;
        if (!m_schedule.has(m_schedule.table().id(last)))
            last.kind = PassKind::BW;
        return m_times
            .end[static_cast<std::size_t>(m_schedule.entryOf(m_schedule.table().id(last)))];
    }

    /// Those that have begun when a pass starts; without a time all that are left.
    void addTransfers(std::optional<Ticks> until)
    {
        for (; m_nextTransfer < m_transfers.size(); ++m_nextTransfer) {
            const Transfer& one = m_transfers[m_nextTransfer];
            if (until && one.time > *until)
                return;
            begin(sailName(one.kind), one.cell);
            addTimes(one.time, one.time);
            m_json.endObject();
        }
    }

    void addPass(EntryId index)
    {
        addTransfers(m_times.start[static_cast<std::size_t>(index)]);
        const Pass pass = m_schedule.entry(index).pass;
        begin(name(pass.kind), pass);
        const auto entry = static_cast<std::size_t>(index);
        addTimes(m_times.start[entry], m_times.end[entry]);
        const int down = pass.kind == PassKind::F ? 1 : isBackward(pass.kind) ? -1 : 0;
        const RankId own = rankOf(pass.stage);
        addPeer("recv_peer_stage", StageId(down == 0 ? -1 : pass.stage - down), own);
        addPeer("send_peer_stage", StageId(down == 0 ? -1 : pass.stage + down), own);
        m_json.member("need_recompute", m_schedule.recomputed(pass));
        Pass cell = pass;
        cell.kind = PassKind::F;
        m_json.member("should_offload", std::binary_search(m_cells.begin(), m_cells.end(), cell));
        m_json.endObject();
    }

    void addMessage(const Program& program, std::int32_t index, bool sends)
    {
        const Message& message = program.messages[static_cast<std::size_t>(index)];
        const bool forward = message.producer.kind == PassKind::F;
        const SailKind kind = forward ? sends ? SailKind::SendForward : SailKind::RecvForward
                              : sends ? SailKind::SendBackward
                                      : SailKind::RecvBackward;
        begin(sailName(kind), sends ? message.producer : message.consumer);
        const EntryId entry = m_schedule.entryOf(m_schedule.table().id(message.producer));
        const Ticks ready = m_times.end[static_cast<std::size_t>(entry)];
        addTimes(ready, ready);
        const RankId own = sends ? message.from : message.to;
        const RankId peer = sends ? message.to : message.from;
        const bool next = peer == (own + 1) % m_spec.devices;
        m_json.member("comm_direction", next ? "NEXT" : "PREV");
        m_json.member("comm_peer_stage", peer);
        m_json.member("comm_pair_id", index);
        m_json.endObject();
    }

    const Schedule& m_schedule;
    const PipelineSpec& m_spec;
    const SimResult& m_times;
    ChunkTable m_chunks;
    JsonText m_json;
    std::vector<Pass> m_cells;         // that are copied, sorted
    std::vector<Transfer> m_transfers; // of the rank that is written
    std::size_t m_nextTransfer = 0;
};

} // namespace

Result<std::string> writeSailPlan(const Schedule& schedule, const Costs& costs, SailForm form)
{
    PW_DO(checkHolds(schedule));
    PW_TRY(const SimResult times, simulate(schedule, costs));
    NodeWriter writer(schedule, times);
    if (form == SailForm::ComputeOnly)
        return writer.passes();
    PW_TRY(const Program program, lower(schedule));
    return writer.program(program);
}

} // namespace pw
