import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium } from './tools/build/chromium.ts'

const executablePath = findChromium()

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/portal-is-built.ts',
  outputDir: process.env.TEST_RESULTS ?? 'test-results/desk',
  // A test leaves half of two cores idle, waiting for what it sees; each file has an app of its own.
  workers: 2,
  fullyParallel: false,
  // A test that passes at the second try has found something; it is not to be smoothed over.
  retries: 0,
  forbidOnly: true,
  // what hangs is told of in the end; what is slow on a busy machine is not wrong
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 900, height: 600 },
    // each frame of a map that flies is drawn by the processor (decision 0186); a file that looks at motion takes it back
    contextOptions: { reducedMotion: 'reduce' },
    // how it looked is kept of a test that fails; TRACE=on keeps each step too, and takes a fifth more time
    screenshot: 'only-on-failure',
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
    launchOptions: { args: chromiumFlags, ...(executablePath ? { executablePath } : {}) },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
})
