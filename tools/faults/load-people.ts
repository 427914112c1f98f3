import { setTimeout as pause } from 'node:timers/promises'
import { FLEET_CONTENT_TYPE } from '#machines/contracts/fleet-snapshot.ts'
import { callerOf } from '../../server/testing/caller.ts'

/** Ms between two clicks of somebody who reads what comes. */
const LEAST_PAUSE_MS = 2000
const MOST_PAUSE_MS = 6000
/** As part of that, of somebody who hurries. */
const HURRY = 1 / 10
const DAY = 86_400_000

export type PersonOptions = {
  address: string
  user: { token: string; groupId: string }
  /** devices they may click on */
  imeis: readonly string[]
  dice: () => number
  isHurried(): boolean
  isOver(): boolean
  /** ms until all was answered that a click asks for */
  onAnswer(ms: number): void
  onWrong(what: string): void
}

/** Somebody who works with the portal: asks for what its screens ask for, click after click. Resolves when it is over. */
export async function startPerson(options: PersonOptions): Promise<void> {
  const { address, user, imeis, dice, isHurried, isOver, onAnswer, onWrong } = options
  const { send } = callerOf(address)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(dice() * all.length)] as T
  const { token, groupId } = user

  async function ask(method: string, path: string, body?: object, headers?: Record<string, string>) {
    const answer = await send(method, `/api${path}`, {
      token,
      ...(body && { body }),
      ...(headers && { headers }),
    })
    // somebody else was first: a portal shows it
    if (answer.status >= 300 && answer.status !== 409)
      throw new Error(`${method} ${path} was answered ${answer.status} ${answer.text.slice(0, 200)}`)
    return answer.text
  }
  const interval = (ms: number) => {
    const endDate = Date.now()
    return { startDate: endDate - ms, endDate }
  }
  const data = (ms: number) => encodeURIComponent(JSON.stringify(interval(ms)))
  const notifications = async (skip = 0) => {
    const text = await ask('POST', `/groups/${groupId}/notifications`, {
      ...interval(DAY),
      skip,
      limit: 50,
    })
    const listed = JSON.parse(text) as { notifications: { _id: string; violationId: string | null }[] }
    return listed.notifications.filter(({ violationId }) => violationId !== null)
  }

  /** What one click asks for, by the screen it opens. */
  const clicks: (() => Promise<unknown>)[] = [
    async function map() {
      await Promise.all([
        ask('GET', '/auth/me'),
        ask('GET', '/groups/company/indus'),
        ask('GET', `/groups/${groupId}/observations-latest`, undefined, { accept: FLEET_CONTENT_TYPE }),
        notifications(),
      ])
    },
    async function device() {
      const imei = pick(imeis)
      await Promise.all([
        ask('GET', `/things/${imei}`),
        ask('GET', `/things/${imei}/observations?maxPoints=1200&data=${data(DAY)}`),
      ])
    },
    () => ask('GET', `/things/${pick(imeis)}/observations-logs?data=${data(DAY)}`),
    () => ask('GET', `/things/${pick(imeis)}/history`),
    () => notifications(),
    () => notifications(50),
    async function takesCare() {
      const one = pick(await notifications())
      if (one === undefined) return
      await ask('GET', `/users/notifications/${one._id}/why`)
      await ask('POST', `/users/notifications/${one._id}/acknowledge`, { comment: 'I call the driver' })
    },
    async function comments() {
      const one = pick(await notifications())
      if (one !== undefined)
        await ask('POST', `/users/notifications/${one._id}/comments`, { comment: 'Door was open' })
    },
    async function renames() {
      const imei = pick(imeis)
      const thing = JSON.parse(await ask('GET', `/things/${imei}`)) as { groupId: string }
      await ask('PUT', `/things/${imei}`, {
        name: `Truck ${Math.floor(dice() * 1e6)}`,
        groupId: thing.groupId,
      })
    },
    async function charts() {
      await Promise.all([
        ask('POST', `/groups/${groupId}/violationstats`, {
          ...interval(30 * DAY),
          devices: imeis.slice(0, 50),
          violations: ['HIGH_TEMPERATURE_DETECTED', 'LOW_TEMPERATURE_DETECTED'],
        }),
        ask('POST', `/groups/${groupId}/summaryChart`, interval(30 * DAY)),
      ])
    },
  ]
  while (!isOver()) {
    await pause((LEAST_PAUSE_MS + dice() * (MOST_PAUSE_MS - LEAST_PAUSE_MS)) * (isHurried() ? HURRY : 1))
    if (isOver()) return
    const clicked = performance.now()
    try {
      await pick(clicks)()
      onAnswer(performance.now() - clicked)
    } catch (error) {
      onWrong(error instanceof Error ? error.message : String(error))
    }
  }
}
