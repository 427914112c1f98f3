import type { Fact, FactData, FactType } from '../contracts/facts.ts'
import type { ThingStatus, ViolationType } from '../contracts/scalars.ts'
import { keptFrom, RETENTION_DAYS } from '../rules/retention.ts'

/** A violation as it is known. `worst`: what it opened with while an ordinary one lasts, which says it when it is over. */
export type Episode = FactData<'violation.revised'>['before'] & {
  violationId: string
  type: ViolationType
  /** of the last fact about it */
  seq: number
}

/**
 * What was published of a device, as far back as its readings are kept: its violations, by their id, those that never were, with the end
 * they were published to have, and what it was since when, ascending.
 */
export type Published = {
  episodes: Map<string, Episode>
  gone: Map<string, number>
  status: { at: number; to: ThingStatus; seq: number }[]
  /** of the fact by which the device has its imei, where another had it before; 0: of none */
  since: number
}

/** What was published of each device, by its imei. */
export type PublishedOfDevices = Map<string, Published>

/** The facts that say what is known of violations and of status, and whose an imei is. */
export const PUBLISHED_FACTS = [
  'violation.opened',
  'violation.cleared',
  'violation.found',
  'violation.found-late',
  'violation.revised',
  'device-status.changed',
  'device-status.revised',
  'device.registered',
  'device.tracker-replaced',
] as const satisfies FactType[]

/** Folds a fact in, in place. One that was folded before changes nothing. */
export function foldPublished(devices: PublishedOfDevices, fact: Fact): void {
  const { seq, at } = fact
  switch (fact.type) {
    case 'violation.opened':
    case 'violation.found':
    case 'violation.found-late': {
      const { violationId, type, since, threshold } = fact.data
      const published = publishedOf(devices, fact.data.imei)
      const { episodes, gone } = published
      if (gone.has(violationId) || (episodes.get(violationId)?.seq ?? 0) >= seq) return
      const ending =
        fact.type === 'violation.opened'
          ? { clearedAt: null, worst: fact.data.value }
          : { clearedAt: fact.data.clearedAt, worst: fact.data.worst }
      dropOld(published, keptAt(fact.recordedAt))
      episodes.set(violationId, { violationId, type, since, openedAt: at, threshold, ...ending, seq })
      return
    }
    case 'violation.cleared': {
      const episode = publishedOf(devices, fact.data.imei).episodes.get(fact.data.violationId)
      if (episode && episode.seq < seq) Object.assign(episode, { clearedAt: at, worst: fact.data.worst, seq })
      return
    }
    case 'violation.revised': {
      const { imei, violationId, before, after } = fact.data
      const published = publishedOf(devices, imei)
      const { episodes, gone } = published
      const episode = episodes.get(violationId)
      if (episode === undefined || episode.seq >= seq) return
      if (after === null) {
        episodes.delete(violationId)
        dropOld(published, keptAt(fact.recordedAt))
        gone.set(violationId, before.clearedAt ?? at)
      } else Object.assign(episode, after, { seq })
      return
    }
    case 'device-status.changed': {
      const published = publishedOf(devices, fact.data.imei)
      const { status } = published
      if (status.some((one) => one.seq === seq)) return
      dropOld(published, keptAt(fact.recordedAt))
      insert(status, { at, to: fact.data.to, seq })
      return
    }
    case 'device-status.revised': {
      const { imei, from, to, before, after } = fact.data
      const published = publishedOf(devices, imei)
      if (published.status.some((one) => one.seq === seq)) return
      const kept = published.status.filter((one) => !(one.at > from && one.at < to))
      const atTo = kept.findLast((one) => one.at <= to)
      published.status = kept
      insert(published.status, { at: from, to: after, seq })
      if (atTo?.at !== to) insert(published.status, { at: to, to: before, seq })
      return
    }
    case 'device.registered': {
      const { imei } = fact.data
      const known = devices.get(imei)
      // what was published of another device that had the imei is not of this one
      if (known && known.since < seq) devices.set(imei, nothingPublished(seq))
      return
    }
    case 'device.tracker-replaced': {
      const { before, after } = fact.data
      const isKnown = (devices.get(after)?.since ?? 0) >= seq
      if (!isKnown) devices.set(after, { ...(devices.get(before) ?? nothingPublished(seq)), since: seq })
      devices.delete(before)
      return
    }
  }
}

/** What was published of a device, to be changed. */
export function publishedOf(devices: PublishedOfDevices, imei: string): Published {
  const known = devices.get(imei)
  if (known !== undefined) return known
  const published = nothingPublished(0)
  devices.set(imei, published)
  return published
}

const nothingPublished = (since: number): Published => ({
  episodes: new Map(),
  gone: new Map(),
  status: [],
  since,
})

/** Forgets of all devices what ended before a time, epoch ms. */
export function forgetOld(devices: PublishedOfDevices, oldest: number): void {
  for (const published of devices.values()) dropOld(published, oldest)
}

/** Since when readings are kept at a time, epoch ms, and a day more, as a fact may be evaluated a while before it is recorded. */
export const keptAt = (now: number): number => keptFrom(RETENTION_DAYS + 1, now)

/** Drops what ended before a time, as no late reading says otherwise of it; what the device was by then stays. */
function dropOld({ episodes, gone, status }: Published, oldest: number): void {
  for (const [id, { clearedAt }] of episodes) if ((clearedAt ?? oldest) < oldest) episodes.delete(id)
  for (const [id, end] of gone) if (end < oldest) gone.delete(id)
  const later = status.findIndex(({ at }) => at > oldest)
  const old = (later < 0 ? status.length : later) - 1
  if (old > 0) status.splice(0, old)
}

function insert(status: Published['status'], one: Published['status'][number]): void {
  let place = status.length
  while (place > 0 && (status[place - 1] as { at: number }).at > one.at) place--
  status.splice(place, 0, one)
}
