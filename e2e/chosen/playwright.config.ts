import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'
import { choiceIn } from './choice.ts'

const { url, headed, machines } = choiceIn(process.env)
/** Walks of other machines may be under way. */
const place = machines.length === 1 ? `${machines[0]}` : 'several'
const { globalSetup, ...rest } = base

/** As the suite's, for the paths somebody chose: with pictures in the trace, and more time, for the app may be large. */
export default defineConfig({
  ...rest,
  // an app that runs already has a portal
  ...(url === null && { globalSetup: '../portal-is-built.ts' }),
  testDir: '.',
  testMatch: 'chosen.walk.ts',
  outputDir: `../../test-results/paths/${place}`,
  timeout: 120_000,
  reporter: [['./reporter.ts']],
  use: {
    ...base.use,
    headless: !headed,
    trace: { mode: 'retain-on-failure', screenshots: true },
    screenshot: 'only-on-failure',
  },
})
