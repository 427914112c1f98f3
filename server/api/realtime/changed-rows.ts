import type { LiveFrame } from '#machines/contracts/live-frame.ts'
import type { Latest } from '#machines/projections/latest.ts'

/** Picks out of the newest readings what changed after a position in the log, as the columns of a live frame. */
export type ChangedRows = {
  /** takes note of rows that may have moved; call with every step's changed device numbers */
  note(changed: Uint32Array): void
  /**
   * The rows of `devices` (ascending) that changed after `prevSeq`. Its arrays are views that the next call writes over.
   * @param baseAt epoch ms that times are relative to: one near to most of them makes small frames
   */
  since(
    prevSeq: number,
    devices: Uint32Array,
    head: { seq: number; resumed: boolean; baseAt: number },
  ): LiveFrame
}

/**
 * Remembers the last published place of each device, so that a row that only warmed up does not carry its position again.
 * What was there at the start counts as moved when it last changed.
 */
export function followChangedRows(latest: Latest): ChangedRows {
  let known = columns(Math.max(1024, latest.size))
  for (let no = 0; no < latest.size; no++) remember(no)
  let room = scratch(1024)

  function remember(no: number): void {
    const { lat, lng, speed, heading } = latest.readings
    known.lat[no] = lat[no] as number
    known.lng[no] = lng[no] as number
    known.speed[no] = speed[no] as number
    known.heading[no] = heading[no] as number
    known.movedSeq[no] = latest.seq[no] as number
  }

  return {
    note(changed) {
      if (latest.size > known.lat.length) {
        const larger = columns(Math.max(latest.size, known.lat.length * 2))
        for (const name of ['lat', 'lng', 'speed', 'heading', 'movedSeq'] as const)
          larger[name].set(known[name])
        known = larger
      }
      const { lat, lng, speed, heading } = latest.readings
      for (const no of changed)
        if (
          known.lat[no] !== lat[no] ||
          known.lng[no] !== lng[no] ||
          known.speed[no] !== speed[no] ||
          known.heading[no] !== heading[no]
        )
          remember(no)
    },

    since(prevSeq, devices, { seq, resumed, baseAt }) {
      if (devices.length > room.device.length)
        room = scratch(Math.max(devices.length, room.device.length * 2))
      const { readings, state, seq: rowSeq } = latest
      let n = 0
      let moved = 0
      for (let i = 0; i < devices.length; i++) {
        const no = devices[i] as number
        if ((rowSeq[no] as number) <= prevSeq) continue
        room.device[n] = no
        room.at[n] = readings.at[no] as number
        room.temperature[n] = readings.temperature[no] as number
        room.humidity[n] = readings.humidity[no] as number
        room.state[n] = state[no] as number
        if ((known.movedSeq[no] as number) > prevSeq) {
          room.movedRow[moved] = n
          room.lat[moved] = readings.lat[no] as number
          room.lng[moved] = readings.lng[no] as number
          room.speed[moved] = readings.speed[no] as number
          room.heading[moved] = readings.heading[no] as number
          moved++
        }
        n++
      }
      return {
        prevSeq,
        seq,
        resumed,
        baseAt,
        device: room.device.subarray(0, n),
        at: room.at.subarray(0, n),
        temperature: room.temperature.subarray(0, n),
        humidity: room.humidity.subarray(0, n),
        state: room.state.subarray(0, n),
        movedRow: room.movedRow.subarray(0, moved),
        lat: room.lat.subarray(0, moved),
        lng: room.lng.subarray(0, moved),
        speed: room.speed.subarray(0, moved),
        heading: room.heading.subarray(0, moved),
      }
    },
  }
}

const columns = (size: number) => ({
  lat: new Int32Array(size),
  lng: new Int32Array(size),
  speed: new Uint16Array(size),
  heading: new Uint16Array(size),
  movedSeq: new Float64Array(size),
})

const scratch = (size: number) => ({
  device: new Uint32Array(size),
  at: new Float64Array(size),
  temperature: new Int16Array(size),
  humidity: new Uint16Array(size),
  state: new Uint8Array(size),
  movedRow: new Uint32Array(size),
  lat: new Int32Array(size),
  lng: new Int32Array(size),
  speed: new Uint16Array(size),
  heading: new Uint16Array(size),
})
