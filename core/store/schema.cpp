// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/schema.h"

#include "core/base/try.h"

#include <array>
#include <string>

namespace pw {

namespace {

// Passes, messages and samples are keyed by rank and time: a window of a timeline is one short
// stretch of the table a rank. `seq` tells apart what happened at the same time. `lane` knows how
// far back something can have begun that reaches into a window; `span` where an iteration lies.
constexpr const char* firstSchema = R"sql(
CREATE TABLE run (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    family TEXT NOT NULL,
    project TEXT NOT NULL,
    settings TEXT NOT NULL,
    writer TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    touched_ms INTEGER NOT NULL,
    ended_ms INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'running',
    ranks INTEGER NOT NULL,
    host TEXT NOT NULL DEFAULT '',
    backend TEXT NOT NULL DEFAULT '',
    transport TEXT NOT NULL DEFAULT '',
    driver TEXT NOT NULL DEFAULT '',
    build TEXT NOT NULL DEFAULT '',
    iterations INTEGER NOT NULL DEFAULT 0,
    makespan INTEGER NOT NULL DEFAULT 0,
    makespan_low INTEGER NOT NULL DEFAULT 0,
    makespan_high INTEGER NOT NULL DEFAULT 0,
    predicted_makespan INTEGER NOT NULL DEFAULT 0,
    span_bubble REAL DEFAULT 0,
    predicted_span_bubble REAL DEFAULT 0,
    peak_activation INTEGER NOT NULL DEFAULT 0,
    predicted_peak_activation INTEGER NOT NULL DEFAULT 0,
    first_loss REAL DEFAULT 0,
    last_loss REAL DEFAULT 0);
CREATE TABLE device (
    run INTEGER, rank INTEGER, name TEXT NOT NULL, memory INTEGER NOT NULL,
    PRIMARY KEY (run, rank)) WITHOUT ROWID;
CREATE TABLE pass (
    run INTEGER, rank INTEGER, start INTEGER, seq INTEGER,
    duration INTEGER NOT NULL, iteration INTEGER NOT NULL, entry INTEGER NOT NULL,
    kind INTEGER NOT NULL, stage INTEGER NOT NULL, micro_batch INTEGER NOT NULL,
    segment INTEGER NOT NULL, route INTEGER NOT NULL,
    PRIMARY KEY (run, rank, start, seq)) WITHOUT ROWID;
CREATE TABLE message (
    run INTEGER, from_rank INTEGER, posted INTEGER, seq INTEGER,
    started INTEGER NOT NULL, ended INTEGER NOT NULL, iteration INTEGER NOT NULL,
    message INTEGER NOT NULL, to_rank INTEGER NOT NULL, bytes INTEGER NOT NULL,
    kind INTEGER NOT NULL, stage INTEGER NOT NULL, micro_batch INTEGER NOT NULL,
    segment INTEGER NOT NULL, route INTEGER NOT NULL,
    PRIMARY KEY (run, from_rank, posted, seq)) WITHOUT ROWID;
CREATE TABLE memory (
    run INTEGER, rank INTEGER, time INTEGER, seq INTEGER, iteration INTEGER NOT NULL,
    weights INTEGER NOT NULL, versions INTEGER NOT NULL, gradients INTEGER NOT NULL,
    optimizer INTEGER NOT NULL, activations INTEGER NOT NULL, held_for_weight INTEGER NOT NULL,
    messages INTEGER NOT NULL, workspace INTEGER NOT NULL,
    PRIMARY KEY (run, rank, time, seq)) WITHOUT ROWID;
CREATE TABLE lane (
    run INTEGER, rank INTEGER, passes INTEGER NOT NULL DEFAULT 0,
    longest_pass INTEGER NOT NULL DEFAULT 0, longest_message INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, rank)) WITHOUT ROWID;
CREATE TABLE span (
    run INTEGER, iteration INTEGER, rank INTEGER,
    first INTEGER NOT NULL, last INTEGER NOT NULL, passes INTEGER NOT NULL,
    PRIMARY KEY (run, iteration, rank)) WITHOUT ROWID;
CREATE TABLE loss (
    run INTEGER, step INTEGER, loss REAL,
    PRIMARY KEY (run, step)) WITHOUT ROWID;
CREATE TABLE log (
    run INTEGER, seq INTEGER, time INTEGER NOT NULL, rank INTEGER NOT NULL,
    level INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (run, seq)) WITHOUT ROWID;
CREATE TABLE fault (
    run INTEGER, seq INTEGER, rank INTEGER NOT NULL, peer INTEGER NOT NULL,
    pass TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (run, seq)) WITHOUT ROWID;
)sql";

// What people write about a run, where a run comes from, and how sure a pass's times are. The view
// is for people who look with other programs.
constexpr const char* origins = R"sql(
ALTER TABLE run ADD COLUMN notes TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN origin TEXT NOT NULL DEFAULT 'executed';
ALTER TABLE pass ADD COLUMN trust INTEGER NOT NULL DEFAULT 0;
CREATE VIEW timeline AS SELECT
    run, iteration, rank,
    'PP:' || stage || substr('FIWBRU', kind + 1, 1) || micro_batch AS label,
    CASE kind WHEN 0 THEN 'F' WHEN 1 THEN 'B' WHEN 2 THEN 'W' WHEN 3 THEN 'BW' WHEN 4 THEN 'R'
        ELSE 'U' END AS kind,
    stage, micro_batch, segment, route,
    start / 1e6 AS start_ms, (start + duration) / 1e6 AS end_ms, trust
    FROM pass;
)sql";

// What an import finds beside the passes, whose times are shifted already: how the clocks of the
// ranks were made one (a bound that no message tells is NULL), and what messages cost each rank.
constexpr const char* imports = R"sql(
CREATE TABLE alignment (
    run INTEGER PRIMARY KEY, outcome TEXT NOT NULL, text TEXT NOT NULL,
    messages INTEGER NOT NULL, grain INTEGER NOT NULL, impossible INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE clock (
    run INTEGER, rank INTEGER, first INTEGER NOT NULL, last INTEGER NOT NULL,
    at_first INTEGER NOT NULL, at_first_low INTEGER, at_first_high INTEGER,
    at_last INTEGER NOT NULL, at_last_low INTEGER, at_last_high INTEGER,
    drift REAL, drift_low REAL, drift_high REAL,
    PRIMARY KEY (run, rank)) WITHOUT ROWID;
CREATE TABLE transfer (
    run INTEGER, rank INTEGER, count INTEGER NOT NULL,
    waiting INTEGER NOT NULL, transfer INTEGER NOT NULL, after INTEGER NOT NULL,
    exposed INTEGER NOT NULL, hidden INTEGER NOT NULL,
    PRIMARY KEY (run, rank)) WITHOUT ROWID;
)sql";

// Between which makespans a run was expected to lie; 0 where nobody said. Where the passes of an
// iteration lie that stand in the order; NULL where none does, and in runs of older versions.
constexpr const char* forecasts = R"sql(
ALTER TABLE run ADD COLUMN predicted_low INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN predicted_high INTEGER NOT NULL DEFAULT 0;
ALTER TABLE span ADD COLUMN order_first INTEGER;
ALTER TABLE span ADD COLUMN order_last INTEGER;
)sql";

// Every slice of a trace, in lanes and levels of nesting (`depth`). Level 0 has each of them, the
// others sum up neighbours that are shorter than their grain. On one depth slices follow each
// other, so a window is one stretch of the table for each. The view is for people.
constexpr const char* activities = R"sql(
CREATE TABLE activity_lane (
    run INTEGER, lane INTEGER, rank INTEGER NOT NULL, device INTEGER NOT NULL,
    owner TEXT NOT NULL, name TEXT NOT NULL, depths INTEGER NOT NULL, slices INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (run, lane)) WITHOUT ROWID;
CREATE TABLE activity_level (
    run INTEGER, level INTEGER, grain INTEGER NOT NULL,
    PRIMARY KEY (run, level)) WITHOUT ROWID;
CREATE TABLE activity_name (
    run INTEGER, name INTEGER, text TEXT NOT NULL,
    PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE activity (
    run INTEGER, lane INTEGER, level INTEGER, depth INTEGER, start INTEGER, seq INTEGER,
    duration INTEGER NOT NULL, name INTEGER NOT NULL, kind INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run, lane, level, depth, start, seq)) WITHOUT ROWID;
CREATE VIEW slices AS SELECT
    a.run, l.rank, l.owner, l.name AS lane, n.text AS name,
    CASE a.kind WHEN 1 THEN 'compute' WHEN 2 THEN 'communication' WHEN 3 THEN 'memory'
        WHEN 4 THEN 'operator' WHEN 5 THEN 'launch' WHEN 6 THEN 'wait' WHEN 7 THEN 'annotation'
        WHEN 8 THEN 'script' ELSE 'other' END AS kind,
    a.depth, a.start / 1e6 AS start_ms, (a.start + a.duration) / 1e6 AS end_ms
    FROM activity a JOIN activity_lane l ON l.run = a.run AND l.lane = a.lane
    LEFT JOIN activity_name n ON n.run = a.run AND n.name = a.name WHERE a.level = 0;
)sql";

// What else a trace tells. `label` of a slice: what it is in a pipeline, as its name or its
// arguments say; NULL for nothing. `queued` of a slice on a device: nanoseconds from the start of
// the call that launched it, which is that call's arrow; NULL where it is not known. Other arrows
// are between slices of level 0, by lane and `seq`. A counter has the rank as files number it, and
// the device of the run's order that it is of; −1: none.
constexpr const char* countersAndArrows = R"sql(
ALTER TABLE activity ADD COLUMN queued INTEGER;
ALTER TABLE activity ADD COLUMN label INTEGER;
ALTER TABLE activity_lane ADD COLUMN gpu INTEGER NOT NULL DEFAULT -1;
CREATE TABLE activity_label (
    run INTEGER, label INTEGER, role INTEGER NOT NULL, kind INTEGER NOT NULL,
    open_backward INTEGER NOT NULL, paired INTEGER NOT NULL, iteration INTEGER NOT NULL,
    route INTEGER NOT NULL, stage INTEGER NOT NULL, chunk INTEGER NOT NULL,
    micro_batch INTEGER NOT NULL, segment INTEGER NOT NULL, trust INTEGER NOT NULL,
    PRIMARY KEY (run, label)) WITHOUT ROWID;
CREATE TABLE activity_link (
    run INTEGER, link INTEGER, kind INTEGER NOT NULL,
    from_lane INTEGER NOT NULL, from_slice INTEGER NOT NULL,
    to_lane INTEGER NOT NULL, to_slice INTEGER NOT NULL,
    PRIMARY KEY (run, link)) WITHOUT ROWID;
CREATE TABLE counter (
    run INTEGER, counter INTEGER, rank INTEGER NOT NULL, place INTEGER NOT NULL,
    name TEXT NOT NULL, kind INTEGER NOT NULL, device INTEGER NOT NULL, reserved INTEGER NOT NULL,
    PRIMARY KEY (run, counter)) WITHOUT ROWID;
CREATE TABLE counter_value (
    run INTEGER, counter INTEGER, time INTEGER, seq INTEGER, value REAL NOT NULL,
    PRIMARY KEY (run, counter, time, seq)) WITHOUT ROWID;
)sql";

// Activations on their way to the host's memory (`back` 0) and from it (1).
constexpr const char* hostCopies = R"sql(
CREATE TABLE host_copy (
    run INTEGER, rank INTEGER, start INTEGER, seq INTEGER,
    duration INTEGER NOT NULL, iteration INTEGER NOT NULL, back INTEGER NOT NULL,
    bytes INTEGER NOT NULL, kind INTEGER NOT NULL, stage INTEGER NOT NULL,
    micro_batch INTEGER NOT NULL, segment INTEGER NOT NULL, route INTEGER NOT NULL,
    PRIMARY KEY (run, rank, start, seq)) WITHOUT ROWID;
)sql";

// Plans and comparisons: what was asked, as a command line, and what was answered, as it was shown
// and as JSON.
constexpr const char* answers = R"sql(
CREATE TABLE answer (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    notes TEXT NOT NULL DEFAULT '',
    made_ms INTEGER NOT NULL,
    question TEXT NOT NULL,
    text TEXT NOT NULL,
    data TEXT NOT NULL);
)sql";

// What GPUs said of themselves at the start and at the end (`at_end` 1) of a run: what one does not
// tell is NULL; `slowed` is a bit each for power limit, heat, power brake, hardware, setting, idle.
// At the end, where its memory is, in bytes.
constexpr const char* gpuReadingTable = R"sql(
CREATE TABLE gpu (
    run INTEGER, seq INTEGER, rank INTEGER NOT NULL, gpu INTEGER NOT NULL,
    ranks INTEGER NOT NULL, at_end INTEGER NOT NULL, time INTEGER NOT NULL,
    mhz INTEGER, memory_mhz INTEGER, milliwatts INTEGER, celsius INTEGER, slowed INTEGER,
    taken INTEGER NOT NULL, reserved INTEGER NOT NULL, books INTEGER NOT NULL,
    contexts INTEGER NOT NULL, workspaces INTEGER NOT NULL, connections INTEGER NOT NULL,
    PRIMARY KEY (run, seq)) WITHOUT ROWID;
)sql";

// Which replica of a pipeline the rank of a lane is of, where files say it; −1: they do not.
constexpr const char* replicasOfLanes = R"sql(
ALTER TABLE activity_lane ADD COLUMN replica INTEGER NOT NULL DEFAULT -1;
)sql";

// Groups of ranks and what is said of their operations: `lane` and `slice` as of an arrow. What was
// summed up when a file was reduced to a digest: kernels by name over the whole file (`step` −1),
// work by kind (`name` NULL) over the steps.
constexpr const char* groupsAndSums = R"sql(
CREATE TABLE process_group (
    run INTEGER, number INTEGER, name TEXT NOT NULL, description TEXT NOT NULL,
    ranks TEXT NOT NULL, size INTEGER NOT NULL, alone INTEGER NOT NULL,
    PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE collective (
    run INTEGER, lane INTEGER, slice INTEGER, group_number INTEGER NOT NULL,
    kind INTEGER NOT NULL, sent INTEGER NOT NULL, received INTEGER NOT NULL,
    sequence INTEGER NOT NULL, peer INTEGER NOT NULL, sends INTEGER NOT NULL,
    PRIMARY KEY (run, lane, slice)) WITHOUT ROWID;
CREATE TABLE work_sum (
    run INTEGER, seq INTEGER, rank INTEGER NOT NULL, replica INTEGER NOT NULL,
    step INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT, count INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (run, seq)) WITHOUT ROWID;
)sql";

// Which coarser levels a lane has, a bit each by their number; those that are hardly shorter than
// the next finer one are left out. −1: all, as they were kept before.
constexpr const char* levelsOfLanes = R"sql(
ALTER TABLE activity_lane ADD COLUMN levels INTEGER NOT NULL DEFAULT -1;
)sql";

// What was found out about a job, in the form of the program that kept it, and the passes of each
// step of it: see `core/store/kept_job.h`. Without them it is found out again from the trace.
constexpr const char* jobs = R"sql(
CREATE TABLE job (
    run INTEGER PRIMARY KEY, format INTEGER NOT NULL, found BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE job_step (
    run INTEGER, step INTEGER, passes BLOB NOT NULL,
    PRIMARY KEY (run, step)) WITHOUT ROWID;
)sql";

// The same as plain rows, for questions. A worker, a cause and a repair have the rank as files
// number it; what does not apply is NULL. Where the trace was put together from digests, the file
// of each rank, as its machine names it, with the hash of its content.
constexpr const char* jobTables = R"sql(
CREATE TABLE job_summary (
    run INTEGER PRIMARY KEY, replicas INTEGER NOT NULL, stages INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL, steps INTEGER NOT NULL, ranks INTEGER NOT NULL,
    family TEXT NOT NULL, step INTEGER NOT NULL, replica_factor REAL NOT NULL,
    stage_factor REAL NOT NULL, order_factor REAL NOT NULL, link_factor REAL NOT NULL)
    WITHOUT ROWID;
CREATE TABLE job_worker (
    run INTEGER, replica INTEGER, stage INTEGER, rank INTEGER, forward INTEGER NOT NULL,
    backward INTEGER NOT NULL, forward_ratio REAL NOT NULL, backward_ratio REAL NOT NULL,
    idle REAL, memory INTEGER, PRIMARY KEY (run, replica, stage)) WITHOUT ROWID;
CREATE TABLE job_cause (
    run INTEGER, seq INTEGER, kind TEXT NOT NULL, replica INTEGER, stage INTEGER, rank INTEGER,
    step INTEGER, from_stage INTEGER, to_stage INTEGER, cost REAL NOT NULL, share REAL NOT NULL,
    sentence TEXT NOT NULL, PRIMARY KEY (run, seq)) WITHOUT ROWID;
CREATE TABLE job_repair (
    run INTEGER, seq INTEGER, what TEXT NOT NULL, replica INTEGER, stage INTEGER, rank INTEGER,
    step INTEGER, family TEXT, time REAL NOT NULL, gain REAL NOT NULL,
    PRIMARY KEY (run, seq)) WITHOUT ROWID;
CREATE TABLE job_time (
    run INTEGER, step INTEGER, number INTEGER NOT NULL, time INTEGER NOT NULL,
    around INTEGER NOT NULL, slowest INTEGER, warm_up INTEGER NOT NULL, complete INTEGER NOT NULL,
    PRIMARY KEY (run, step)) WITHOUT ROWID;
CREATE TABLE rank_file (
    run INTEGER, seq INTEGER, rank INTEGER NOT NULL, replica INTEGER NOT NULL, path TEXT NOT NULL,
    host TEXT NOT NULL, content TEXT NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (run, seq)) WITHOUT ROWID;
)sql";

// A person's rules that the file of a rank was read by when its digest was made: one line of JSON,
// as of `core/trace/reading_rules.h`; empty: none, or a store of before.
constexpr const char* rulesOfFiles = R"sql(
ALTER TABLE rank_file ADD COLUMN read_by TEXT NOT NULL DEFAULT '';
)sql";

/// Entry i takes a store from version i to i + 1.
constexpr std::array<const char*, storeVersion> migrations = {
    firstSchema,       origins,       imports, forecasts,       activities,
    countersAndArrows, hostCopies,    answers, gpuReadingTable, replicasOfLanes,
    groupsAndSums,     levelsOfLanes, jobs,    jobTables,       rulesOfFiles};

} // namespace

Result<int> schemaVersion(Database& database)
{
    // One statement sees one state of the file, also while another program makes a store of it.
    PW_TRY(Statement query,
           database.prepare("SELECT (SELECT user_version FROM pragma_user_version), "
                            "(SELECT application_id FROM pragma_application_id), "
                            "(SELECT count(*) FROM sqlite_master)"));
    PW_DO(query.next());
    const std::int64_t version = query.whole(0);
    const std::int64_t application = query.whole(1);
    if (query.whole(2) == 0 && application == 0)
        return 0;
    if (application != storeApplicationId)
        return fail(ErrorCode::Io,
                    "%1 belongs to another program: it is SQLite, but no store of Pipewright runs; "
                    "name another file",
                    database.path());
    if (version > storeVersion)
        return fail(ErrorCode::Version,
                    "%1 is a store of version %2, and this program knows versions up to %3; open "
                    "it with a later Pipewright, or name another file",
                    database.path(), version, storeVersion);
    if (version < 1)
        return fail(ErrorCode::Version,
                    "%1 says that it is a store of version %2, and versions go from 1 to %3; the "
                    "file is damaged: name another one",
                    database.path(), version, storeVersion);
    return static_cast<int>(version);
}

Result<void> migrate(Database& database, int version)
{
    PW_TRY(const int found, schemaVersion(database));
    if (found >= version)
        return {};
    PW_TRY(Transaction transaction, Transaction::begin(database));
    // Another program may have been faster.
    PW_TRY(const int now, schemaVersion(database));
    for (int from = now; from < version; ++from) {
        if (const Result<void> done = database.run(migrations[static_cast<std::size_t>(from)],
                                                   "cannot become a store of runs");
            !done)
            return done;
    }
    const std::string marks = "PRAGMA application_id = " + std::to_string(storeApplicationId) +
                              "; PRAGMA user_version = " + std::to_string(version);
    PW_DO(database.run(marks.c_str(), "cannot become a store of runs"));
    return transaction.commit();
}

} // namespace pw
