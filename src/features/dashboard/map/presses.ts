/** What presses on the map mean. */
export type Presses = {
  onLand(): void
  onDevice(imei: string): void
  onOther(): void
  /** answers whether a device was opened */
  onDouble(): boolean
}

export type PressDeps = {
  select(imei: string): void
  open(imei: string): void
  letGo(): void
  /** ms that never step */
  now(): number
}

/** The second press of a double press comes within this, ms; by then the map may be flying and the device elsewhere. */
export const DOUBLE_MS = 400

/** A press on the land lets go, unless it was the first of two: those only come nearer. */
export function createPresses({ select, open, letGo, now }: PressDeps): Presses {
  let waiting: ReturnType<typeof setTimeout> | undefined
  let last: { imei: string; at: number } | undefined
  return {
    onLand() {
      clearTimeout(waiting)
      waiting = setTimeout(letGo, DOUBLE_MS)
    },
    onDevice(imei) {
      clearTimeout(waiting)
      const isSecond = last !== undefined && now() - last.at < DOUBLE_MS
      if (!isSecond) last = { imei, at: now() }
      select(imei)
    },
    onOther: () => clearTimeout(waiting),
    onDouble() {
      clearTimeout(waiting)
      if (last === undefined || now() - last.at > DOUBLE_MS) return false
      open(last.imei)
      return true
    },
  }
}
