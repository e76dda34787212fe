// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/picture.h"
#include "core/model/annotation.h"

#include <functional>
#include <string>
#include <vector>

namespace pw {

/// A picture of lanes, as far as annotations have to know it.
struct AnnotationFrame
{
    std::function<double(double time)> x;            ///< of a time in ticks
    std::function<PictureBox(DeviceId device)> lane; ///< empty: the lane is not shown
    std::function<double(const std::string&)> width; ///< of a text without line ends
    PictureBox room;                                 ///< that the lanes are shown in
    double line = 14;                                ///< height of a line of text
};

/// How an annotation lies in a picture; whoever draws pictures draws this. Empty parts are left
/// out.
struct AnnotationShape
{
    PictureBox area;                ///< ground of a region, in the tint, hardly seen through
    std::vector<PicturePoint> line; ///< of an arrow or a bracket
    std::vector<PicturePoint> head; ///< point of an arrow, filled
    PictureBox label;               ///< ground of the words
    std::vector<std::string> words; ///< one below the other, in the middle of the label
    PicturePoint from;
    PicturePoint to;
    bool shown = false; ///< any of it is in the room
};

/// Lays an annotation out. The words of a text, of an arrow's beginning and of a bracket stand in
/// the middle of it, those of a region on its upper edge; all within the room.
AnnotationShape shapeOf(const PlacedAnnotation& annotation, const AnnotationFrame& frame);

/// The colour of a tint, on any ground.
Role roleOf(AnnotationTint tint);

/// How strong the ground of a region is.
constexpr double regionOpacity = 0.08;

/// Of a label's ground: what is below is guessed at.
constexpr double labelOpacity = 0.93;

/// Lays out what a shape looks like, over what is there.
/// @param line  height of a line of its words
/// @param size  of their letters; 0: that of the font at hand
void layAnnotation(PictureItems& out, const AnnotationShape& shape, Rgb ink, double line,
                   double size, Ground ground);

} // namespace pw
