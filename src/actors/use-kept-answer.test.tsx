import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { VIEW_CALLS } from '#machines/contracts/calls/view-calls.ts'
import { mountPage, type PageHarness } from '../layout/testing/mount-page.tsx'
import type { Answer } from '../layout/testing/test-root.ts'
import { createFleet } from '../read-model/fleet.ts'
import { createStore, useStore } from './store.ts'
import { useKept } from './use-kept-answer.ts'
import { useRoot } from './use-root.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

const VIEWS = 'GET /views'

/** Shows what is known of one thing, requested anew with each revision of it. */
function Known({ revision }: { revision: ReturnType<typeof createStore<number>> }) {
  const { http } = useRoot()
  const now = useStore(revision)
  const { answer, failure } = useKept({
    key: `the views ${now}`,
    about: 'the views',
    request: (options) => http.ask(VIEW_CALLS.views, {}, options),
  })
  return <p>{`${now}: ${answer === undefined ? 'nothing' : failure === null ? 'new' : 'old'}`}</p>
}

type Request = Parameters<typeof useKept<string>>[0]['request']

/** Shows what is answered to a request. */
function Requested({ request }: { request: Request }) {
  const { answer = 'nothing' } = useKept({ key: 'one', request })
  return <p>{answer}</p>
}

async function shown(answer: () => Promise<Answer>) {
  const revision = createStore(1)
  harness = await mountPage(<Known revision={revision} />, {
    at: '/loads',
    server: { [VIEWS]: answer },
    fleet: createFleet((call) => call()),
  })
  return revision
}
const VIEWED: Answer = { body: { views: [], savesForGroup: false } }

test('nobody waits for what is newer about the same: where the server is gone what is known stays, and so does the page', async () => {
  let isGone = false
  const revision = await shown(async () => {
    if (isGone) throw new TypeError('Failed to fetch')
    return VIEWED
  })
  await expect.element(page.getByText('1: new')).toBeVisible()
  isGone = true
  revision.set(2)
  await expect.element(page.getByText('2: old')).toBeVisible()
  expect(harness.went().at(-1)).toBe('/loads')
})

test('what is newer about the same is asked for once what is under way has come, however often it was to be', async () => {
  const { promise: come, resolve: answer } = Promise.withResolvers<void>()
  let requests = 0
  let isSlow = false
  const revision = await shown(async () => {
    requests++
    if (isSlow) await come
    return VIEWED
  })
  await expect.element(page.getByText('1: new')).toBeVisible()
  const before = requests
  isSlow = true
  revision.set(2)
  await expect.poll(() => requests).toBe(before + 1)
  revision.set(3)
  await expect.element(page.getByText('3: new')).toBeVisible()
  expect(requests).toBe(before + 1)
  answer()
  await expect.poll(() => requests).toBe(before + 2)
})

test('an answer of a node that has not come as far as the visitor was told is followed by another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let requests = 0
  let isBehind = true
  const request: Request = async ({ onBehind }) => {
    requests++
    if (!isBehind) return 'after'
    onBehind()
    return 'before'
  }
  const mounted = mountPage(<Requested request={request} />, {
    at: '/loads',
    server: {},
    fleet: createFleet((call) => call()),
  })
  while (requests === 0) await vi.advanceTimersByTimeAsync(1)
  harness = await mounted
  const before = requests
  isBehind = false
  await vi.advanceTimersByTimeAsync(5_000)
  vi.useRealTimers()
  await expect.element(page.getByText('after')).toBeVisible()
  expect(requests).toBe(before + 1)
})
