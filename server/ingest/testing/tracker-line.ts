import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'
import { createIngest } from '../pipeline.ts'
import { createTrackerGateway, type GatewayOptions } from '../trackers/gateway.ts'
import { telemetryDouble } from './telemetry-double.ts'

export type GatewayDouble = Omit<GatewayOptions, 'ingest' | 'clock' | 'deviceByImei'> & {
  /** the server's time, epoch ms */
  now: number
  /** whether the store holds what it is given until it is released */
  holds?: boolean
  imeiOf: (no: number) => string
  deviceNo: (imei: string) => number | undefined
  /** company of a device (indus) */
  companyOf?: (no: number) => string
  isRetired?: (no: number) => boolean
  /** readings that may wait for the store */
  capacity?: number
  /** readings a device has a day */
  mostADay?: number
  /** asked for each frame */
  utcOffset?: () => number
}

/** A gateway that listens, over a store in memory; closed when the test ends. */
export async function openGateway({
  now,
  imeiOf,
  deviceNo,
  companyOf = () => 'indus',
  isRetired = () => false,
  utcOffset = () => 0,
  capacity,
  mostADay,
  ...options
}: GatewayDouble) {
  const double = telemetryDouble(options)
  const clock = { now: () => now }
  const ingest = createIngest({
    store: double.store,
    clock,
    device: (no) => ({ imei: imeiOf(no), companyId: companyOf(no), retired: isRetired(no) ? now : null }),
    newestAt: () => 0,
    batchMs: 0,
    ...(capacity !== undefined && { capacity }),
    ...(mostADay !== undefined && { mostADay }),
  })
  const deviceByImei = (imei: string) => {
    const no = deviceNo(imei)
    return no === undefined ? undefined : { no, companyId: companyOf(no), utcOffset: utcOffset() }
  }
  const senderRefusal = (imei: string) => (isRetired(deviceNo(imei) ?? -1) ? 'device is retired' : undefined)
  const gateway = createTrackerGateway({ ingest, clock, deviceByImei, senderRefusal, ...options })
  const port = await gateway.listen(0, '127.0.0.1')
  onTestFinished(async () => {
    double.release()
    await gateway.close()
    await ingest.stop()
  })
  return { double, gateway, ingest, call: () => calling(port) }
}

/** A tracker's end of a connection. */
async function calling(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  const heard: number[] = []
  let isClosed = false
  socket.setNoDelay(true)
  socket.on('data', (chunk) => heard.push(...chunk))
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    heard,
    isClosed: () => isClosed,
    send: (...parts: Uint8Array[]) => void socket.write(Buffer.concat(parts)),
    hears: (...bytes: number[]) => vi.waitFor(() => expect(heard).toEqual(bytes), { interval: 2 }),
    closes: () => vi.waitFor(() => expect(isClosed).toBe(true), { interval: 2 }),
    vanish: () => socket.resetAndDestroy(),
  }
}
