import type { SimAction, SimFault, SimLink } from '#machines/contracts/calls/sim-calls.ts'
import { ContractError } from '#machines/contracts/decode.ts'
import type { SimDeps } from '../sim.ts'

export const START = 1_781_496_000_000
/** The one device of the simulated world. */
export const IMEI = '356313761284865'

/** A server of which only what the calls touch is there; `done` says what they did. */
export function fakeDirector(token?: string) {
  const done: unknown[] = []
  const faults: SimFault[] = []
  const state = { now: START, speed: 1, paused: false }
  const mails = [
    {
      channel: 'email' as const,
      to: 'b@indus.example',
      subject: 'Later',
      text: '',
      html: '',
      links: ['http://127.0.0.1/x'],
      at: START + 1,
    },
    {
      channel: 'email' as const,
      to: 'a@indus.example',
      subject: 'First',
      text: '',
      html: '',
      links: [],
      at: START,
    },
  ]
  const links: SimLink[] = []
  const actions: SimAction[] = [
    { id: 'a1', at: START, what: 'Speed ×60', kind: 'clock.speed', canUndo: true, undoneAt: null },
    {
      id: 'a0',
      at: START,
      what: 'operator signed out',
      kind: 'user.sign-out',
      canUndo: false,
      undoneAt: null,
    },
  ]
  const status: SimDeps['status'] = () => ({
    scenario: 'Test',
    scenarioName: 'test',
    isShipped: false,
    story: 'Nothing happens.',
    seed: 7,
    start: START,
    ...state,
    reached: null,
    devices: 12,
    messagesSent: 34,
    hash: 'c0ffee',
    logHash: 'beef',
    facts: 5,
    suspended: [],
    journey: null,
  })
  const director: SimDeps = {
    status,
    setSpeed: async (speed) => void Object.assign(state, { speed }),
    setPaused: async (paused) => void Object.assign(state, { paused }),
    advance: async (seconds) => {
      state.now += seconds * 1000
    },
    toNextIncident: async () => {
      state.now += 60_000
      return { type: 'offline', imei: IMEI, deviceName: 'Reefer', at: state.now }
    },
    stopJourney: () => state.now > START,
    faults: {
      async inject({ imei = IMEI, fault, forSeconds }) {
        if (imei !== IMEI) return undefined
        const id = `f${faults.length}`
        faults.push({ id, imei, fault, from: state.now, until: state.now + forSeconds * 1000 })
        return { id, devices: 1 }
      },
      list: () => faults,
      find: (id) => faults.find((fault) => fault.id === id),
      lift: async (id) => faults.some((fault) => fault.id === id),
    },
    network: {
      async begin({ forSeconds, ...order }) {
        const leftMs = forSeconds * 1000
        const link = { id: `l${links.length}`, ...order, from: START, until: START + leftMs, leftMs }
        links.push(link)
        return link
      },
      list: () => links,
      end: async (id) => links.some((link) => link.id === id),
    },
    suspendCompany: async (companyId, isSuspended) =>
      companyId === 'indus' && done.push(['company', isSuspended]) > 0,
    requireReset: async (userName) => userName === 'operator' && done.push(['reset', userName]) > 0,
    logoutUser: async (userName) => userName === 'operator' && done.push(['logout', userName]) > 0,
    expireSessions: async (userName) => userName === 'operator' && done.push(['expire', userName]) > 0,
    outbox: (to) => mails.filter((mail) => to === undefined || mail.to === to),
    expireToken: async (link) => link === 't0ken' && done.push(['expired']) > 0,
    actions: {
      list: () => actions,
      async undo(id) {
        const action = actions.find((each) => each.id === id)
        if (action === undefined) return undefined
        return action.canUndo ? { ...action, canUndo: false, undoneAt: state.now } : 'cannot'
      },
    },
    script: async () => ({ name: 'Test, as directed' }) as Awaited<ReturnType<SimDeps['script']>>,
    scenarios: async () => [
      { name: 'test', title: 'Test', story: 'Nothing happens.', devices: 12, start: START },
    ],
    save: async () => null,
    async open({ scenario }) {
      if (scenario === 'broken')
        throw new ContractError('broken', 'fleets.0.home', 'Nowhere is not known here')
      return scenario === 'test' ? status() : undefined
    },
    reset: async () => {
      state.now = START
      return status()
    },
  }
  return { director, deps: { token, director: () => director }, done, state }
}
