import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { NewFact } from '#machines/contracts/facts.ts'
import { isPublicFact } from '#machines/contracts/public-facts.ts'
import { createReadings, pushReading, type Reading } from '#machines/contracts/readings.ts'
import { startProjecting } from '../../../read-models/read-models.ts'
import * as facts from '../../../testing/facts.ts'
import { type DeliveryDeps, registerDelivery } from '../realtime.ts'
import type { Visitor } from '../visitor.ts'
import { memoryStore } from './memory-store.ts'

export const START = 1_800_000_000_000

/** Imei of device number `no`. */
export const imeiOf = (no: number): string => String(356_307_042_000_000 + no)

const since = (fact: NewFact): NewFact => ({ ...fact, at: START })
const company = (companyId: string): NewFact => since(facts.company(companyId))

export const group = (companyId: string, groupId: string, parentId: string | null): NewFact =>
  since(facts.group(groupId, companyId, parentId))

export const device = (companyId: string, groupId: string, no: number): NewFact =>
  since(
    facts.device(no, imeiOf(no), companyId, groupId, {
      name: `Device ${no}`,
      plateNumber: `P-${no}`,
      type: 'vehicle',
    }),
  )

/**
 * Two companies behind real sockets on a port of its own:
 * indus › punjab › lahore, indus › sindh, and karakoram. Device numbers are dealt out in turn to punjab, lahore, sindh, karakoram.
 * A token is `user@group`; `tokens` may hold others.
 */
export async function openTestServer(devices: number, options: Partial<DeliveryDeps> = {}) {
  const { store, add, addReadings } = memoryStore()
  const homes = [
    ['indus', 'punjab'],
    ['indus', 'lahore'],
    ['indus', 'sindh'],
    ['karakoram', 'karakoram'],
  ] as const
  add([
    company('indus'),
    company('karakoram'),
    group('indus', 'indus', null),
    group('indus', 'punjab', 'indus'),
    group('indus', 'lahore', 'punjab'),
    group('indus', 'sindh', 'indus'),
    group('karakoram', 'karakoram', null),
    ...Array.from({ length: devices }, (_, no) => {
      const [companyId, groupId] = homes[no % homes.length] as (typeof homes)[number]
      return device(companyId, groupId, no)
    }),
  ])
  const readModels = startProjecting(store)
  const clock = { time: START, now: () => clock.time }
  const tokens = new Map<string, Visitor>()
  const verifyToken = (token: string): Visitor | undefined => {
    const known = tokens.get(token)
    if (known !== undefined) return known
    const [userId, groupId] = token.split('@')
    const home = groupId === undefined ? undefined : readModels.directory.groups.get(groupId)
    if (userId === undefined || home === undefined) return undefined
    return {
      userId,
      sessionId: `session-${userId}`,
      companyId: home.companyId,
      groupId: home._id,
      expiresAt: Number.POSITIVE_INFINITY,
    }
  }
  const app = Fastify()
  const delivery = await registerDelivery(app, {
    clock,
    readModels,
    log: store.log,
    verifyToken,
    markRead: async () => {},
    ...options,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    app,
    clock,
    tokens,
    store,
    readModels,
    delivery,
    add,
    /** what everybody may be sent, as somebody would fetch it */
    factsAfter: (after: number) => store.log.readFacts(after, { limit: 10_000 }).filter(isPublicFact),
    read(...readings: Reading[]): number {
      const columns = createReadings(readings.length)
      for (const reading of readings) pushReading(columns, reading)
      return addReadings(columns)
    },
    /** readings as they were received at a time, epoch ms; the clock goes there */
    receive(receivedAt: number, ...readings: Reading[]): number {
      clock.time = receivedAt
      const columns = createReadings(readings.length)
      for (const reading of readings) pushReading(columns, reading)
      return addReadings(columns, receivedAt)
    },
    async close() {
      await app.close()
      readModels.stop()
    },
  }
}

export type TestServer = Awaited<ReturnType<typeof openTestServer>>
