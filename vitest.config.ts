import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, findChromium } from './tools/build/chromium.ts'
import { LongestFirst } from './tools/test/longest-first.ts'

const executablePath = findChromium()

export default defineConfig({
  test: {
    maxWorkers: 2,
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['{server,simulator,tools}/**/*.test.ts'],
          globalSetup: ['./tools/local-cluster/database-server.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          // nothing of theirs outlives a test: they need no process each, which takes longer than they do
          name: 'pure',
          environment: 'node',
          include: ['{machines,src,fixtures}/**/*.test.ts'],
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        extends: './vite.config.ts',
        // found all at once: a dependency bundled halfway through a run would bring a second React
        optimizeDeps: { entries: ['src/**/*.{ts,tsx}', 'tools/test/browser-setup.ts'] },
        test: {
          name: 'browser',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['./tools/test/browser-setup.ts'],
          // as many as the others have, and said here: else it would begin when those are done
          maxWorkers: 2,
          expect: { poll: { timeout: 5000 } },
          testTimeout: 30_000,
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
