import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createActor, fromPromise } from 'xstate'
import { type Look, type Shown, timeMachine } from '#machines/time-machine/time-machine.machine.ts'
import type { TimeMachine } from '../../actors/root.ts'
import { createStore } from '../../actors/store.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { mountPage, type PageHarness } from '../testing/mount-page.tsx'
import PastBar from './past-bar.tsx'

const MINUTE = 60_000
const KEPT = Date.UTC(2026, 5, 15, 3, 46)

let harness: PageHarness
afterEach(() => harness.unmount())

test('says which minute was asked for where an earlier one is shown, as that is not kept', async () => {
  const actor = createActor(
    timeMachine.provide({
      actors: {
        load: fromPromise<Shown, Look>(async ({ input }) => ({ shown: Math.min(input.at, KEPT) })),
      },
    }),
  ).start()
  const past = { actor, overview: createStore(undefined) } as unknown as TimeMachine
  harness = await mountPage(<PastBar past={past} />, {
    at: '/',
    server: {},
    fleet: createFleet((call) => call()),
  })
  const words = page.getByRole('region', { name: 'Looking back' }).getByRole('status')
  const now = KEPT + 20 * MINUTE
  actor.send({ type: 'look.back', at: KEPT + 11 * MINUTE, now })
  await expect
    .element(words)
    .toMatchTextContent(
      /:46 .*Nothing here is live\. \d\d:57 is not kept: this is the last minute before it that is\.$/,
    )
  actor.send({ type: 'look.back', at: KEPT, now })
  await expect.element(words).toMatchTextContent(/:46 .*Nothing here is live\.$/)
})

test('that there is no event before this is said of this time alone', async () => {
  const actor = createActor(
    timeMachine.provide({
      actors: { load: fromPromise<Shown, Look>(async ({ input }) => ({ shown: input.at })) },
    }),
  ).start()
  const past = { actor, overview: createStore(undefined), goToEvent: async () => false }
  harness = await mountPage(<PastBar past={past as unknown as TimeMachine} />, {
    at: '/',
    server: {},
    fleet: createFleet((call) => call()),
  })
  actor.send({ type: 'look.back', at: KEPT, now: KEPT + MINUTE })
  await page.getByRole('button', { name: 'Event before' }).click()
  const nothing = page.getByText('There is no event before this in the last 31 days.')
  await expect.element(nothing).toBeVisible()
  actor.send({ type: 'step', by: MINUTE, now: KEPT + MINUTE })
  await expect.element(nothing).not.toBeInTheDocument()
})

test('arrows on what folds or scrolls by them leave the time alone', async () => {
  const actor = createActor(
    timeMachine.provide({
      actors: { load: fromPromise<Shown, Look>(async ({ input }) => ({ shown: input.at })) },
    }),
  ).start()
  const past = { actor, overview: createStore(undefined) } as unknown as TimeMachine
  harness = await mountPage(
    <>
      <PastBar past={past} />
      <section aria-label="Rows" tabIndex={-1}>
        Wide rows
      </section>
      <button type="button">Beside it</button>
    </>,
    { at: '/', server: {}, fleet: createFleet((call) => call()) },
  )
  const now = harness.root.clock.now()
  const at = Math.floor(now / MINUTE) * MINUTE - 20 * MINUTE
  actor.send({ type: 'look.back', at, now })
  await page.getByRole('region', { name: 'Rows' }).click()
  await userEvent.keyboard('{ArrowLeft}')
  expect(actor.getSnapshot().context.at).toBe(at)
  await page.getByText('Beside it').click()
  await userEvent.keyboard('{ArrowLeft}')
  expect(actor.getSnapshot().context.at).toBe(at - MINUTE)
})
