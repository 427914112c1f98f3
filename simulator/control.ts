import { randomUUID } from 'node:crypto'
import { userByLogin } from '#machines/projections/directory.ts'
import type { Backbone } from './backbone.ts'
import { changeSuspension } from './commands/access/companies.ts'
import { expireLink, linkValidity } from './commands/access/links.ts'
import { requireReset } from './commands/access/passwords.ts'
import { signOutUser } from './commands/access/sessions.ts'
import type { Env } from './env.ts'
import type { SimDeps, SimFault } from './http/sim.ts'
import type { EventLog } from './log/log.ts'
import type { Outgoing } from './outgoing.ts'
import type { Scheduler } from './scheduling/scheduler.ts'

/** The parts of a running world that the control calls play on. */
type Parts = {
  env: Pick<Env, 'simToken'>
  pretend: {
    world: SimDeps['world'] & {
      position(): number
      indexOf(imei: string): number | undefined
      injectFault(
        id: string,
        imei: string,
        fault: SimFault['fault'],
        forSeconds: number,
      ): SimFault | undefined
      removeFault(id: string): SimFault | undefined
      faults(): SimFault[]
    }
    clock: SimDeps['clock']
  }
  run: { advance(seconds: number): Promise<void>; between<T>(change: () => T | Promise<T>): Promise<T> }
  backbone: Backbone
  scheduler: Pick<Scheduler, 'settled'>
  outgoing: Pick<Outgoing, 'outbox'>
  reset(): Promise<void>
}

/** What the control calls do, in terms of the house: what people feel of them are facts like any other. */
export function simDeps({ env, pretend, run, backbone, scheduler, outgoing, reset }: Parts): SimDeps {
  const { world, clock } = pretend
  const { access, store, readModels } = backbone
  const user = (userName: string) => userByLogin(readModels.directory, userName)
  return {
    token: env.simToken,
    world,
    clock,
    async advance(seconds) {
      await run.advance(seconds)
      await backbone.settled()
      await scheduler.settled()
    },
    faults: {
      inject: (imei, fault, forSeconds) =>
        run.between(async () => {
          if (world.indexOf(imei) === undefined) return undefined
          const injected = world.injectFault(randomUUID(), imei, fault, forSeconds)
          if (injected) await store.log.append(FAULTS, [injectedFact(injected)])
          return injected
        }),
      list: world.faults,
      remove: (id) =>
        run.between(async () => {
          const ended = world.removeFault(id)
          if (ended === undefined) return false
          const { imei, until } = ended
          await store.log.append(FAULTS, [
            { type: 'fault.removed', at: until, companyId: null, data: { faultId: id, imei } },
          ])
          return true
        }),
    },
    async suspendCompany(companyId, isSuspended) {
      const type = isSuspended ? ('company.suspend' as const) : ('company.resume' as const)
      const { refused } = await access.execute(
        `company-${companyId}`,
        { type, by: null, data: { companyId } },
        changeSuspension,
      )
      return refused === undefined
    },
    async requireReset(userName) {
      const userId = user(userName)?._id
      if (userId === undefined) return false
      await access.execute(
        `user-${userId}`,
        { type: 'user.require-reset', by: null, data: { userId } },
        requireReset,
      )
      return true
    },
    async logoutUser(userName) {
      const userId = user(userName)?._id
      if (userId === undefined) return false
      await access.execute(
        `user-${userId}`,
        { type: 'user.sign-out', by: null, data: { userId } },
        signOutUser,
      )
      return true
    },
    outbox: outgoing.outbox,
    async expireToken(token) {
      const { directory } = readModels
      const link = directory.links.byToken.get(access.links.hashToken(token))
      if (link === undefined || linkValidity(directory, link, clock.now()) === -1) return false
      const { userId, linkId } = link
      await access.execute(
        `user-${userId}`,
        { type: 'link.expire', by: null, data: { userId, linkId } },
        expireLink,
      )
      return true
    },
    reset,
  }
}

const FAULTS = 'sim-faults'

const injectedFact = ({ id, imei, fault, from, until }: SimFault) => ({
  type: 'fault.injected' as const,
  at: from,
  companyId: null,
  data: { faultId: id, imei, fault, until },
})

/** Faults of earlier runs, with the ends they came to. */
export function faultsToldIn(log: EventLog): SimFault[] {
  const faults = new Map<string, SimFault>()
  for (const fact of log.readStream(FAULTS)) {
    if (fact.type === 'fault.injected') {
      const { faultId: id, imei, fault, until } = fact.data
      faults.set(id, { id, imei, fault: fault as SimFault['fault'], from: fact.at, until })
    }
    const ended = fact.type === 'fault.removed' ? faults.get(fact.data.faultId) : undefined
    if (ended) ended.until = fact.at
  }
  return [...faults.values()]
}
