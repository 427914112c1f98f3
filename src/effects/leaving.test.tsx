import { afterEach, beforeEach, expect, test } from 'vitest'
import { guardLeaving, leaveConfirmed, leaveOnceConfirmed, loadAnew } from './leaving.ts'

const began = location.href
const stops: (() => void)[] = []
/** who was asked, and how to go on with it */
let requests: { who: string; go: () => void }[] = []

const guard = (who: string): (() => void) => {
  const stop = guardLeaving(window, (go) => requests.push({ who, go }))
  stops.push(stop)
  return stop
}
const whoWasRequested = (): string[] => requests.map(({ who }) => who)

beforeEach(() => {
  requests = []
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  history.replaceState(null, '', began)
})

test('of all who keep the visitor one asks, and nobody once the visitor goes', () => {
  guard('temperature')
  guard('humidity')
  history.pushState(null, '', '/elsewhere')
  expect(whoWasRequested()).toEqual(['temperature'])
  expect(location.href).toBe(began)
  requests[0]?.go()
  expect(location.pathname).toBe('/elsewhere')
  expect(whoWasRequested()).toEqual(['temperature'])
  // the next page is asked about anew
  history.pushState(null, '', '/further')
  expect(whoWasRequested()).toEqual(['temperature', 'temperature'])
})

test('a form that closes untouched waits for the one that would lose something', () => {
  const went: string[] = []
  const close = () => went.push('closed')
  const stop = guard('settings')
  leaveOnceConfirmed(close)
  expect(went).toEqual([])
  requests[0]?.go()
  expect(went).toEqual(['closed'])
  leaveConfirmed(() => history.pushState(null, '', '/elsewhere'))
  expect(location.pathname).toBe('/elsewhere')
  stop()
  leaveOnceConfirmed(close)
  expect(went).toEqual(['closed', 'closed'])
  expect(whoWasRequested()).toEqual(['settings'])
})

test('the browser asks whoever closes the window, and nobody where the page is loaded anew with what was typed', () => {
  guard('settings')
  const isHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(isHeld()).toBe(true)
  loadAnew({ location: { reload: () => {} } as Location })
  expect(isHeld()).toBe(false)
})
