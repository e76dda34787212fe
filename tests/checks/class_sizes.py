#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""No class is more than a person holds in the head, however many files it is spread over: 400 lines, and 25 private functions.

    tests/checks/class_sizes.py [--largest]

The lines of a class are those of its body and of its member functions outside of it, from the first line of each to its last
brace. What is inside counts with what it is inside of: a nested class, or one behind a pointer (`struct Thing::Parts`), counts
for itself and for the outer one. Private functions are those that the body declares as private; those of nested classes do not
count, nor what is deleted or defaulted.

--largest prints the thirty largest: a part with a state of its own becomes a class before a limit is met.
"""

import bisect
import os
import re
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

MOST_LINES = 400
MOST_PRIVATE = 25

# What holds no code: raw strings, comments, strings, characters (but not the ' within 50'000) and preprocessor lines.
NO_CODE = re.compile(
    r'R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''
    r"|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
CLASS = re.compile(
    r"\b(class|struct|union)\s+(?:alignas\s*\([^()]*\)\s*|\[\[[^\]]*\]\]\s*|[A-Z]+_EXPORT\s+)*"
    r"((?:\w+\s*::\s*)*\w+)\s*(?:final\s*)?(?::(?!:).*)?$", re.S)
NAMESPACE = re.compile(r"^\s*(?:inline\s+)?(?:namespace\b\s*([\w:]*)|extern)\s*$")
ACCESS = re.compile(r"\b(public|protected|private|signals|Q_SIGNALS)(?:\s+(?:slots|Q_SLOTS))?\s*:$")
NO_FUNCTION = re.compile(r"\s*(friend|using|typedef|static_assert|alignas|Q_\w+|PW_\w+)\b")
OPERATOR = re.compile(r"\boperator\s*(?:\(\s*\)|\[\s*\]|[^\s\w(]+|[\w:<>&* ]+?)(?=\s*\()")
MEMBER = re.compile(r"((?:\w+\s*::\s*)+)~?\w+\s*$")


class Class:
    def __init__(self, path, name, kind):
        self.path, self.name = path, name
        self.access = "private" if kind == "class" else "public"
        self.lines = self.private = 0


def plain(head):
    """A declaration without what stands between < and >, and with operators as names."""
    head = OPERATOR.sub("operatorOf", head)
    while True:
        shorter = re.sub(r"<[^<>;{}]*>", "", head)
        if shorter == head:
            return head
        head = shorter


def is_function(head):
    """Whether a declaration in a class, without its body, is one of a function."""
    before, parenthesis, after = plain(head).partition("(")
    if not parenthesis or re.search("[={]", before) or NO_FUNCTION.match(before):
        return False
    return bool(re.search(r"~?\w+\s*$", before)) and not re.search(r"=\s*(delete|default)\s*$", after)


class Source:
    """One file: finds the classes and the member functions that stand in it."""

    def __init__(self, path, text, found):
        self.path, self.found = path, found
        self.text = NO_CODE.sub(lambda no: re.sub(r"[^\n]", " ", no.group()), text)
        self.ends = [at.start() for at in re.finditer("\n", self.text)]
        self.members = []  # (names of namespaces, what stands before the parenthesis, lines)
        self.scopes = []  # (kind, name or class, offset where its first line begins)

    def line(self, offset):
        return bisect.bisect_left(self.ends, offset)

    def space(self):
        """The namespaces at hand; those without a name are this file's own."""
        return "::".join(name or self.path for kind, name, _ in self.scopes if kind == "namespace")

    def begins_within(self, head):
        """Whether a brace only holds the value of a member, as before a constructor's body or behind a variable's name."""
        head = plain(head)
        if ")" not in head or re.search(r"=\s*$|\breturn\s*$", head):
            return True
        initialisers = re.search(r"\)[^:]*(?<!:):(?!:)", head)
        return bool(initialisers) and bool(re.search(r"\w\s*$", head))

    def declared(self, head):
        kind, owner, _ = self.scopes[-1] if self.scopes else ("", None, 0)
        if kind == "class" and owner.access == "private" and is_function(head):
            owner.private += 1

    def open(self, head, start):
        kind = self.scopes[-1][0] if self.scopes else "namespace"
        if kind not in ("namespace", "class"):
            self.scopes.append(("value" if kind == "value" else "block", None, start))
            return kind == "value"
        if space := NAMESPACE.match(head):
            self.scopes.append(("namespace", space.group(1) or "", start))
            return False
        shown = plain(head)
        of_class = CLASS.search(shown)
        if of_class and not re.search(r"\benum\b|=", shown[:of_class.start()]):
            self.open_class(of_class, start)
            return False
        if re.search(r"\benum\b", shown) and "(" not in shown:
            self.scopes.append(("block", None, start))
            return False
        if self.begins_within(head):
            self.scopes.append(("value", None, start))
            return True
        self.declared(head)
        self.scopes.append(("function", shown.partition("(")[0], start))
        return False

    def open_class(self, match, start):
        name = re.sub(r"\s", "", match.group(2))
        outer = next((scope[1] for scope in reversed(self.scopes) if scope[0] == "class"), None)
        full = f"{outer.name}::{name}" if outer else name
        made = Class(self.path, full, match.group(1))
        made.outer = outer
        made.key = (self.space(), full)
        self.found.append(made)
        self.scopes.append(("class", made, start))

    def close(self, offset):
        kind, what, start = self.scopes.pop()
        lines = self.line(offset) - self.line(start) + 1
        if kind == "class":
            what.lines += lines
        elif kind == "function" and not any(scope[0] == "class" for scope in self.scopes):
            self.members.append((self.space(), what, lines))

    def read(self):
        begin, deep = 0, 0  # of the declaration at hand; braces of a value, parentheses
        for token in re.finditer(r"[{};()]|:(?!:)", self.text):
            sign, offset = token.group(), token.start()
            inside = bool(self.scopes) and self.scopes[-1][0] in ("block", "function", "value")
            if sign in "()" and not inside:
                deep += 1 if sign == "(" else -1
            elif sign == "{":
                head = self.text[begin:offset]
                start = begin + len(head) - len(head.lstrip())
                if deep > 0:  # the value of a parameter
                    self.scopes.append(("value", None, start))
                elif not self.open(head, start):
                    begin = offset + 1
            elif sign == "}" and self.scopes:
                was = self.scopes[-1][0]
                self.close(offset)
                if was != "value":
                    begin = offset + 1
            elif inside or deep > 0:
                continue
            elif sign == ";":
                self.declared(self.text[begin:offset])
                begin = offset + 1
            elif sign == ":" and self.scopes and self.scopes[-1][0] == "class":
                if access := ACCESS.search(self.text[begin:offset + 1]):
                    self.scopes[-1][1].access = access.group(1)
                    begin = offset + 1
        if self.scopes or deep:
            sys.exit(f"class_sizes: {self.path} could not be read: its braces do not fit together")


def class_of(classes, space, before):
    """The class that a function outside of any belongs to; None: it is no member."""
    member = MEMBER.search(before)
    if not member:
        return None
    name = re.sub(r"\s|::\s*$", "", member.group(1))
    parts = space.split("::") if space else []
    for count in range(len(parts), -1, -1):
        whole = "::".join(parts[:count] + [name]).split("::")
        for names in range(count, len(whole)):
            if found := classes.get(("::".join(whole[:names]), "::".join(whole[names:]))):
                return found
    return None


def sources():
    """Paths and texts of the programs."""
    for folder in ["app", "core", "executor", "ui"]:
        for at, _, names in os.walk(folder):
            for name in sorted(names):
                if re.search(r"\.(cpp|h|cu|cuh)$", name):
                    with open(os.path.join(at, name), encoding="utf-8") as file:
                        yield os.path.join(at, name), file.read()


def sizes(texts):
    found, members = [], []
    for path, text in texts:
        source = Source(path, text, found)
        source.read()
        members += source.members
    classes = {}
    for one in found:
        classes.setdefault(one.key, one)
    for one in found:  # a nested class that is defined outside of its outer one
        if "::" in one.name and not one.outer and (outer := outer_by_name(classes, one)):
            outer.lines += one.lines
    for space, before, lines in members:
        owner = class_of(classes, space, before)
        while owner:
            owner.lines += lines
            owner = owner.outer or outer_by_name(classes, owner)
    return found


def outer_by_name(classes, one):
    space, name = one.key
    return classes.get((space, name.rpartition("::")[0])) if "::" in name else None


# Two files and what is in them: name, lines, private functions.
SAMPLE = [("a.h", """namespace pw {
/// class Words { in a comment, and "text {" }
class One final : public Base<int>
{
    Q_OBJECT
public:
    One(int x, std::function<void(int)> done);
    int size() const { return m_x; }

private slots:
    void closed();

private:
    friend bool operator==(const One&, const One&) = default;
    template<typename T>
    bool found(T what) const
    {
        return [&] { return what == m_x; }();
    }
    One(const One&) = delete;
    struct Part;
    struct Row
    {
        int cell(int column) const;
    };
    std::atomic<RankId> m_peer{RankId::none()};
    std::function<int(int)> m_how = [](int x) { return x; };
    std::unique_ptr<Part> m_part;
    int m_x = 50'000;
};
}
"""), ("a.cpp", """namespace pw {
struct One::Part
{
    int more();
};
namespace {
class One
{
    void hidden() {}
};
int sizeOf(const One& one) { return 1; }
}
One::One(int x, std::function<void(int)> done)
    : Base{x}
    , m_part(std::make_unique<Part>())
{
    done({x});
}
Result<std::vector<int>> pw::One::closed() { return {}; }
int One::Part::more()
{
    return '}';
}
}
""")]
SAMPLE_SIZES = {("a.h", "One"): (43, 2), ("a.h", "One::Row"): (4, 0), ("a.cpp", "One::Part"): (8, 0), ("a.cpp", "One"): (4, 1)}


def main():
    read = {(one.path, one.name): (one.lines, one.private) for one in sizes(SAMPLE)}
    if read != SAMPLE_SIZES:
        sys.exit(f"class_sizes: does not read classes as it must: {read}")
    found = sizes(sources())
    if "--largest" in sys.argv:
        for one in sorted(found, key=lambda one: -one.lines)[:30]:
            print(f"{one.path}:{one.name} {one.lines} {one.private}")
        return
    large = [one for one in found if one.lines > MOST_LINES or one.private > MOST_PRIVATE]
    for one in large:
        print(f"class_sizes: FOUND: {one.path}:{one.name} has {one.lines} lines and {one.private} private functions; make a class of "
              f"what has a state of its own ({MOST_LINES} lines and {MOST_PRIVATE} private functions at most)", file=sys.stderr)
    if large:
        sys.exit(1)
    print(f"class_sizes: {len(found)} classes have {MOST_LINES} lines and {MOST_PRIVATE} private functions at most")


main()
