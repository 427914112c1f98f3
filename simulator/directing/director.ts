import { randomUUID } from 'node:crypto'
import type { SimFault, SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import type { Deed } from '#machines/contracts/deeds.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import type { Backbone } from '../backbone.ts'
import type { SimDeps } from '../http/sim.ts'
import type { Outgoing } from '../outgoing.ts'
import type { LogHash } from '../projecting/log-hash.ts'
import type { Scheduler } from '../scheduling/scheduler.ts'
import type { Action, Actions } from './actions.ts'
import { type Breakable, createDeviceFaults } from './device-faults.ts'
import { type Run, runToNextIncident } from './incidents.ts'
import { type LinkFaults, lasting } from './links.ts'
import type { People } from './people.ts'
import { measureSpeed } from './reached.ts'
import { readScenarioFile, scenarioNameOf, scenariosThere } from './scenario-files.ts'
import { scriptFile } from './script-file.ts'
import { createUndo } from './undo.ts'
import { durationOf, faultSaid, incidentSaid, liftSaid, linkSaid, shareSaid } from './words.ts'

type World = Breakable & {
  readonly seed: number
  readonly start: number
  readonly size: number
  readonly registration: { devices: readonly { imei: string; key: number; fleet: { id: string } }[] }
  messagesSent(): number
  hash(): string
}
type Clock = {
  now(): number
  speed(): number
  paused(): boolean
  setSpeed(speed: number): void
  pause(): void
  resume(): void
}
type Parts = {
  token: string | undefined
  publicUrl: string
  /** the scenario's file */
  file: string
  scenario: { name: string; story: string; reportSeconds: number }
  world: World
  clock: Clock
  run: Run & {
    between<T>(change: () => T | Promise<T>): Promise<T>
    journey(): SimStatus['journey']
    halt(): boolean
  }
  backbone: Backbone
  scheduler: Pick<Scheduler, 'settled'>
  outgoing: Pick<Outgoing, 'outbox'>
  logHash: Pick<LogHash, 'value' | 'facts'>
  actions: Actions
  people: People
  links: LinkFaults
  reset: SimDeps['reset']
  open: SimDeps['open']
}

/** What the calls need, and what the house does with a world that it has just opened. */
export type Director = SimDeps & {
  /** sets out for an instant of the world; resolves when it is there, was stopped on its way, or the house closes */
  travelTo(at: number): Promise<void>
  stop(): void
}

/** The one who plays on the world: what is done is listed, and undone where that can be. */
export function createDirector(parts: Parts): Director {
  const { world, clock, run, backbone, scheduler, actions, people, links } = parts
  const { directory } = backbone.readModels
  const faults = createDeviceFaults(world, directory)
  const { canUndo, undo } = createUndo({ actions, clock, faults, links, people })
  const reached = measureSpeed(clock)
  const nameOf = (imei: string): string => deviceByImei(directory, imei)?.name ?? imei
  const shown = ({ id, at, what, deed, undoneAt }: Action, isUndoable: boolean) => ({
    id,
    at,
    what,
    kind: deed.do,
    canUndo: isUndoable,
    undoneAt,
  })
  /** How a deed went by that took the world from one instant to another. */
  const onTheWay = async <T>(
    travel: () => Promise<T>,
    told: (result: T, from: number, to: number) => [Deed, string],
  ) => {
    const from = clock.now()
    const result = await travel()
    await backbone.settled()
    await scheduler.settled()
    await actions.note(...told(result, from, clock.now()))
    return result
  }
  const advance = (seconds: number): Promise<void> =>
    onTheWay(
      () => run.advance(seconds),
      (_, from, to) => [
        { do: 'clock.advance', from, to },
        `Set forward by ${durationOf((to - from) / 1000)}`,
      ],
    )
  const undoNow = (action: Action) =>
    run.between(async () => {
      if (!canUndo(action)) return false
      await undo(action)
      return true
    })
  const ofPeople = async (isThere: boolean, deed: Deed, what: string): Promise<boolean> => {
    if (isThere) await actions.note(deed, what)
    return isThere
  }

  return {
    token: parts.token,
    publicUrl: parts.publicUrl,
    status: () => ({
      scenario: parts.scenario.name,
      scenarioName: scenarioNameOf(parts.file),
      story: parts.scenario.story,
      seed: world.seed,
      start: world.start,
      now: clock.now(),
      speed: clock.speed(),
      reached: reached.speed(),
      paused: clock.paused(),
      devices: world.size,
      messagesSent: world.messagesSent(),
      hash: world.hash(),
      logHash: parts.logHash.value(),
      facts: parts.logHash.facts(),
      journey: run.journey(),
    }),
    async setSpeed(to) {
      const from = clock.speed()
      if (from === to) return
      clock.setSpeed(to)
      await actions.note({ do: 'clock.speed', from, to }, `Speed ×${to}`)
    },
    async setPaused(isPaused) {
      if (clock.paused() === isPaused) return
      if (isPaused) clock.pause()
      else clock.resume()
      await actions.note(
        { do: isPaused ? 'clock.pause' : 'clock.resume' },
        isPaused ? 'Clock stopped' : 'Clock going on',
      )
    },
    advance,
    toNextIncident: () =>
      onTheWay(
        () => runToNextIncident(run, backbone, parts.scenario.reportSeconds),
        (incident, from, to) => [
          { do: 'clock.to-incident', from, to },
          incidentSaid(incident, (to - from) / 1000),
        ],
      ),
    stopJourney: run.halt,

    faults: {
      list: faults.list,
      find: faults.find,
      inject: ({ imei, share = 0, groupId, fault, forSeconds }) =>
        run.between(async () => {
          if (
            imei === undefined
              ? groupId !== undefined && !directory.groups.has(groupId)
              : world.indexOf(imei) === undefined
          )
            return undefined
          const imeis = imei === undefined ? faults.shareOf(share, groupId) : [imei]
          if (imeis.length === 0) return undefined
          const id = randomUUID()
          const facts = faults.inject(id, imeis, fault, forSeconds)
          const deed: Deed = {
            do: 'fault.inject',
            fault,
            imei: imei ?? null,
            ...(imei === undefined && { share, ...(groupId !== undefined && { groupId }) }),
            devices: imeis.length,
            forSeconds,
          }
          const group = groupId === undefined ? undefined : directory.groups.get(groupId)?.name
          const whom = imei === undefined ? shareSaid(share, imeis.length, group) : nameOf(imei)
          await actions.note(deed, faultSaid({ fault, forSeconds }, whom), { id, with: facts })
          return { id, devices: imeis.length }
        }),
      lift: (id) =>
        run.between(async () => {
          const action = actions.find(id)
          if (action !== undefined) return canUndo(action) && (await undo(action).then(() => true))
          const found = faults.find(id)
          if (found === undefined || !faults.isInForce(found)) return false
          return liftOne(found)
        }),
    },

    links: {
      list: links.list,
      async begin({ forSeconds, ...order }) {
        const link = links.begin(order, lasting(forSeconds * 1000))
        const deed = { do: 'link.fault' as const, ...order, forSeconds }
        await actions.note(deed, linkSaid(deed), { id: link.id })
        return link
      },
      async end(id) {
        const action = actions.find(id)
        return action === undefined ? links.end(id) !== undefined : undoNow(action)
      },
    },

    async suspendCompany(companyId, isSuspended) {
      const name = people.nameOf(companyId)
      if (name === undefined) return false
      if (people.isSuspended(companyId) === isSuspended) return true
      await people.suspend(companyId, isSuspended)
      const kind = isSuspended ? ('company.suspend' as const) : ('company.resume' as const)
      return ofPeople(
        true,
        { do: kind, companyId },
        isSuspended ? `${name} suspended` : `${name} let in again`,
      )
    },
    requireReset: async (userName) =>
      ofPeople(
        await people.requireReset(userName),
        { do: 'user.require-reset', userName },
        `${userName} must set a new password`,
      ),
    logoutUser: async (userName) =>
      ofPeople(
        await people.endSessions(userName, 'signOut'),
        { do: 'user.sign-out', userName },
        `${userName} signed out`,
      ),
    expireSessions: async (userName) =>
      ofPeople(
        await people.endSessions(userName, 'runOut'),
        { do: 'user.end-sessions', userName },
        `Sessions of ${userName} ran out`,
      ),
    outbox: parts.outgoing.outbox,
    async expireToken(token) {
      const userId = await people.expireLink(token)
      if (userId === undefined) return false
      const whose = directory.users.get(userId)?.userName ?? userId
      return ofPeople(true, { do: 'link.expire', userId }, `Link of a mail to ${whose} ran out`)
    },

    actions: {
      list: () =>
        actions
          .all()
          .map((action) => shown(action, canUndo(action)))
          .reverse(),
      async undo(id) {
        const action = actions.find(id)
        if (action === undefined) return undefined
        return (await undoNow(action)) ? shown(action, false) : 'cannot'
      },
    },
    async script() {
      const written = await readScenarioFile(parts.file)
      return scriptFile({ written, file: parts.file, world, actions: actions.all() })
    },
    scenarios: scenariosThere,
    open: parts.open,
    reset: parts.reset,

    travelTo: async (at) => {
      const seconds = (at - clock.now()) / 1000
      if (seconds > 0) await advance(seconds)
    },
    stop: reached.stop,
  }

  async function liftOne({ id, fault, imei, until }: SimFault): Promise<boolean> {
    const found = faults.find(id)
    if (found === undefined) return false
    const facts = faults.lift([found])
    const deed: Deed = { do: 'fault.lift', faultId: id, fault, imei, until }
    await actions.note(deed, liftSaid({ fault }, nameOf(imei)), { with: facts })
    return true
  }
}
