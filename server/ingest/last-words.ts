import type { Clock } from '#machines/contracts/clock.ts'
import type { Ingest } from './pipeline.ts'

/** Something of a device that was refused; `times`: how often in a row for the same reason. `at`: when last, epoch ms. */
export type RefusedWord = { at: number; reason: string; detail: string; times: number }

/**
 * What of each device was refused lately, newest last: in memory since `since`, epoch ms, as the facts tell it for good. What came
 * with another company's key is none of it. Bounded by device and by how many devices.
 */
export type LastWords = {
  readonly since: number
  of(deviceNo: number): readonly RefusedWord[]
}

const WORDS_KEPT = 10
const DEVICES_KEPT = 10_000

/** @param deviceByImei the device that has, or had, this IMEI */
export function createLastWords(options: {
  ingest: Pick<Ingest, 'onRefused'>
  clock: Clock
  deviceByImei: (imei: string) => { no: number; companyId: string } | undefined
}): LastWords {
  const { ingest, clock, deviceByImei } = options
  /** by device number, the one refused longest ago first */
  const words = new Map<number, RefusedWord[]>()
  const since = clock.now()
  ingest.onRefused(({ imei, companyId, reason, detail }) => {
    const device = imei === null ? undefined : deviceByImei(imei)
    if (device === undefined || (companyId !== null && companyId !== device.companyId)) return
    const { no } = device
    const before = words.get(no) ?? []
    const last = before.at(-1)
    const isSame = last?.reason === reason
    const word = { at: clock.now(), reason, detail: detail.slice(0, 200), times: isSame ? last.times + 1 : 1 }
    words.delete(no)
    words.set(no, [...(isSame ? before.slice(0, -1) : before), word].slice(-WORDS_KEPT))
    const [oldest] = words.keys()
    if (words.size > DEVICES_KEPT && oldest !== undefined) words.delete(oldest)
  })
  return { since, of: (no) => words.get(no) ?? [] }
}
