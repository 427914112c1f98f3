import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createFleet } from '../read-model/fleet.ts'
import { HistoryPanel } from './history-panel.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'
import type { Server } from './testing/test-root.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

const CALL = 'GET /groups/north/history'
const list = page.getByRole('list', { name: 'Changes' })

const renamed = (before: string, after: string) => ({
  at: '2026-06-15T04:00:00.000Z',
  by: { _id: 'u2', name: 'Sana Mir' },
  action: 'updated',
  changes: [{ field: 'name', before, after }],
  more: 0,
})

async function shown(server: Server) {
  const panel = (
    <HistoryPanel subject="groups" id="north" labelOf={() => undefined} show={(_, value) => value} />
  )
  harness = await mountPage(panel, { at: '/', server, fleet: createFleet((call) => call()) })
}

test('nothing changed yet is said', async () => {
  await shown({ [CALL]: { body: { changes: [], total: 0 } } })
  await expect.element(page.getByText('No data Found')).toBeVisible()
})

test('Load More asks for older ones until all are there', async () => {
  const all = Array.from({ length: 45 }, (_, i) => renamed(`Name ${44 - i}`, `Name ${45 - i}`))
  await shown({
    [CALL]: (_, __, query) => {
      const skip = Number(query.get('skip'))
      return { body: { changes: all.slice(skip, skip + Number(query.get('limit'))), total: 45 } }
    },
  })
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(20)
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(40)
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(45)
  await expect.element(page.getByRole('button', { name: 'Load More' })).not.toBeInTheDocument()
})

const outOfDate = page.getByText('This history could not be brought up to date.')

test('what is being read stays where older ones did not come, with word of it, and they can be asked for again', async () => {
  const all = Array.from({ length: 45 }, (_, i) => renamed(`Name ${44 - i}`, `Name ${45 - i}`))
  let requests = 0
  await shown({
    [CALL]: (_, __, query) => {
      const skip = Number(query.get('skip'))
      if (Number(query.get('limit')) > 20 && ++requests === 1)
        return { status: 503, body: { code: 503, message: 'Starting' } }
      return { body: { changes: all.slice(skip, skip + Number(query.get('limit'))), total: 45 } }
    },
  })
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(20)
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect.element(outOfDate).toBeVisible()
  expect(list.getByRole('listitem').elements()).toHaveLength(20)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(40)
  await expect.element(outOfDate).not.toBeInTheDocument()
})

test('where newer ones did not come that is said, and they can be asked for again', async () => {
  const changes = [renamed('North', 'Far north')]
  let isDown = false
  await shown({
    [CALL]: () =>
      isDown
        ? { status: 503, body: { code: 503, message: 'Starting' } }
        : { body: { changes, total: changes.length } },
  })
  await expect.element(list).toMatchTextContent(/Far north/)
  isDown = true
  harness.change({ subject: 'groups', ids: ['north'] })
  await expect.element(outOfDate).toBeVisible()
  await expect.element(list).toMatchTextContent(/Far north/)
  isDown = false
  changes.unshift(renamed('Far north', 'Upper north'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(list).toMatchTextContent(/Upper north/)
  await expect.element(outOfDate).not.toBeInTheDocument()
})

test('a newer change comes in by itself', async () => {
  const changes = [renamed('North', 'Far north')]
  await shown({ [CALL]: () => ({ body: { changes, total: changes.length } }) })
  await expect.element(list).toMatchTextContent(/North, now .*Far north/)
  changes.unshift(renamed('Far north', 'Upper north'))
  harness.change({ subject: 'groups', ids: ['north'] })
  await expect.element(list).toMatchTextContent(/Upper north/)
})

test('what came and what left is told as such, and how many more', async () => {
  const moved = { ...renamed('', ''), more: 3 }
  moved.changes = [
    { field: 'things', before: null, after: 'Reefer 7' },
    { field: 'things', before: 'Reefer 8', after: null },
  ] as never
  await shown({ [CALL]: { body: { changes: [moved], total: 1 } } })
  await expect.element(list).toMatchTextContent(/Reefer 7 came.*Reefer 8 left.*and 3 more/)
})

test('a failure can be tried again', async () => {
  let isDown = true
  await shown({
    [CALL]: () =>
      isDown
        ? { status: 503, body: { code: 503, message: 'Starting' } }
        : { body: { changes: [], total: 0 } },
  })
  await expect.element(page.getByText('The history could not be loaded')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('No data Found')).toBeVisible()
})
