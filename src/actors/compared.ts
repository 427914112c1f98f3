import { useMemo } from 'react'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { loadHistory } from './history-search.ts'
import { useKept } from './use-kept-answer.ts'
import { useRoot } from './use-root.ts'

/** Devices one may be compared with. */
export const MOST_COMPARED = 3

/** Which devices are compared, by imei, and how others are. */
export type Chosen = { imeis: readonly string[]; set: (imeis: readonly string[]) => void }

/** The histories of up to three other devices in the same span; `list` is as they were chosen, with what there is of them. */
export function useCompared(range: Range, { imeis, set }: Chosen) {
  const { http } = useRoot()
  // a span that goes on with each reading is fetched anew each minute
  const span = { from: Math.round(range.from), to: Math.ceil(range.to / MINUTE_MS) * MINUTE_MS }
  const { answer, failure, ask } = useKept<ReadonlyMap<string, DeviceHistory>>({
    key: JSON.stringify([imeis, span]),
    about: imeis.join(' '),
    isWanted: imeis.length > 0,
    request: async ({ signal, isBackground }) => {
      const load = (imei: string) => loadHistory(http, { imei, range: span, isBackground }, signal)
      const histories = await Promise.all(imeis.map(load))
      return new Map(imeis.map((imei, i) => [imei, histories[i] as DeviceHistory]))
    },
  })
  const list = useMemo(() => imeis.map((imei) => ({ imei, history: answer?.get(imei) })), [imeis, answer])
  return {
    list,
    /** in the order of the list */
    histories: useMemo(() => list.map(({ history }) => history), [list]),
    failure,
    retry: ask,
    add: (imei: string) => set([...new Set([...imeis, imei])].slice(0, MOST_COMPARED)),
    remove: (imei: string) => set(imeis.filter((one) => one !== imei)),
  }
}

const MINUTE_MS = 60_000
