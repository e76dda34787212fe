// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/annotation_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pw {

namespace {

PicturePoint pointOf(const AnnotationPoint& point, const PictureBox& lane,
                     const AnnotationFrame& frame)
{
    return {frame.x(point.time), lane.top + point.down * lane.height};
}

/// A length moved into another one, as little as needed; where it is longer, to its beginning.
double moved(double begin, double length, double roomBegin, double roomLength)
{
    return std::max(roomBegin, std::min(begin, roomBegin + roomLength - length));
}

bool meet(const PictureBox& a, const PictureBox& b)
{
    return a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom();
}

/// The label with its middle at a point, or beginning there, as far as the room has it.
void putLabel(AnnotationShape& shape, const AnnotationFrame& frame, PicturePoint at, bool begins)
{
    if (shape.words.empty())
        return;
    const double pad = 0.35 * frame.line;
    double width = 0;
    for (const std::string& line : shape.words)
        width = std::max(width, frame.width(line));
    PictureBox& box = shape.label;
    box.width = width + 2 * pad;
    box.height = frame.line * static_cast<double>(shape.words.size()) + 0.3 * pad;
    box.left = begins ? at.x : at.x - box.width / 2;
    box.top = at.y - box.height / 2;
    const PictureBox& room = frame.room;
    box.left = moved(box.left, box.width, room.left, room.width);
    box.top = moved(box.top, box.height, room.top, room.height);
}

/// Where the way from the middle of a box to a point leaves the box; none: the point is inside.
std::optional<PicturePoint> leaving(const PictureBox& box, PicturePoint to)
{
    const PicturePoint from = box.center();
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double across = dx == 0 ? 2 : box.width / 2 / std::abs(dx);
    const double down = dy == 0 ? 2 : box.height / 2 / std::abs(dy);
    const double part = std::min(across, down);
    if (part >= 1)
        return std::nullopt;
    return PicturePoint{from.x + part * dx, from.y + part * dy};
}

void layArrow(AnnotationShape& shape, const AnnotationFrame& frame)
{
    putLabel(shape, frame, shape.from, false);
    PicturePoint start = shape.from;
    if (!shape.label.empty()) {
        const std::optional<PicturePoint> edge = leaving(shape.label, shape.to);
        if (!edge)
            return; // the words stand on what they point at
        start = *edge;
    }
    const double dx = shape.to.x - start.x, dy = shape.to.y - start.y;
    const double length = std::hypot(dx, dy);
    if (length < 1)
        return;
    const double head = std::min(0.65 * frame.line, length);
    const double half = 0.45 * head;
    const PicturePoint neck{shape.to.x - dx / length * head, shape.to.y - dy / length * head};
    shape.line = {start, neck};
    shape.head = {shape.to,
                  {neck.x - dy / length * half, neck.y + dx / length * half},
                  {neck.x + dy / length * half, neck.y - dx / length * half}};
}

/// Along the nearer edge of its lane, open to the passes.
void layBracket(AnnotationShape& shape, const AnnotationFrame& frame, const PictureBox& lane,
                bool above)
{
    const double left = std::min(shape.from.x, shape.to.x);
    const double right = std::max(shape.from.x, shape.to.x);
    const double y = above ? lane.top - 1.5 : lane.bottom() + 1.5;
    const double leg = std::min(0.5 * frame.line, lane.height / 2);
    const double foot = above ? y + leg : y - leg;
    shape.from.y = shape.to.y = y;
    shape.line = {{left, foot}, {left, y}, {right, y}, {right, foot}};
    // The words stay in sight as long as any of the bracket does.
    const double first = std::max(left, frame.room.left);
    const double last = std::min(right, frame.room.right());
    if (last > first)
        putLabel(shape, frame, {(first + last) / 2, y}, false);
}

void layRegion(AnnotationShape& shape, const AnnotationFrame& frame)
{
    PictureBox& area = shape.area;
    area.left = std::min(shape.from.x, shape.to.x);
    area.top = std::min(shape.from.y, shape.to.y);
    area.width = std::max(std::abs(shape.to.x - shape.from.x), 1.0);
    area.height = std::max(std::abs(shape.to.y - shape.from.y), 1.0);
    const double inset = 0.5 * frame.line;
    const double first = std::max(area.left, frame.room.left);
    if (first < std::min(area.right(), frame.room.right()))
        putLabel(shape, frame, {first + inset, area.top}, true);
}

PictureBox around(const std::vector<PicturePoint>& points)
{
    PictureBox box{points.front().x, points.front().y, 0, 0};
    for (const PicturePoint& point : points) {
        const double right = std::max(box.right(), point.x);
        const double bottom = std::max(box.bottom(), point.y);
        box.left = std::min(box.left, point.x);
        box.top = std::min(box.top, point.y);
        box.width = right - box.left;
        box.height = bottom - box.top;
    }
    return {box.left, box.top, box.width + 1, box.height + 1};
}

} // namespace

AnnotationShape shapeOf(const PlacedAnnotation& annotation, const AnnotationFrame& frame)
{
    AnnotationShape shape;
    const PictureBox lane = frame.lane(annotation.from.device);
    const PictureBox other = frame.lane(annotation.to.device);
    if (lane.empty() || other.empty())
        return shape;
    shape.words = annotationLines(annotation.text);
    shape.from = pointOf(annotation.from, lane, frame);
    shape.to = pointOf(annotation.to, other, frame);
    PictureBox anchored;
    switch (annotation.kind) {
    case AnnotationKind::Text:
        anchored = around({shape.from});
        putLabel(shape, frame, shape.from, false);
        break;
    case AnnotationKind::Arrow:
        anchored = around({shape.from, shape.to});
        layArrow(shape, frame);
        break;
    case AnnotationKind::Bracket:
        layBracket(shape, frame, lane, annotation.from.down < 0.5);
        anchored = around(shape.line);
        break;
    case AnnotationKind::Region:
        layRegion(shape, frame);
        anchored = shape.area;
        break;
    }
    // By what it holds on to: a label alone is moved into the room from anywhere.
    const double near = frame.line;
    shape.shown = meet({anchored.left - near, anchored.top - near, anchored.width + 2 * near,
                        anchored.height + 2 * near},
                       frame.room);
    return shape;
}

Role roleOf(AnnotationTint tint)
{
    switch (tint) {
    case AnnotationTint::Violet:
        return Role::Sooner;
    case AnnotationTint::Orange:
        return Role::Later;
    case AnnotationTint::Green:
        return Role::Good;
    case AnnotationTint::Ink:
        break;
    }
    return Role::Text;
}

void layAnnotation(PictureItems& out, const AnnotationShape& shape, Rgb ink, double line,
                   double size, Ground ground)
{
    const Rgb paper = colorOf(Role::Paper, ground);
    if (!shape.area.empty())
        out.push_back(
            PictureRect{"area",
                        shape.area,
                        {.fill = ink, .line = ink, .lineWidth = 1.4, .fillOpacity = regionOpacity},
                        3});
    if (!shape.line.empty()) {
        // A rim keeps the line apart from what it runs over.
        out.push_back(PicturePath{"rim", shape.line, {.line = paper, .lineWidth = 4}});
        out.push_back(PicturePath{"line", shape.line, {.line = ink, .lineWidth = 1.6}});
    }
    if (!shape.head.empty())
        out.push_back(
            PicturePath{"point", shape.head, {.fill = ink, .line = paper, .lineWidth = 0.6}, true});
    if (shape.label.empty())
        return;
    out.push_back(PictureRect{
        "label", shape.label, {.fill = paper, .line = ink, .fillOpacity = labelOpacity}, 3});
    const PicturePoint middle = shape.label.center();
    double y = middle.y - line * (static_cast<double>(shape.words.size()) - 1) / 2;
    for (const std::string& words : shape.words) {
        out.push_back(PictureText{
            "note", {middle.x, y}, words, TextAnchor::Middle, size, colorOf(Role::Text, ground)});
        y += line;
    }
}

} // namespace pw
