import { array, enums, type Infer, nullable, object, record, size, string } from 'superstruct'
import { Count, EpochMs, Id } from '../scalars.ts'
import { calls } from './call.ts'

/** How often states of one machine were entered and transitions of it taken, by the names of machines/testing. */
export const Taken = object({ states: record(string(), Count), transitions: record(string(), Count) })
export type Taken = Infer<typeof Taken>

/** The same, by machine. */
export const Coverage = record(string(), Taken)
export type Coverage = Infer<typeof Coverage>

/** What one file of end-to-end tests has left behind. `run` distinguishes runs of the tests. */
export const SpecCoverage = object({ spec: string(), run: string(), at: EpochMs, taken: Coverage })
export type SpecCoverage = Infer<typeof SpecCoverage>

/** What end-to-end tests have covered in the server's checkout, oldest first; none were run: no specs. */
export const LabCoverage = object({ specs: array(object({ spec: string(), at: EpochMs })), taken: Coverage })
export type LabCoverage = Infer<typeof LabCoverage>

/** What a browser of the server's walks to: a machine and a transition of it, by their names. */
export const LabRunOrder = object({ machine: size(string(), 1, 64), transition: size(string(), 1, 400) })
export type LabRunOrder = Infer<typeof LabRunOrder>

/** How that went. */
export const LabRun = object({
  id: Id,
  machine: string(),
  transition: string(),
  state: enums(['running', 'passed', 'failed', 'cancelled']),
  /** what went wrong, the step it went wrong at among it; null where nothing has */
  failure: nullable(string()),
})
export type LabRun = Infer<typeof LabRun>

/** The calls of `/lab`: like those of sim-calls.ts, for testers in front of a simulated world. */
export const LAB_CALLS = calls({
  labCoverage: {
    method: 'GET',
    under: '/sim',
    path: '/lab/coverage',
    summary: 'What the end-to-end tests have covered of the machines, in this checkout.',
    access: 'director',
    answer: LabCoverage,
  },
  startLabRun: {
    method: 'POST',
    under: '/sim',
    path: '/lab/runs',
    summary: 'Has a browser walk the shortest path to a transition, in this very world. One at a time.',
    access: 'director',
    body: LabRunOrder,
    status: 202,
    answer: LabRun,
  },
  labRun: {
    method: 'GET',
    under: '/sim',
    path: '/lab/runs/{id}',
    summary: 'How such a walk goes, or went.',
    access: 'director',
    params: object({ id: Id }),
    answer: LabRun,
  },
  cancelLabRun: {
    method: 'DELETE',
    under: '/sim',
    path: '/lab/runs/{id}',
    summary: 'Ends a walk where it is.',
    access: 'director',
    params: object({ id: Id }),
    answer: LabRun,
  },
})
