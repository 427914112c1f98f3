import { createHash } from 'node:crypto'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const ENTRY = join(ROOT, 'src/features/verify/offline.tsx')
const FILE = 'verify-offline.html'

/**
 * Makes the page of `/verify` as one file that needs no network, `verify-offline.html`: script and styles in it, known by their
 * hashes, and a policy that lets nothing else run or be fetched. Where it is saved, keys are put in as data.
 */
export function offlinePage(): Plugin {
  return {
    name: 'offline-page',
    apply: 'build',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: await offlineHtml() })
    },
  }
}

/** The file itself. */
export async function offlineHtml(): Promise<string> {
  const made = (await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react(), tailwindcss()],
    resolve: {
      alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }],
    },
    build: {
      write: false,
      target: 'baseline-widely-available',
      modulePreload: false,
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: { input: ENTRY, output: { format: 'iife', codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput | Rolldown.RolldownOutput[]
  const output = (Array.isArray(made) ? made : [made]).flatMap((one) => one.output)
  const script = output.map((one) => (one.type === 'chunk' ? one.code : '')).join('\n')
  const styles = output
    .map((one) => (one.type === 'asset' && one.fileName.endsWith('.css') ? String(one.source) : ''))
    .join('\n')
  return pageOf(script, styles)
}

/** Without fonts: those of whoever looks do, and 300 kB would go on each stick. */
const FONT_FACES = /@font-face\s*\{[^}]*\}/g

/** The page around a script and its styles. */
export function pageOf(script: string, styles: string): string {
  const inline = script.trim().replaceAll('</script', '<\\/script')
  const looks = styles.replaceAll(FONT_FACES, '').trim()
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(inline)}`,
    `style-src ${hashOf(looks)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="content-security-policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Verify a report · Frostline</title>
    <style>${looks}</style>
  </head>
  <body>
    <div id="root"></div>
    <noscript>This page checks seals with a script, which your browser does not run.</noscript>
    <script type="application/json" id="frostline-keys"></script>
    <script>${inline}</script>
  </body>
</html>
`
}

/** As a content policy names what stands inline. */
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
