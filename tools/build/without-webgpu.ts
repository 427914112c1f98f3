import type { Plugin } from 'vite'

/** Files with shaders for WebGPU; those that nothing but constants leave are shaders alone. */
const SHADERS = /@(deck|luma)\.gl[\\/].*[.-]wgsl(-integer)?\.js$/
/** Computes on the GPU what deck.gl asks for with WebGPU alone. */
const GPGPU = /^@luma\.gl\/gpgpu(\/webgpu)?$/
const STUB = '\0without-webgpu'

/**
 * The map is drawn with WebGL: what deck.gl has for WebGPU is a fifth as much again, and is left out of the build.
 * @throws the build fails where a version of deck.gl has none of these parts where they were, or in another form
 */
export function withoutWebGpu(): Plugin {
  const leftOut = new Set<string>()
  return {
    name: 'without-webgpu',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: GPGPU },
      handler(id) {
        leftOut.add(id)
        return STUB
      },
    },
    load: {
      filter: { id: /^\0without-webgpu$/ },
      // a name that is missing here fails the build
      handler: () => 'export let backendRegistry, cleanEvaluateSync, GPUDataEvaluator, interleave',
    },
    transform: {
      filter: { id: SHADERS },
      handler(code) {
        const empty = emptied(code)
        if (empty !== undefined) leftOut.add('WebGPU shaders')
        return empty
      },
    },
    generateBundle() {
      for (const part of ['WebGPU shaders', '@luma.gl/gpgpu', '@luma.gl/gpgpu/webgpu'])
        if (!leftOut.has(part))
          this.error(`deck.gl has no ${part} where they were: see tools/build/without-webgpu.ts`)
    },
  }
}

/** Every constant of a file as an empty text; undefined where it exports anything else. */
export function emptied(code: string): string | undefined {
  const kinds = [...code.matchAll(/^export\s+(\w+|\*|\{)\s*(\w*)/gm)]
  if (kinds.length === 0 || kinds.some(([, kind]) => kind !== 'const')) return undefined
  return kinds.map(([, , name]) => `export const ${name} = ''`).join('\n')
}
