/** A frame as GT06 trackers send it: 78 78, length, message and its content, serial, CRC-16/X-25, 0D 0A. */
function frameOf(type: number, content: Uint8Array, serial: number): Buffer {
  const checked = Buffer.from([content.length + 5, type, ...content, serial >> 8, serial & 0xff])
  const checksum = Buffer.alloc(2)
  checksum.writeUInt16BE(crcX25(checked))
  return Buffer.concat([Buffer.of(0x78, 0x78), checked, checksum, Buffer.of(0x0d, 0x0a)])
}

function crcX25(bytes: Uint8Array): number {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1
  }
  return ~crc & 0xffff
}

export const login = (imei: string): Buffer => frameOf(0x01, Buffer.from(`0${imei}`, 'hex'), 1)

/** Where it is in the north-east, at `at`, whole seconds of epoch ms. */
export function location(at: number, { lat, lng }: { lat: number; lng: number }): Buffer {
  const time = new Date(at)
  const content = Buffer.alloc(29)
  content.set([
    time.getUTCFullYear() - 2000,
    time.getUTCMonth() + 1,
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
    time.getUTCSeconds(),
    0xc9,
  ])
  content.writeUInt32BE(Math.round(lat * 1_800_000), 7)
  content.writeUInt32BE(Math.round(lng * 1_800_000), 11)
  content.writeUInt16BE(0x1400, 16)
  return frameOf(0x22, content, 2)
}
