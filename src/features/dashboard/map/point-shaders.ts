import { pxFromMiddle, VIEW_BLOCK, VIEW_TYPES } from './view-uniforms.ts'

/** Uniforms of both shaders, in the order of the block below. */
export const pointUniforms = {
  name: 'fleetPoints',
  vs: block(),
  fs: block(),
  uniformTypes: {
    ...VIEW_TYPES,
    halo: 'vec4<f32>',
    ratio: 'f32',
    scale: 'f32',
  },
} as const

function block(): string {
  return /* glsl */ `\
layout(std140) uniform fleetPointsUniforms {
${VIEW_BLOCK}
  highp vec4 halo;
  highp float ratio;
  highp float scale;
} fleetPoints;
`
}

export const vertexShader = /* glsl */ `#version 300 es
in uvec2 place;
in vec4 colour;
in uvec4 style;
out vec4 tone;
out vec2 turn;
flat out int shape;
flat out float across;

void main() {
  vec2 px = ${pxFromMiddle('fleetPoints')};
  gl_Position = vec4(px * vec2(2.0, -2.0) / fleetPoints.size, 0.0, 1.0);
  across = float(style.z) * 0.5 * fleetPoints.scale * fleetPoints.ratio;
  gl_PointSize = across;
  shape = int(style.x);
  float angle = float(style.y) * 0.0245436926;
  turn = vec2(cos(angle), sin(angle));
  tone = colour;
}
`

const DOT = 'length(p) - 0.72'

const SHAPES = /* glsl */ `
// its nose up, its tail notched
float arrow(vec2 p) {
  float sides = 0.92 * abs(p.x) - 0.391 * (p.y + 0.85);
  float tail = 0.889 * (p.y - 0.4) - 0.457 * abs(p.x);
  return max(sides, tail);
}

float triangle(vec2 p) {
  return max(0.87 * abs(p.x) + 0.5 * -p.y - 0.42, p.y - 0.68);
}

float drop(vec2 p) {
  vec2 q = p - vec2(0.0, 0.22);
  float ball = length(q) - 0.52;
  float tip = max(0.83 * abs(p.x) - 0.56 * (p.y + 0.8), p.y - 0.1);
  return min(ball, tip);
}

float edge(vec2 p) {
  if (shape == 0) return ${DOT};
  if (shape == 1) return arrow(vec2(p.x * turn.x + p.y * turn.y, p.y * turn.x - p.x * turn.y));
  if (shape == 2) return triangle(p + vec2(0.0, -0.02));
  if (shape == 3) return triangle(vec2(p.x, -p.y));
  if (shape == 4) return drop(p);
  if (shape == 5) return max(drop(p), -drop(p) - 0.26);
  float ring = abs(length(p) - 0.56) - 0.15;
  if (shape == 6) return ring;
  // four gaps, as the hollow ring has them
  vec2 d = abs(p);
  return max(ring, 0.16 - abs(d.x - d.y));
}
`

/**
 * A shape by its distance from the edge, px, less than 0 inside, on a square from -1 to 1; around it a halo of the
 * land's own tone, so that neighbours stay apart. The shapes are those of ui/state-glyph.tsx.
 */
export const shapeFragmentShader = fragmentShader(
  SHAPES,
  `
  float around = clamp(0.5 - distance + fleetPoints.halo.a * fleetPoints.ratio, 0.0, 1.0);
  if (around <= 0.0) discard;`,
)

/**
 * Dots alone, whose halo ends at a px: what lies at the same place below one is hidden whole. A processor that draws in place
 * of a card works out every branch for every px: without the other shapes it takes a fifth less time.
 */
export const dotFragmentShader = fragmentShader(
  `float edge(vec2 p) { return ${DOT}; }`,
  `
  const float around = 1.0;
  if (distance > fleetPoints.halo.a * fleetPoints.ratio) discard;`,
)

function fragmentShader(edge: string, around: string): string {
  return /* glsl */ `#version 300 es
precision highp float;
in vec4 tone;
in vec2 turn;
flat in int shape;
flat in float across;
out vec4 fragColor;

${edge}

void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  // px of the screen
  float distance = edge(p) * across * 0.5;
  float inside = clamp(0.5 - distance, 0.0, 1.0);${around}
  fragColor = vec4(mix(fleetPoints.halo.rgb, tone.rgb, inside), around * tone.a);
}
`
}
