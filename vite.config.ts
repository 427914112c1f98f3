import { basename, extname, join } from 'node:path'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin, type ProxyOptions, type Rolldown } from 'vite'
import { offlinePage } from './tools/build/offline-page.ts'
import { precompress } from './tools/build/precompress.ts'
import { withoutSummaries } from './tools/build/without-summaries.ts'
import { withoutWebGpu } from './tools/build/without-webgpu.ts'
import { zipInPlace } from './tools/build/zip-in-place.ts'

/** Where the portal begins; the pages before sign-in; what stands around every page after it, and the first of those. */
const START = ['src/main.tsx']
const OUTSIDE = ['login', 'cold-chain', 'forgot-password', 'activate', 'set-password'].map(
  (page) => `src/features/access/${page}.tsx`,
)
const INSIDE = ['src/layout/shell.tsx', 'src/actors/live.ts', 'src/features/dashboard/dashboard.tsx']

/**
 * Icons come out of a list of all there are; the index of a library also names what date fields alone use; the signs of the
 * sign-in page are for no other page before it.
 */
const APART = /lucide-react|NumberParser|state-glyph/

/** One file of all that each of these needs; without what is kept apart. */
const sharedBy =
  (name: string, ...pages: (readonly string[])[]): Rolldown.CodeSplittingNameFunction =>
  (id, bundle) =>
    !APART.test(id) && pages.every((files) => reached(files, bundle).has(id)) ? name : null

/** What an operator opens all shift long. */
const ALL_SHIFT = [
  'src/features/dashboard/map/base-map.tsx',
  'src/features/device-history/device-history.tsx',
  'src/features/notifications/notifications.tsx',
]

/** What visitors wait for often: the files of these are asked for at once, with all that they import. */
const OFTEN = new RegExp(
  `/(${[...OUTSIDE, ...INSIDE, ...ALL_SHIFT].map((file) => basename(file, extname(file))).join('|')})-`,
)

type Bundle = Parameters<Rolldown.CodeSplittingNameFunction>[1]
const known = new Map<readonly string[], Set<string>>()

/** All that some files import, and what that imports; what is fetched later left out. */
function reached(files: readonly string[], bundle: Bundle): Set<string> {
  const kept = known.get(files)
  if (kept !== undefined) return kept
  const all = new Set<string>()
  const follow = (id: string): void => {
    for (const next of bundle.getModuleInfo(id)?.importedIds ?? []) {
      if (all.has(next)) continue
      all.add(next)
      follow(next)
    }
  }
  for (const file of files) follow(join(import.meta.dirname, file))
  known.set(files, all)
  return all
}

const backend = `http://127.0.0.1:${process.env.PORT ?? 4000}`
const proxied = (ws = false): ProxyOptions => ({ target: backend, ws })

export default defineConfig({
  resolve: {
    // rxjs has classes of the language there, not those of ES5 with their helpers
    conditions: ['es2015', ...defaultClientConditions],
    alias: [
      // it names a file for browsers that it does not bring along
      {
        find: '@xstate/test',
        replacement: `${import.meta.dirname}/node_modules/@xstate/test/dist/xstate-test.cjs.mjs`,
      },
      // React has had it since 18
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
    ],
  },
  plugins: [
    optimizeLocales.vite({ locales: ['en-US'] }),
    react(),
    tailwindcss(),
    withoutSummaries(),
    withoutWebGpu(),
    offlinePage(),
    precompress(),
  ],
  build: {
    target: 'baseline-widely-available',
    // The page runs under a policy that knows only files of its own origin: nothing is inlined.
    assetsInlineLimit: 0,
    // what another page imports is not listed in advance: the list would stand in the first file of every visitor
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) => (OFTEN.test(file) ? needed : []),
    },
    sourcemap: false,
    // The bundle budget (tools/build/bundle-size.ts) reads from it which file needs which.
    manifest: true,
    reportCompressedSize: false,
    // maplibre and deck.gl are single libraries above the default; the budget that counts is checked elsewhere.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Only what every page needs is named. What a feature alone needs (map, charts, kit) follows
          // its lazy import by itself; naming it here would pull it into the sign-in page.
          groups: [
            // every page's own way to fetch another: a library that does the same must not take it with it
            { name: 'preload', test: /preload-helper/, priority: 3 },
            { name: sharedBy('start', START), debugName: 'start', priority: 1 },
            { name: sharedBy('form', OUTSIDE, INSIDE), debugName: 'form', priority: 1 },
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
            {
              name: 'machines',
              test: /node_modules[\\/](xstate|@xstate[\\/]react)[\\/](?!.*graph)/,
              priority: 1,
            },
            // the map and what draws on it: told apart from what is ours (tools/bench/sign-in-bytes.ts)
            {
              name: 'maplibre',
              test: /node_modules[\\/](maplibre-gl|@vis\.gl|react-map-gl|@maplibre)[\\/]/,
              priority: 1,
            },
            {
              name: 'deck',
              test: /node_modules[\\/](@deck\.gl|@luma\.gl|@math\.gl|@probe\.gl|mjolnir\.js)[\\/](?!.*polygon)/,
              priority: 1,
            },
            // the lab takes each machine apart; who opens a link of a mail should not fetch them one by one
            {
              name: 'access',
              test: /(machines[\\/](activation-link|forgot-password|password-form|rules[\\/]password)(?!.*samples)|actors[\\/]password-forms|lucide-react.*[\\/](check|circle|triangle-exclamation-point|triangle-alert)\.)/,
              priority: 1,
            },
            // the small parts that the pages before sign-in share: one file instead of five
            {
              name: 'outside',
              test: /src[\\/](features[\\/]access[\\/](outside|outcome|way-back)|ui[\\/](text|password)-field)\./,
              priority: 1,
            },
            // what all who are signed in need: one file instead of ninety, each of which waits for its turn at the server
            { name: sharedBy('portal', INSIDE), debugName: 'portal' },
          ],
        },
      },
    },
  },
  worker: { format: 'es', plugins: () => [zipInPlace(), mapWorker()] },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': proxied(),
      '/sim': proxied(),
      '/healthz': proxied(),
      '/readyz': proxied(),
      '/metrics': proxied(),
      '/socket.io': proxied(true),
      '/live': proxied(true),
    },
  },
})

/** MapLibre's package says that its worker does nothing when it is only imported: it would be left out of ours. */
function mapWorker(): Plugin {
  return {
    name: 'map-worker',
    transform: {
      filter: { id: /maplibre-gl-worker/ },
      handler: () => ({ moduleSideEffects: true }),
    },
  }
}
