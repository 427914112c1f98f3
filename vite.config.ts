import optimizeLocales from '@react-aria/optimize-locales-plugin'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type ProxyOptions } from 'vite'
import { precompress } from './tools/build/precompress.ts'
import { zipInPlace } from './tools/build/zip-in-place.ts'

const backend = `http://127.0.0.1:${process.env.PORT ?? 4000}`
const proxied = (ws = false): ProxyOptions => ({ target: backend, ws })

export default defineConfig({
  resolve: {
    // it names a file for browsers that it does not bring along
    alias: { '@xstate/test': `${import.meta.dirname}/node_modules/@xstate/test/dist/xstate-test.cjs.mjs` },
  },
  plugins: [optimizeLocales.vite({ locales: ['en-US'] }), react(), tailwindcss(), precompress()],
  build: {
    target: 'baseline-widely-available',
    // The page runs under a policy that knows only files of its own origin: nothing is inlined.
    assetsInlineLimit: 0,
    // what testers' pages need is not listed in advance: the list would stand in the first file of every visitor
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) => (/\/(lab|recordings|director|moment)-/.test(file) ? [] : needed),
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
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
            {
              name: 'machines',
              test: /node_modules[\\/](xstate|@xstate[\\/]react)[\\/](?!.*graph)/,
              priority: 1,
            },
            // the map and what draws on it: told apart from what is ours (tools/bench/sign-in-bytes.ts)
            { name: 'maplibre', test: /node_modules[\\/](maplibre-gl|@vis\.gl|react-map-gl|@maplibre)[\\/]/ },
            {
              name: 'deck',
              test: /node_modules[\\/](@deck\.gl|@luma\.gl|@math\.gl|@probe\.gl|mjolnir\.js)[\\/]/,
            },
            // the lab takes each machine apart; who opens a link of a mail should not fetch them one by one
            {
              name: 'access',
              test: /(machines[\\/](activation-link|forgot-password|password-form|rules[\\/]password)(?!.*samples)|actors[\\/]password-forms|lucide-react.*[\\/](check|circle|triangle-exclamation-point|triangle-alert)\.)/,
            },
          ],
        },
      },
    },
  },
  worker: { format: 'es', plugins: () => [zipInPlace()] },
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
