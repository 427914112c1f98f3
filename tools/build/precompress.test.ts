import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { precompress } from './precompress.ts'

test('scripts, styles and drawings get a smaller self beside them; pictures and what is tiny do not', async () => {
  const root = mkdtempSync(join(tmpdir(), 'frostline-precompress-'))
  try {
    const long = Array.from({ length: 400 }, (_, i) => `export const reefer${i} = 'cold ${i}'`).join('\n')
    writeFileSync(join(root, 'long.js'), `${long}\nconsole.log(new URL('./dot.png', import.meta.url).href)`)
    writeFileSync(join(root, 'short.js'), 'export const a = 1')
    writeFileSync(join(root, 'dot.png'), Buffer.alloc(5000))
    await build({
      root,
      logLevel: 'silent',
      plugins: [precompress()],
      build: {
        outDir: 'out',
        minify: false,
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: { long: join(root, 'long.js'), short: join(root, 'short.js') },
          output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
          preserveEntrySignatures: 'strict',
        },
      },
    })
    const out = join(root, 'out')
    expect(readdirSync(out).sort()).toEqual(['dot.png', 'long.js', 'long.js.br', 'long.js.gz', 'short.js'])
    const content = readFileSync(join(out, 'long.js'))
    expect(gunzipSync(readFileSync(join(out, 'long.js.gz')))).toEqual(content)
    expect(brotliDecompressSync(readFileSync(join(out, 'long.js.br')))).toEqual(content)
  } finally {
    rmSync(root, { recursive: true })
  }
})
