import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Bus } from '../store/bus.ts'

/** Bytes of the seal before a message: enough that nobody finds one by trying. */
const SEAL = 16

/**
 * A bus that receives only what was sealed with the same key: others who can write to its servers are not of the cluster.
 * Listening in is not kept from anybody; that is for TLS and the servers' accounts.
 */
export function sealed(bus: Bus, key: Uint8Array): Bus {
  const sealOf = (subject: string, bytes: Uint8Array): Buffer =>
    createHmac('sha256', key).update(`${subject}\n`).update(bytes).digest().subarray(0, SEAL)
  return {
    get most() {
      return bus.most - SEAL
    },
    isUp: bus.isUp,
    publish(subject, bytes) {
      if (bus.isUp() && bytes.length <= bus.most - SEAL)
        bus.publish(subject, Buffer.concat([sealOf(subject, bytes), bytes]))
    },
    subscribe: (subject, listener) =>
      bus.subscribe(subject, (message) => {
        const [seal, bytes] = [message.subarray(0, SEAL), message.subarray(SEAL)]
        if (seal.length === SEAL && timingSafeEqual(seal, sealOf(subject, bytes))) listener(bytes)
      }),
    close: bus.close,
  }
}
