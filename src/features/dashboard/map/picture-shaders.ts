import { pxFromMiddle, VIEW_BLOCK, VIEW_TYPES } from './view-uniforms.ts'

/** Uniforms of the vertex shader, in the order of the block below. */
export const pictureUniforms = {
  name: 'fleetPictures',
  vs: `\
layout(std140) uniform fleetPicturesUniforms {
${VIEW_BLOCK}
  highp float ratio;
} fleetPictures;
`,
  uniformTypes: { ...VIEW_TYPES, ratio: 'f32' },
} as const

export const pictureShaders = {
  vs: /* glsl */ `#version 300 es
in uvec2 place;
in uvec4 frame;
out vec2 at;

// by its number: two triangles of a square, from its upper left
const vec2 CORNERS[6] = vec2[6](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main() {
  vec2 corner = CORNERS[gl_VertexID % 6];
  vec2 side = vec2(frame.zw);
  vec2 px = ${pxFromMiddle('fleetPictures')} + (corner - 0.5) * side / fleetPictures.ratio;
  gl_Position = vec4(px * vec2(2.0, -2.0) / fleetPictures.size, 0.0, 1.0);
  at = vec2(frame.xy) + corner * side;
}
`,
  fs: /* glsl */ `#version 300 es
precision highp float;
uniform sampler2D sheet;
in vec2 at;
out vec4 fragColor;

void main() {
  fragColor = texture(sheet, at / vec2(textureSize(sheet, 0)));
}
`,
}
