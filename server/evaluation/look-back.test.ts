import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Reading } from '#machines/contracts/readings.ts'
import { foldPublished, type PublishedOfDevices } from '#machines/projections/episodes.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { openPostgresStore } from '../store/postgres/open.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'
import { startEvaluator } from './evaluator.ts'
import { columnsOf, imeiOf, START, smallFleet } from './testing/small-fleet.ts'
import { type EachDay, warmUp } from './warm-up.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const SPACING = 5 * MINUTE
const PAST = DAY
const HISTORY_START = START - PAST
const DEVICES = 4
/** What is received on time after the record begins, and how much of that. */
const LIVE = 24
const COUNT = PAST / SPACING + LIVE

/** What a device measured: °C, and for how many readings, from the beginning of its history on; calm after the last. */
type Course = [temperature: number, count: number][]
/** Whoever leads is killed before or after its nth append is stored. Late readings come in before the look back, or in the midst. */
type Scene = {
  courses: Course[]
  deaths: { appends: number; isStored: boolean; saves: boolean }[]
  /** of device 0: received late after the first death, by their number in the record */
  late: number[]
}

function readingsOf(device: number, course: Course): Reading[] {
  const values = course.flatMap(([temperature, count]) => Array<number>(count).fill(temperature))
  return Array.from({ length: COUNT }, (_, i) => ({
    device,
    at: HISTORY_START + i * SPACING,
    temperature: values[i] ?? 5,
  }))
}

const isPast = ({ at }: Reading): boolean => at < START

function eachDayOf(courses: Course[]): EachDay {
  return async (devices, { from, to, onDay }) => {
    for (const no of devices) {
      const all = readingsOf(no, courses[no] as Course).filter(({ at }) => at >= from && at < to)
      for (const ofDay of Map.groupBy(all, ({ at }) => Math.floor(at / DAY)).values())
        onDay(no, columnsOf(ofDay))
    }
  }
}

const world = { now: START }
const clock = { now: () => world.now }

/** The registry, what was before the record began, and all that was received on time since. */
async function record(store: Store, { courses, late }: Scene): Promise<void> {
  world.now = START
  await store.log.append('registry', smallFleet(DEVICES))
  const days = courses.flatMap((course, device) =>
    [...Map.groupBy(readingsOf(device, course).filter(isPast), ({ at }) => Math.floor(at / DAY))].map(
      ([day, rows]) => ({ device, day, readings: columnsOf(rows) }),
    ),
  )
  await store.telemetry.putDays(days)
  for (let i = 0; i < LIVE; i++) {
    world.now = START + i * SPACING
    const rows = courses.flatMap((course, device) =>
      device === 0 && late.includes(i) ? [] : readingsOf(device, course).filter(({ at }) => at === world.now),
    )
    await store.telemetry.append(columnsOf(rows), world.now)
  }
}

/** Leads as the simulator does after the start, until it is through or killed. @returns whether it is through */
async function lead(
  store: Store,
  { courses }: Scene,
  death: Scene['deaths'][number] | undefined,
): Promise<boolean> {
  const killing = new AbortController()
  const killed = new Promise<void>((resolve) => killing.signal.addEventListener('abort', () => resolve()))
  const isOver = (): boolean => killing.signal.aborted
  const dead = (): never => {
    throw new StoreUnavailable('whoever asks is dead')
  }
  let appends = 0
  const parts: Pick<Store, 'log' | 'checkpoints' | 'telemetry'> = {
    telemetry: store.telemetry,
    log: {
      ...store.log,
      head: () => store.log.head(),
      read: (after, limit) => (isOver() ? [] : store.log.read(after, limit)),
      async append(...it) {
        if (isOver()) dead()
        const isLast = appends++ === death?.appends
        if (isLast && !death.isStored) killing.abort()
        if (isOver()) dead()
        const stored = await store.log.append(...it)
        if (isLast) killing.abort()
        return isOver() ? dead() : stored
      },
    },
    checkpoints: {
      ...store.checkpoints,
      save: (...it) => isOver() || death?.saves === false || store.checkpoints.save(...it),
    },
  }
  const leading = async (): Promise<void> => {
    await store.log.caughtUp()
    const evaluator = await startEvaluator({
      store: parts,
      clock,
      recordFrom: START,
      isQuiet: () => true,
      tickMs: 1e8,
      checkpointMs: 1e8,
    })
    killing.signal.addEventListener('abort', () => void evaluator.stop())
    await evaluator.settled(store.log.head())
    evaluator.checkpoint()
    const span = { from: HISTORY_START, to: START, spacing: SPACING }
    await evaluator.lookBack(span)
    evaluator.checkpoint()
    await warmUp({
      store: parts,
      eachDay: eachDayOf(courses),
      devices: Uint32Array.from(courses.keys()),
      ...span,
      onBeyond: (devices) => evaluator.lookBack(span, devices),
      signal: killing.signal,
    })
    world.now += 16 * MINUTE
    // silence first, then what came late, once that silence is in the record
    for (let look = 0; look < 2; look++) {
      await evaluator.tick()
      await evaluator.settled(await store.log.caughtUp())
    }
    if (!isOver()) await evaluator.stop()
  }
  return Promise.race([leading().then(() => !isOver()), killed.then(() => false)])
}

/** Plays a scene on nodes that lead in turn. */
async function play(nodes: Store[], scene: Scene): Promise<void> {
  await record(nodes[0] as Store, scene)
  const deaths = [...scene.deaths, undefined]
  let isThrough = false
  for (const [i, death] of deaths.entries()) {
    const store = nodes[i % nodes.length] as Store
    isThrough = await lead(store, scene, death)
    if (i === 0 && scene.late.length > 0) {
      world.now += MINUTE
      const all = readingsOf(0, scene.courses[0] as Course).filter((one) => !isPast(one))
      const rows = scene.late.map((n) => all[n] as Reading)
      await (nodes.at(-1) as Store).telemetry.append(columnsOf(rows.toReversed()), world.now)
      isThrough = false
    }
  }
  if (!isThrough) await lead(nodes[0] as Store, scene, undefined)
}

type Episodes = (readonly [
  imei: string,
  type: string,
  since: number,
  clearedAt: number | null,
  worst: number | null,
])[]

const sorted = (episodes: Episodes): Episodes =>
  episodes.toSorted((a, b) => a[0].localeCompare(b[0]) || a[2] - b[2] || a[1].localeCompare(b[1]))

/** What is known of all violations in the end: since and until, in minutes after the record began, and how bad those were that are over. */
function knownIn(store: Store): Episodes {
  const published: PublishedOfDevices = new Map()
  for (const fact of store.log.readFacts(0, { limit: 10_000 })) foldPublished(published, fact)
  return sorted(
    [...published].flatMap(([imei, { episodes }]) =>
      [...episodes.values()].map(
        ({ type, since, clearedAt, worst }) =>
          [imei, type, minutes(since), clearedAt && minutes(clearedAt), clearedAt && worst] as const,
      ),
    ),
  )
}

const minutes = (at: number): number => (at - START) / MINUTE

/** What is told twice, or taken back and told again. */
function publishedTwice(store: Store): string[] {
  const facts = store.log.readFacts(0, {
    limit: 10_000,
    types: ['violation.opened', 'violation.found', 'violation.found-late', 'violation.revised'],
  })
  const names = facts.map(({ type, data }) =>
    JSON.stringify([type, 'violationId' in data && data.violationId, 'after' in data && data.after]),
  )
  return names.filter((name, i) => names.indexOf(name) !== i)
}

/** Who had been there from the beginning of its history on would have told this. */
async function knownBySteady(courses: Course[]): Promise<Episodes> {
  const store = openSqliteStore({ dir: ':memory:', clock })
  await store.log.append('registry', smallFleet(DEVICES))
  const evaluator = await startEvaluator({
    store,
    clock,
    isQuiet: () => true,
    tickMs: 1e8,
    checkpointMs: 1e8,
  })
  for (let i = 0; i < COUNT; i++) {
    world.now = HISTORY_START + i * SPACING
    const rows = courses.map((course, device) => readingsOf(device, course)[i] as Reading)
    await store.telemetry.append(columnsOf(rows), world.now)
  }
  await evaluator.settled(store.log.head())
  const known = knownIn(store)
  await evaluator.stop()
  await store.close()
  return known
}

const BORDER = PAST / SPACING
/** Out over the border of the record: to the end, for a while, since always, and only just before. */
const COURSES: Course[] = [
  [
    [5, BORDER - 20],
    [9, 20 + LIVE],
  ],
  [
    [5, BORDER - 3],
    [11, 9],
  ],
  [[9, COUNT]],
  [
    [5, 10],
    [9, 8],
    [5, BORDER - 19],
    [9, 1],
    [5, LIVE],
  ],
]

test.each([
  { appends: 0, isStored: false, saves: true },
  { appends: 1, isStored: true, saves: true },
  { appends: 2, isStored: false, saves: false },
  { appends: 3, isStored: true, saves: true },
])(
  'a leader killed in the midst of looking back, $appends appends in, is followed by another that tells the same, once',
  async (death) => {
    const url = await emptyDatabase()
    const nodes = await Promise.all(
      ['one', 'other'].map(async () => {
        const store = await openPostgresStore({ database: url, dir: ':memory:', clock, sliceMs: 0 })
        onTestFinished(() => store.close())
        return store
      }),
    )
    await play(nodes, { courses: COURSES, deaths: [death], late: [3, 4, 5] })
    const known = await knownBySteady(COURSES)
    for (const node of nodes) {
      await node.log.caughtUp()
      expect(knownIn(node)).toEqual(known)
      expect(publishedTwice(node)).toEqual([])
    }
  },
  A_SERVER_STARTS,
)

test('of one that was out before all that is looked at it is said that it was since before that, and of no other', async () => {
  const store = openSqliteStore({ dir: ':memory:', clock })
  onTestFinished(() => store.close())
  await record(store, { courses: COURSES, deaths: [], late: [] })
  const options = { store, clock, recordFrom: START, isQuiet: () => true, tickMs: 1e8, checkpointMs: 1e8 }
  const evaluator = await startEvaluator(options)
  await evaluator.settled(store.log.head())
  await evaluator.lookBack({ from: START - DAY / 4, spacing: SPACING })
  await evaluator.stop()
  const revisions = store.log
    .readFacts(0, { limit: 1000 })
    .flatMap(({ type, data }) => (type === 'violation.revised' ? [data] : []))
  expect(
    revisions.map(({ imei, after, isOfPast }) => [
      imei,
      after && minutes(after.since),
      isOfPast,
      after?.isSinceBefore,
    ]),
  ).toEqual([
    [imeiOf(0), -100, true, undefined],
    [imeiOf(1), -15, true, undefined],
    [imeiOf(2), -360, true, true],
  ])
})

const CALM: Course = [[5, COUNT]]
/** What was told otherwise once. */
const EXAMPLES: [Course[], Scene['deaths'], number[]][] = [
  // one that was over before another, which lasted into the record, began
  [
    [
      CALM,
      [
        [5, BORDER - 6],
        [1, 3],
        [7.8, 1],
        [1, 2],
      ],
      CALM,
      CALM,
    ],
    [],
    [],
  ],
  // the first reading of the record ends one, and is beyond the other limit
  [
    [
      [
        [5, BORDER - 6],
        [1, 6],
        [8.3, 1],
      ],
      CALM,
      CALM,
      CALM,
    ],
    [],
    [1],
  ],
  // the first reading of the record comes late, and ends it
  [
    [
      [
        [5, BORDER - 2],
        [1, 2],
      ],
      CALM,
      CALM,
      CALM,
    ],
    [],
    [0],
  ],
  // a late reading ends one before what had been its worst came
  [
    [
      [
        [5, BORDER - 6],
        [9, 7],
        [5, 1],
        [12, 3],
      ],
      CALM,
      CALM,
      CALM,
    ],
    [],
    [1],
  ],
  // the same while it lasts, below the lower limit
  [
    [
      [
        [5, BORDER - 6],
        [1, 7],
        [5, 1],
        [-3, LIVE],
      ],
      CALM,
      CALM,
      CALM,
    ],
    [],
    [1],
  ],
]

const course: fc.Arbitrary<Course> = fc
  .tuple(
    fc.constantFrom(0, BORDER - 30, BORDER - 6, BORDER - 2, BORDER),
    fc.array(fc.tuple(fc.constantFrom(1, 5, 5, 7.8, 8.3, 9), fc.constantFrom(1, 1, 2, 3, 7, 20)), {
      maxLength: 10,
    }),
  )
  .map(([lead, spells]): Course => [[5, lead], ...spells])

test('wherever leaders are killed, all is told as who had always been there would have', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(course, { minLength: DEVICES, maxLength: DEVICES }),
      fc.array(fc.record({ appends: fc.nat(8), isStored: fc.boolean(), saves: fc.boolean() }), {
        maxLength: 4,
      }),
      fc.subarray([...Array(LIVE - 2).keys()].slice(0, 8)),
      async (courses, deaths, late) => {
        const store = openSqliteStore({ dir: ':memory:', clock })
        await play([store], { courses, deaths, late })
        expect(knownIn(store)).toEqual(await knownBySteady(courses))
        expect(publishedTwice(store)).toEqual([])
        await store.close()
      },
    ),
    { numRuns: 30, examples: EXAMPLES },
  )
})
