import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { groupOf } from '../../layout/testing/group-of.ts'
import { mountPage, type PageHarness, SESSION } from '../../layout/testing/mount-page.tsx'
import { createFleet } from '../../read-model/fleet.ts'
import Assignment from './assignment.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

async function shown({ depthLevel, mayRegister }: { depthLevel: number; mayRegister: boolean }) {
  harness = await mountPage(<Assignment />, {
    at: '/',
    server: {
      'GET /groups/top': { body: groupOf('top', { name: 'Indus' }) },
      'GET /unknown-devices': { body: { mayRegister, since: '2026-06-15T04:00:00.000Z', devices: [] } },
    },
    fleet: createFleet((call) => call()),
    session: { ...SESSION, groupInfo: { ...SESSION.groupInfo, depthLevel } },
  })
}
const whom = page.getByRole('region', { name: 'Whom to ask' })

test('who has a group above theirs is sent to whoever looks after it', async () => {
  await shown({ depthLevel: 2, mayRegister: false })
  await expect.element(whom).toMatchTextContent(/Whoever looks after the group above yours/)
})

test('who has the whole company is told who adds devices, as no group is above', async () => {
  await shown({ depthLevel: 1, mayRegister: false })
  await expect.element(whom).toMatchTextContent(/An administrator of the server adds its devices/)
  expect(whom.element().textContent).not.toContain('above yours')
})

test('who may add devices is led there', async () => {
  await shown({ depthLevel: 1, mayRegister: true })
  await expect
    .element(whom.getByRole('link', { name: 'add its devices' }))
    .toHaveAttribute('href', '/devices/add')
})
