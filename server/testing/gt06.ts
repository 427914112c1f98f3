import { writeFrame } from '../ingest/trackers/gt06/frames.ts'

/** A login as GT06 trackers send it: IMEI, kind of terminal, language. */
export const login = (imei: string, serial: number): Uint8Array =>
  writeFrame({
    type: 0x01,
    content: Buffer.concat([Buffer.from(`0${imei}`, 'hex'), Buffer.of(0x70, 0x00, 0x00, 0x02)]),
    serial,
  })

/** A location as GT06 trackers send it, with ignition on. `at`: whole seconds, epoch ms, on the tracker's clock */
export function location(
  at: number,
  { lat, lng, speed }: { lat: number; lng: number; speed: number },
  serial: number,
): Uint8Array {
  const date = new Date(at)
  const content = Buffer.alloc(29)
  content.set([
    date.getUTCFullYear() - 2000,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    0xc9,
  ])
  content.writeUInt32BE(Math.round(Math.abs(lat) * 1_800_000), 7)
  content.writeUInt32BE(Math.round(Math.abs(lng) * 1_800_000), 11)
  content.writeUInt8(speed, 15)
  const hasFix = 0x1000
  content.writeUInt16BE(hasFix | (lng < 0 ? 0x0800 : 0) | (lat >= 0 ? 0x0400 : 0), 16)
  const ignition = 26
  content.writeUInt8(1, ignition)
  return writeFrame({ type: 0x22, content, serial })
}
