import { once } from 'node:events'
import { connect } from 'node:net'
import { crc16 } from '../ingest/trackers/teltonika/codec.ts'

const ACCEPTED = 1

/** One frame of codec 8 with a record for each time: where it is, and no more. */
function frameOf(times: readonly number[]): Buffer {
  const records = times.map((at) => {
    const record = Buffer.alloc(30)
    record.writeBigUInt64BE(BigInt(at))
    record.writeInt32BE(743_500_000, 9)
    record.writeInt32BE(315_500_000, 13)
    record.writeUInt8(9, 21)
    return record
  })
  const data = Buffer.concat([Buffer.of(8, times.length), ...records, Buffer.of(times.length)])
  const frame = Buffer.alloc(data.length + 12)
  frame.writeUInt32BE(data.length, 4)
  data.copy(frame, 8)
  frame.writeUInt32BE(crc16(data), data.length + 8)
  return frame
}

/**
 * A tracker that says who it is and sends a frame for each array of times, one after the other's acknowledgement.
 * @throws Error when it is not let in, or the line is cut
 */
export async function* sendFrames(
  port: number,
  imei: string,
  frames: Iterable<number[]>,
): AsyncGenerator<number[]> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    const bytes = socket.iterator()[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    let heard = Buffer.alloc(0)
    const take = async (length: number): Promise<Buffer> => {
      while (heard.length < length) {
        const { value, done } = await bytes.next()
        if (done) throw new Error('the line is cut')
        heard = Buffer.concat([heard, value])
      }
      const taken = heard.subarray(0, length)
      heard = heard.subarray(length)
      return taken
    }
    socket.write(Buffer.concat([Buffer.of(0, imei.length), Buffer.from(imei, 'ascii')]))
    if ((await take(1))[0] !== ACCEPTED) throw new Error(`${imei} is not let in`)
    for (const times of frames) {
      socket.write(frameOf(times))
      if ((await take(4)).readUInt32BE() === times.length) yield times
    }
  } finally {
    socket.destroy()
  }
}
