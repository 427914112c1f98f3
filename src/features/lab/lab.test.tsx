import { StrictMode } from 'react'
import { createRoot, type Root as View } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route, Router } from 'wouter'
import type { LabRun } from '#machines/contracts/calls/lab-calls.ts'
import { RootContext } from '../../actors/use-root.ts'
import { Simulated } from '../../layout/simulated.tsx'
import { type Server, testRoot } from '../../layout/testing/test-root.ts'
import Lab from './lab.tsx'
import '../../styles/tokens.css'

let view: View | undefined
let place: HTMLElement | undefined
// list and chart side by side
beforeEach(() => page.viewport(1280, 800))
afterEach(async () => {
  await page.viewport(900, 600)
  view?.unmount()
  place?.remove()
})

const CONFIRMED = 'asking: confirm → deleting'
const RUN: LabRun = {
  id: 'r1',
  machine: 'confirm-delete',
  transition: CONFIRMED,
  state: 'running',
  failure: null,
}
const COVERED: Server = {
  'GET /sim/lab/coverage': {
    body: {
      specs: [{ spec: 'journeys/groups.spec.ts', at: 1_781_496_000_000 }],
      taken: {
        'confirm-delete': {
          states: { asking: 2 },
          transitions: { 'asking: cancel → cancelled': 2, gone: 1 },
        },
      },
    },
  },
}

async function opened(at: string, server: Server, simulator = true) {
  const { root, requests, location } = testRoot(at, server, {
    loadLive: () => Promise.reject(new Error('nobody is signed in')),
  })
  await expect.poll(() => root.server.get()).toBeDefined()
  root.server.set({ simulator, timeZone: 'Asia/Karachi' })
  place = document.body.appendChild(document.createElement('div'))
  view = createRoot(place)
  view.render(
    <StrictMode>
      <RootContext value={root}>
        <Router hook={location.hook} searchHook={location.searchHook}>
          <Route path="/lab/:machine?">
            <Simulated>
              <Lab />
            </Simulated>
          </Route>
        </Router>
      </RootContext>
    </StrictMode>,
  )
  return { requests }
}

const row = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })

test('is an address nobody lives at where the world is not simulated', async () => {
  const { requests } = await opened('/lab/confirm-delete', COVERED, false)
  await expect.element(page.getByText('There is no such page')).toBeVisible()
  expect(requests).toEqual([])
})

test('tells of each source what it took, and nothing of what it cannot see', async () => {
  await opened('/lab/confirm-delete', COVERED)
  const figures = (machine: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name: machine, exact: true }) })
  await expect.element(figures('confirm-delete')).toHaveTextContent('confirm-deletescreen6/61/60/6')
  await expect.element(figures('device-status')).toHaveTextContent('device-statusdomain17/170/17–not seen')
  const cells = row('asking: cancel → cancelled').getByRole('cell')
  await expect.element(cells.nth(1)).toHaveTextContent('covered')
  await expect.element(cells.nth(2)).toHaveTextContent('not covered')
  await expect.element(row(CONFIRMED).getByRole('cell').nth(1)).toHaveTextContent('not covered')
})

test('where no end-to-end tests were run it says so, and claims nothing of them', async () => {
  await opened('/lab/confirm-delete', { 'GET /sim/lab/coverage': { body: { specs: [], taken: {} } } })
  await expect.element(page.getByText('The end-to-end tests were not run here yet.')).toBeVisible()
  await expect.element(row(CONFIRMED).getByRole('cell').nth(1)).toHaveTextContent('–not seen')
})

test('has a browser walk to a transition, and says at which step it failed', async () => {
  const { requests } = await opened(`/lab/confirm-delete?to=${encodeURIComponent(CONFIRMED)}`, {
    ...COVERED,
    'POST /sim/lab/runs': {
      status: 202,
      body: { ...RUN, state: 'failed', failure: 'On Confirm Delete it is deleting. Found: nothing' },
    },
  })
  const button = page.getByRole('button', { name: 'Run in a browser' })
  await expect.element(button).toBeEnabled()
  ;(button.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('On Confirm Delete it is deleting. Found: nothing')).toBeInTheDocument()
  const order = requests.find(({ call }) => call === 'POST /sim/lab/runs')
  expect(order?.body).toEqual({ machine: 'confirm-delete', transition: CONFIRMED })
})
