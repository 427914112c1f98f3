import { beforeEach, expect, test } from 'vitest'
import { createReadiness } from './readiness.ts'

let head: number
let isDiskFull: boolean
let trials: number
let uptime: number
let readModels: { seq: number }
let evaluator: { seq: number }
let leads: boolean
let isDatabaseUp: boolean
let simulation: string | undefined
beforeEach(() => {
  head = 5000
  isDiskFull = false
  trials = 0
  uptime = 0
  readModels = { seq: 5000 }
  evaluator = { seq: 5000 }
  leads = true
  isDatabaseUp = true
  simulation = undefined
})

const requested = () =>
  createReadiness({
    store: {
      log: { head: () => head } as never,
      checkpoints: {
        load: () => undefined,
        caughtUp: async () => {},
        save() {
          trials++
          return !isDiskFull
        },
      },
    },
    readModels,
    database: { isUp: () => isDatabaseUp },
    simulation: () => simulation,
    leading: () => (leads ? { evaluator } : undefined),
    uptime: () => uptime,
  })

test('a server that writes, follows and lives is ready', () => {
  readModels.seq = 4000
  evaluator.seq = 4000
  expect(requested().notReadyBecause()).toBeUndefined()
})

test('says what is behind, and by how much', () => {
  readModels.seq = 3999
  expect(requested().notReadyBecause()).toBe('the read models are 1001 records behind')
  readModels.seq = 5000
  evaluator.seq = 100
  expect(requested().notReadyBecause()).toBe('the evaluator is 4900 records behind')
})

test('a stopped world is not ready', () => {
  simulation = 'the device world has stopped'
  expect(requested().notReadyBecause()).toBe('the device world has stopped')
})

test('one that does not lead evaluates nothing', () => {
  leads = false
  evaluator.seq = 0
  expect(requested().notReadyBecause()).toBeUndefined()
})

test('one whose database is away is not ready', () => {
  isDatabaseUp = false
  expect(requested().notReadyBecause()).toBe('the database does not answer')
})

test('a disk that is full is not ready, one with room again is; it is tried once a second at most', () => {
  const readiness = requested()
  isDiskFull = true
  expect(readiness.notReadyBecause()).toBe('the store cannot write')
  isDiskFull = false
  uptime = 999
  expect(readiness.notReadyBecause()).toBe('the store cannot write')
  expect(trials).toBe(1)
  uptime = 1000
  expect(readiness.notReadyBecause()).toBeUndefined()
  expect(readiness.canWrite()).toBe(true)
  expect(trials).toBe(2)
})
