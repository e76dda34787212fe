// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/table_rules.h"

namespace pw {

// `0 + x IS NOT x` would take text for a number; typeof does not.
const std::array<TableRule, 34> tableRules = {{
    {"run", "number",
     "status NOT IN ('running','finished','stopped','failed','incomplete') OR typeof(ranks) <> "
     "'integer' OR ranks NOT BETWEEN 0 AND 1048576 OR makespan < 0 OR makespan_low < 0 OR "
     "makespan_high < 0 OR predicted_makespan < 0 OR iterations < 0 OR number < 1",
     "a status or figures that no run has"},
    {"device", "run", "rank NOT BETWEEN 0 AND 1048576", "a rank that is none"},
    {"pass", "run",
     "typeof(start) <> 'integer' OR typeof(duration) <> 'integer' OR duration < 0 OR kind NOT "
     "BETWEEN 0 AND 5 OR route NOT BETWEEN 0 AND 63 OR trust NOT BETWEEN 0 AND 4 OR rank NOT "
     "BETWEEN 0 AND 1048576 OR stage < 0 OR micro_batch < 0 OR segment < 0 OR entry < -1 OR "
     "abs(start / 2) > 2305843009213693952 OR duration > 4611686018427387904",
     "a kind, place or time that no pass has"},
    {"message", "run",
     "typeof(posted) <> 'integer' OR typeof(ended) <> 'integer' OR ended < posted OR kind NOT "
     "BETWEEN 0 AND 5 OR route NOT BETWEEN 0 AND 63 OR bytes < 0 OR from_rank NOT BETWEEN 0 AND "
     "1048576 OR to_rank NOT BETWEEN 0 AND 1048576 OR stage < 0 OR micro_batch < 0 OR segment < 0 "
     "OR message < -1",
     "a kind, place or time that no message has"},
    {"memory", "run", "typeof(time) <> 'integer' OR rank NOT BETWEEN 0 AND 1048576",
     "a place or time that no sample has"},
    {"host_copy", "run",
     "typeof(start) <> 'integer' OR typeof(duration) <> 'integer' OR duration < 0 OR kind NOT "
     "BETWEEN 0 AND 5 OR route NOT BETWEEN 0 AND 63 OR bytes < 0 OR back NOT IN (0, 1) OR rank NOT "
     "BETWEEN 0 AND 1048576 OR stage < 0 OR micro_batch < 0 OR segment < 0 OR abs(start / 2) > "
     "2305843009213693952 OR duration > 4611686018427387904",
     "a place or time that no copy has"},
    {"gpu", "run",
     "typeof(time) <> 'integer' OR rank NOT BETWEEN 0 AND 1048576 OR gpu < 0 OR ranks NOT BETWEEN "
     "1 AND 1048576 OR at_end NOT IN (0, 1) OR coalesce(mhz, 0) < 0 OR coalesce(memory_mhz, 0) < 0 "
     "OR coalesce(milliwatts, 0) < 0 OR coalesce(celsius, 0) < 0 OR coalesce(slowed, 0) NOT "
     "BETWEEN 0 AND 63",
     "a place, time or clock that no GPU has"},
    {"lane", "run",
     "rank NOT BETWEEN 0 AND 1048576 OR longest_pass < 0 OR longest_message < 0 OR passes < 0",
     "a negative count or time"},
    {"span", "run", "last < first OR rank NOT BETWEEN 0 AND 1048576 OR passes < 0",
     "an end before its beginning"},
    {"loss", "run", "typeof(step) <> 'integer'", "no step"},
    {"log", "run", "level NOT IN (0, 1)", "a level that is none"},
    {"fault", "run", "0", ""},
    {"alignment", "run", "outcome NOT IN ('unknown','kept','shifted','unsolvable')",
     "a way to one clock that is none"},
    {"clock", "run", "rank NOT BETWEEN 0 AND 1048576", "a rank that is none"},
    {"transfer", "run", "rank NOT BETWEEN 0 AND 1048576", "a rank that is none"},
    {"activity_lane", "run",
     "rank NOT BETWEEN -1 AND 1048576 OR depths NOT BETWEEN 0 AND 65536 OR slices < 0 OR last < "
     "first",
     "a rank, count or time that no lane has"},
    {"activity_level", "run", "grain < 1", "a grain that is none"},
    {"activity_name", "run", "typeof(text) <> 'text'", "no text"},
    {"activity", "run",
     "typeof(start) <> 'integer' OR typeof(duration) <> 'integer' OR duration < 0 OR kind NOT "
     "BETWEEN 0 AND 8 OR count < 1 OR depth NOT BETWEEN 0 AND 65535 OR coalesce(queued, 0) "
     "< 0 OR coalesce(label, 0) < 0",
     "a kind, place or time that no slice has"},
    {"activity_label", "run",
     "role NOT BETWEEN 0 AND 4 OR kind NOT BETWEEN 0 AND 5 OR trust NOT BETWEEN 0 AND 4",
     "a role or kind that no label has"},
    {"activity_link", "run",
     "kind NOT BETWEEN 0 AND 2 OR from_lane < 0 OR from_slice < 0 OR to_lane < 0 OR to_slice < 0",
     "a kind or an end that no arrow has"},
    {"process_group", "run",
     "number < 0 OR typeof(ranks) <> 'text' OR alone NOT IN (0, 1) OR size NOT BETWEEN -1 AND "
     "1048576",
     "a number or size that no group has"},
    {"collective", "run",
     "lane < 0 OR slice < 0 OR group_number < -1 OR kind NOT BETWEEN 0 AND 10 OR sends NOT IN (0, "
     "1) OR peer NOT BETWEEN -1 AND 1048576",
     "a kind or place that no operation has"},
    {"work_sum", "run",
     "rank NOT BETWEEN -1 AND 1048576 OR kind NOT BETWEEN 0 AND 8 OR count < 0 OR total < 0",
     "a kind, count or time that no work has"},
    {"counter", "run",
     "typeof(name) <> 'text' OR kind NOT BETWEEN 0 AND 2 OR rank NOT BETWEEN -1 AND 1048576 OR "
     "place NOT BETWEEN -1 AND 1048576",
     "a kind or place that no counter has"},
    {"counter_value", "run", "typeof(time) <> 'integer' OR typeof(value) = 'text'",
     "a time or value that no counter has"},
    {"job", "run", "typeof(format) <> 'integer' OR typeof(found) <> 'blob'",
     "a form that no job has"},
    {"job_step", "run", "step < 0 OR typeof(passes) <> 'blob'",
     "a number or form that no step has"},
    {"job_summary", "run", "replicas < 1 OR stages < 1 OR steps < 0 OR ranks < 0 OR step < 0",
     "a count or time that no job has"},
    {"job_worker", "run",
     "replica < 0 OR stage < 0 OR coalesce(rank, 0) NOT BETWEEN 0 AND 1048576 OR forward < 0 OR "
     "backward < 0",
     "a place or time that no worker has"},
    {"job_cause", "run", "typeof(kind) <> 'text' OR typeof(sentence) <> 'text'",
     "a kind or sentence that no cause has"},
    {"job_repair", "run", "typeof(what) <> 'text'", "a kind that no repair has"},
    {"job_time", "run", "step < 0 OR time < 0", "a number or time that no step has"},
    {"rank_file", "run",
     "rank NOT BETWEEN -1 AND 1048576 OR replica NOT BETWEEN -1 AND 1048576 OR typeof(path) <> "
     "'text' OR typeof(content) <> 'text' OR bytes < 0 OR typeof(read_by) <> 'text'",
     "a rank, path, size or rule that no file has"},
}};

std::string rowOrderOf(const std::string& table)
{
    if (table == "run")
        return "number";
    if (table == "pass" || table == "host_copy")
        return "rank,start,seq";
    if (table == "message")
        return "from_rank,posted,seq";
    if (table == "memory")
        return "rank,time,seq";
    if (table == "span")
        return "iteration,rank";
    if (table == "activity")
        return "lane,level,depth,start,seq";
    if (table == "activity_lane")
        return "lane";
    if (table == "activity_level")
        return "level";
    if (table == "activity_name")
        return "name";
    if (table == "activity_label")
        return "label";
    if (table == "activity_link")
        return "link";
    if (table == "process_group")
        return "number";
    if (table == "collective")
        return "lane,slice";
    if (table == "counter")
        return "counter";
    if (table == "counter_value")
        return "counter,time,seq";
    if (table == "loss")
        return "step";
    if (table == "log" || table == "fault" || table == "gpu" || table == "work_sum" ||
        table == "job_cause" || table == "job_repair" || table == "rank_file")
        return "seq";
    if (table == "job_step" || table == "job_time")
        return "step";
    if (table == "job_worker")
        return "replica,stage";
    return table == "alignment" || table == "job" || table == "job_summary" ? "run" : "rank";
}

} // namespace pw
