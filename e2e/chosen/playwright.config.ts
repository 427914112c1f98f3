import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'
import { choiceIn } from './choice.ts'

const { url, headed } = choiceIn(process.env)
const { globalSetup, ...rest } = base

/** As the suite's, for the paths somebody chose: with pictures in the trace, and more time, for the app may be large. */
export default defineConfig({
  ...rest,
  // an app that runs already has a portal
  ...(url === null && { globalSetup: '../portal-is-built.ts' }),
  testDir: '.',
  testMatch: 'chosen.walk.ts',
  outputDir: '../../test-results/paths',
  timeout: 120_000,
  reporter: [['./reporter.ts']],
  use: {
    ...base.use,
    headless: !headed,
    trace: { mode: 'retain-on-failure', screenshots: true },
    screenshot: 'only-on-failure',
  },
})
