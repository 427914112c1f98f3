import fc from 'fast-check'
import { inject, vi } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** of all random values of a run */
    seed: number
    /** whether all is tried, and not only what fits into minutes */
    isNightly: boolean
  }
}

/** ms: on a busy machine what is waited for comes late; what never comes is told of after so long */
const PATIENCE = 60_000

fc.configureGlobal({ seed: inject('seed') })

type Wait = typeof vi.waitFor
const patient =
  (wait: Wait): Wait =>
  (condition, options) =>
    wait(condition, { timeout: PATIENCE, ...(typeof options === 'number' ? {} : options) })

vi.waitFor = patient(vi.waitFor)
vi.waitUntil = patient(vi.waitUntil as Wait) as typeof vi.waitUntil
