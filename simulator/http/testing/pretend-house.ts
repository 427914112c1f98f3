import type { SimDeps, SimFault } from '../sim.ts'

export const START = 1_781_496_000_000
/** The one device of the pretend world. */
export const IMEI = '356313761284865'

/** A house of which only what the calls touch is there; `done` says what they did. */
export function pretendHouse(token?: string) {
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
  const deps: SimDeps = {
    token,
    world: { scenario: { name: 'Test' }, seed: 7, size: 12, messagesSent: () => 34, hash: () => 'c0ffee' },
    clock: {
      now: () => state.now,
      speed: () => state.speed,
      paused: () => state.paused,
      setSpeed: (speed) => Object.assign(state, { speed }),
      pause: () => Object.assign(state, { paused: true }),
      resume: () => Object.assign(state, { paused: false }),
    },
    advance: async (seconds) => {
      state.now += seconds * 1000
    },
    faults: {
      inject: async (imei, fault, forSeconds) => {
        if (imei !== IMEI) return undefined
        const injected = {
          id: `f${faults.length}`,
          imei,
          fault,
          from: state.now,
          until: state.now + forSeconds * 1000,
        }
        faults.push(injected)
        return injected
      },
      list: () => faults,
      remove: async (id) => faults.some((fault) => fault.id === id),
    },
    suspendCompany: async (companyId, isSuspended) =>
      companyId === 'indus' && done.push(['company', isSuspended]) > 0,
    requireReset: async (userName) => userName === 'operator' && done.push(['reset', userName]) > 0,
    logoutUser: async (userName) => userName === 'operator' && done.push(['logout', userName]) > 0,
    outbox: (to) => mails.filter((mail) => to === undefined || mail.to === to),
    expireToken: async (link) => link === 't0ken' && done.push(['expired']) > 0,
    reset: async () => {
      state.now = START
    },
  }
  return { deps, done, state }
}
