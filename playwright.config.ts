import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium } from './scripts/chromium.ts'

const executablePath = findChromium()

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/portal-is-built.ts',
  outputDir: 'test-results',
  // Two cores carry a server, a simulated world and a browser that draws WebGL in software: one at a time.
  workers: 1,
  fullyParallel: false,
  // A test that passes at the second try has found something; it is not to be smoothed over.
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 900, height: 600 },
    // what was on the page is kept of a test that fails; filming every test would cost a fifth of the time
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: { args: chromiumFlags, ...(executablePath ? { executablePath } : {}) },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
})
