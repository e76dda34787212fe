# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# A cover of all pairs: standard input has a factor a line, its name and its values; `awk -v seed=1 -f cover.awk` prints rows
# of values, in the order of the factors, until every two values of two factors that go together stand in a row.
# A line "not NAME=VALUE NAME=VALUE" says that two do not go together.

$1 == "not" {
    split($2, one, "=")
    split($3, other, "=")
    forbid(one[1], one[2], other[1], other[2])
    next
}
NF > 1 && $1 !~ /^#/ {
    ++factors
    name[factors] = $1
    number[$1] = factors
    count[factors] = NF - 1
    for (i = 2; i <= NF; ++i)
        value[factors, i - 1] = $i
}

function forbid(factor, of, another, than) {
    bad[factor "=" of, another "=" than] = 1
    bad[another "=" than, factor "=" of] = 1
}
function together(f, v, g, w) {
    return !((name[f] "=" value[f, v], name[g] "=" value[g, w]) in bad)
}
# How many pairs a value adds that are still open; -1: it does not go with what is chosen.
function worth(f, v,    g, open) {
    open = 0
    for (g = 1; g <= factors; ++g) {
        if (!chosen[g] || g == f)
            continue
        if (!together(f, v, g, chosen[g]))
            return -1
        open += ((f, v, g, chosen[g]) in left)
    }
    return open
}
function cover(f, v, g, w) {
    if ((f, v, g, w) in left) {
        delete left[f, v, g, w]
        delete left[g, w, f, v]
        --open_pairs
    }
}
# A row that begins with two values; false where nothing goes with them.
function row(f, v, g, w,    h, i, best, most, now) {
    for (h = 1; h <= factors; ++h)
        chosen[h] = 0
    chosen[f] = v
    chosen[g] = w
    for (h = 1; h <= factors; ++h) {
        if (chosen[h])
            continue
        best = 0
        most = -1
        for (i = 1; i <= count[h]; ++i) {
            now = worth(h, i) + rand() / 2
            if (worth(h, i) >= 0 && now > most) {
                most = now
                best = i
            }
        }
        if (!best)
            return 0
        chosen[h] = best
    }
    return 1
}

END {
    srand(seed)
    for (f = 1; f <= factors; ++f)
        for (g = f + 1; g <= factors; ++g)
            for (v = 1; v <= count[f]; ++v)
                for (w = 1; w <= count[g]; ++w)
                    if (together(f, v, g, w)) {
                        left[f, v, g, w] = left[g, w, f, v] = 1
                        ++open_pairs
                    }
    for (f = 1; f <= factors; ++f)
        for (g = f + 1; g <= factors; ++g)
            for (v = 1; v <= count[f]; ++v)
                for (w = 1; w <= count[g]; ++w) {
                    if (!((f, v, g, w) in left) || !row(f, v, g, w))
                        continue
                    line = ""
                    for (h = 1; h <= factors; ++h) {
                        line = line (h > 1 ? " " : "") value[h, chosen[h]]
                        for (i = h + 1; i <= factors; ++i)
                            cover(h, chosen[h], i, chosen[i])
                    }
                    print line
                }
    if (open_pairs > 0) {
        print open_pairs " pairs in no row" > "/dev/stderr"
        exit 1
    }
}
