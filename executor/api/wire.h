// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/records.h"
#include "executor/api/run_sink.h"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw::exec {

// The wire: what a run says, one JSON object a line in UTF-8, for whoever started the program.
// Protocol 1. Every object has "t", what it is; times are whole nanoseconds since the run's time
// base, within ±2^62, and sizes whole bytes below 2^63. A reader ignores fields and kinds of
// objects that it does not know, and refuses another protocol. A number that is not finite is the
// text "nan", "inf" or "-inf".
//
//   {"t":"hello","protocol":1,"program":"0.1.0","backend":"cpu",
//    "devices":[{"name":"…","memory":0}]}          first; memory 0: not known
//   {"t":"started","title":"…","host":"…","backend":"…","transport":"…","driver":"…","build":"…",
//    "devices":[…],"ranks":4,"stages":4,"micro_batches":8,"segments":1,"steps":1,"warmup":1,
//    "iterations":3,"settings":"{…}","project":"{…}"}
//                                                  settings: of the plan, JSON as a text;
//                                                  project: the text of a project file
//   {"t":"pass","label":"PP:1F0","it":0,"step":1,"rank":1,"entry":5,"kind":"F","stage":1,"mb":0,
//    "seg":0,"route":0,"start":120,"end":340}      step counts over all iterations, warm-up too;
//                                                  seg and route only where they are not 0; of an
//                                                  overlapped pair two objects with the pair's
//                                                  label
//   {"t":"message","label":"PP:0SEND_F0","it":0,"id":3,"from":0,"to":1,"kind":"F","stage":0,"mb":0,
//    "bytes":4096,"posted":1,"started":2,"ended":3}      kind, stage, mb, seg, route: the producer
//   {"t":"memory","it":0,"rank":0,"time":5,"bytes":[…]}  by use: weights, weight versions,
//                                                  gradients, optimizer, activations, held for W,
//                                                  messages, workspace
//   {"t":"copy","it":0,"rank":0,"kind":"F","stage":0,"mb":2,"to":"host","bytes":4096,"start":1,
//    "end":3}                                      of an activation; to: host or device
//   {"t":"gpu","rank":0,"gpu":0,"ranks":4,"at":"start","time":0,"mhz":1980,"memory_mhz":2619,
//    "milliwatts":512000,"celsius":61,"slowed":"power-limit heat"}         at: start or end of the
//                                                  run; what the GPU does not tell is left out; at
//                                                  the end bytes too: "taken", "reserved",
//                                                  "books", "contexts", "workspaces",
//                                                  "connections"
//   {"t":"loss","step":0,"loss":4.15}
//   {"t":"log","time":0,"rank":-1,"level":"info","text":"…"}         or "warning"
//   {"t":"error","rank":2,"peer":1,"pass":"PP:2F3","text":"…"}      rank −1: the run as a whole
//   {"t":"finished","status":"finished","iterations":3,"makespan":…, "makespan_low":…,
//    "makespan_high":…,"predicted_makespan":…,"predicted_low":…,"predicted_high":…,
//    "span_bubble":0.27,"predicted_span_bubble":0.27,"peak_activation":…,
//    "predicted_peak_activation":…,"first_loss":…,"last_loss":…}                       last;
//                                                  low and high only where costs were measured

constexpr int wireProtocol = 1;

/// What the program says about itself before it does anything.
struct WireHello
{
    std::string program; ///< version of Pipewright
    std::string backend;
    std::vector<RunDevice> devices;

    friend bool operator==(const WireHello&, const WireHello&) = default;
};

/// Writes a run as lines. What it has written is flushed at the end of every call, so that a reader
/// sees a batch at once; a reader that has gone away is noticed by `good`, and nothing more is
/// written.
class WireSink : public RunSink
{
public:
    /// Says hello. @param out  outlives this
    WireSink(std::ostream& out, const WireHello& hello);
    ~WireSink() override;
    WireSink(const WireSink&) = delete;
    WireSink& operator=(const WireSink&) = delete;

    /// Whether everything so far has been written.
    bool good() const;

    void started(const RunPlan& plan, const RunEnvironment& environment) override;
    void passes(std::span<const RecordedPass> batch) override;
    void messages(std::span<const RecordedMessage> batch) override;
    void memory(std::span<const MemorySample> batch) override;
    void copies(std::span<const RecordedCopy> batch) override;
    void gpus(std::span<const GpuReading> batch) override;
    void loss(const StepLoss& loss) override;
    void log(const RunLog& log) override;
    /// Also before `started`, for a run that never began.
    void fault(const RunFault& fault) override;
    void finished(RunStatus status, const RunFigures& figures) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// A run as its first line tells it.
struct WireStarted
{
    std::string title;
    RunEnvironment environment;
    int ranks = 0;
    int stages = 0;
    int microBatches = 0;
    int segments = 0;
    int steps = 0;
    int warmup = 0;
    int iterations = 0;
    std::string settings; ///< JSON, see `planSettings`
    std::string project;  ///< text of a project file

    friend bool operator==(const WireStarted&, const WireStarted&) = default;
};

/// Hears what a reader reads. Everything does nothing unless it is overridden.
class WireListener
{
public:
    virtual ~WireListener() = default;

    virtual void hello(const WireHello& /*hello*/) {}
    virtual void started(const WireStarted& /*started*/) {}
    virtual void passes(std::span<const RecordedPass> /*batch*/) {}
    virtual void messages(std::span<const RecordedMessage> /*batch*/) {}
    virtual void memory(std::span<const MemorySample> /*batch*/) {}
    virtual void copies(std::span<const RecordedCopy> /*batch*/) {}
    virtual void gpus(std::span<const GpuReading> /*batch*/) {}
    virtual void loss(const StepLoss& /*loss*/) {}
    virtual void log(const RunLog& /*log*/) {}
    virtual void fault(const RunFault& /*fault*/) {}
    virtual void finished(RunStatus /*status*/, const RunFigures& /*figures*/) {}
    /// A line that cannot be used; it is left out. Lines count from 1.
    virtual void broken(std::int64_t /*line*/, const std::string& /*reason*/) {}
};

/// Reads the wire from bytes that come in any pieces. Neighbouring records of one kind reach the
/// listener as one batch; all that a call has completed has reached it when the call returns.
class WireReader
{
public:
    /// The longest line that is read: a project file whose every byte is escaped fits twice.
    static constexpr std::size_t longestLine = std::size_t{128} << 20;

    /// @param listener  outlives this
    /// @param longest   line that is read; a longer one is broken
    explicit WireReader(WireListener& listener, std::size_t longest = longestLine);
    ~WireReader();
    WireReader(const WireReader&) = delete;
    WireReader& operator=(const WireReader&) = delete;

    /// @error Version  the hello is of another protocol: says which, and what to do; everything
    /// after it is left unread, and every further call fails alike
    Result<void> feed(std::string_view bytes);

    /// Says that no more bytes will come.
    /// @error Fault    the stream ended without hello, or before the run did
    /// @error Version  as of `feed`
    Result<void> end();

    std::int64_t lines() const;        ///< complete ones, so far
    std::int64_t brokenLines() const;  ///< of them
    std::int64_t unknownKinds() const; ///< objects whose "t" this program does not know

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace pw::exec
