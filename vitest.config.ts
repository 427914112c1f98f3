import { playwright } from '@vitest/browser-playwright'
import { configDefaults, defineConfig } from 'vitest/config'
import { chromiumFlags, findChromium } from './tools/build/chromium.ts'
import { LongestFirst } from './tools/test/longest-first.ts'

const executablePath = findChromium()

const isNightly = process.env.TEST_NIGHTLY === 'yes'
/** Takes two minutes. */
const nightly = ['simulator/scenarios/large-customer.test.ts']

const all = {
  setupFiles: ['./tools/test/setup.ts'],
  provide: { isNightly, seed: Number(process.env.TEST_SEED ?? 20_261_121) },
  exclude: [...configDefaults.exclude, ...(isNightly ? [] : nightly)],
  // what hangs is told of in the end; what is slow on a busy machine is not wrong
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  teardownTimeout: 60_000,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...all,
          name: 'node',
          environment: 'node',
          include: ['{server,simulator,tools}/**/*.test.ts'],
          globalSetup: ['./tools/local-cluster/database-server.ts'],
        },
      },
      {
        test: {
          ...all,
          // nothing of theirs outlives a test: they need no process each, which takes longer than they do
          name: 'pure',
          environment: 'node',
          include: ['{machines,src,fixtures}/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: './vite.config.ts',
        // another run beside this one takes the next port
        server: { strictPort: false },
        // found all at once: a dependency bundled halfway through a run would bring a second React
        optimizeDeps: { entries: ['src/**/*.{ts,tsx}', 'tools/test/browser-setup.ts'] },
        test: {
          ...all,
          name: 'browser',
          include: ['src/**/*.test.tsx'],
          setupFiles: [...all.setupFiles, './tools/test/browser-setup.ts'],
          // as many as the others have, and said here: else it would begin when those are done
          maxWorkers: 2,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { args: chromiumFlags, ...(executablePath ? { executablePath } : {}) },
            }),
            instances: [{ browser: 'chromium', viewport: { width: 900, height: 600 } }],
          },
        },
      },
    ],
  },
})
