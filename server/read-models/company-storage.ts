import type { Directory } from '#machines/projections/directory.ts'
import type { TelemetryStore } from '../store/store.ts'

/** `isEstimated`: of a sample of the devices. */
export type CompanyStorage = { storedBytes: number; isEstimated: boolean }

/** Devices that are measured: each takes a look at all its chunks. */
const MOST_MEASURED = 16
/** So long an answer is given again, ms on a clock that never jumps. */
const KEPT_MS = 600_000

/**
 * What the readings of a company take: that of all its devices where they are few, else of some of them, evenly among all, and
 * so many times that as there are devices.
 */
export function createCompanyStorage(
  directory: Pick<Directory, 'devices'>,
  telemetry: Pick<TelemetryStore, 'storedBytes'>,
  uptime: () => number = () => performance.now(),
): { of(companyId: string): Promise<CompanyStorage> } {
  const kept = new Map<string, { at: number; devices: number; answer: Promise<CompanyStorage> }>()

  async function measure(devices: readonly number[]): Promise<CompanyStorage> {
    const count = Math.min(devices.length, MOST_MEASURED)
    const measured = Array.from(
      { length: count },
      (_, i) => devices[Math.floor((i * devices.length) / count)] as number,
    )
    const bytes = count === 0 ? 0 : await telemetry.storedBytes(measured)
    const times = count === 0 ? 0 : devices.length / count
    return { storedBytes: Math.round(bytes * times), isEstimated: devices.length > count }
  }

  return {
    of(companyId) {
      const devices = directory.devices.flatMap((one) => (one?.companyId === companyId ? [one.no] : []))
      const at = uptime()
      const known = kept.get(companyId)
      if (known && at - known.at < KEPT_MS && known.devices === devices.length) return known.answer
      const answer = measure(devices)
      kept.set(companyId, { at, devices: devices.length, answer })
      answer.catch(() => kept.delete(companyId))
      return answer
    },
  }
}
