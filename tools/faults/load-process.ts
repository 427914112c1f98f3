import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { array, type Infer, instance, literal, number, object, type Struct, string, union } from 'superstruct'
import { decode } from '#machines/contracts/decode.ts'

/** When each thing began, epoch ms, and how long it took, ms: two numbers a thing. */
const Spans = instance(Float64Array)

/** What the processes that make load are told later, ... */
export const Order = union([
  /** from when on (epoch ms) devices get too warm now and then */
  object({ order: literal('alarms'), from: number() }),
  /** people who hurried do so no more */
  object({ order: literal('calm') }),
  object({ order: literal('stop') }),
])
export type Order = Infer<typeof Order>

/** ... and what they answer. Times in ms. */
export const Ready = object({ is: literal('ready') })
export const DevicesDone = object({
  is: literal('done'),
  /** rounds each gateway handed over, all of them acknowledged but for those `unanswered` */
  rounds: array(number()),
  unanswered: number(),
  /** answers 503, after which the same is sent again */
  refused: number(),
  wrong: array(string()),
  acknowledged: Spans,
  /** how much later than it should a batch was sent, because the sender itself was late */
  late: Spans,
})
export const PortalsDone = object({
  is: literal('done'),
  alarms: Spans,
  /** alarms told to each portal that sees everything */
  received: array(number()),
  twice: number(),
  gaps: number(),
  clicks: Spans,
  wrong: array(string()),
  rows: number(),
})
export const DevicesWork = object({ address: string(), devices: number(), begin: number() })
/** Devices from `first` on come back one after the other within `lasts` ms from `begin` on. */
export const RegionWork = object({
  address: string(),
  devices: number(),
  first: number(),
  begin: number(),
  lasts: number(),
})
/** `lastAt`: when all of it was acknowledged, epoch ms. */
export const RegionDone = object({
  is: literal('done'),
  acknowledged: Spans,
  refused: number(),
  wrong: array(string()),
  lastAt: number(),
})
export const PortalsWork = object({
  address: string(),
  seed: number(),
  portals: number(),
  people: number(),
  users: array(object({ token: string(), groupId: string() })),
  /** IMEIs somebody may click on, by group */
  imeis: array(object({ groupId: string(), imeis: array(string()) })),
})

/** A process that makes load, so that its work is not done on the thread that measures. */
export type LoadProcess = {
  send(order: Order): void
  /** the next answer; rejects when it ends without one */
  answer<T, S>(struct: Struct<T, S>): Promise<T>
  kill(): void
}

/** @param program file in this folder */
export function startLoad(program: string, work: object): LoadProcess {
  const child: ChildProcess = fork(join(import.meta.dirname, program), [], { serialization: 'advanced' })
  const takeAlong = () => child.kill('SIGKILL')
  process.once('exit', takeAlong)
  child.once('exit', () => process.off('exit', takeAlong))
  child.send(work)
  return {
    send: (order) => void child.send(order),
    async answer(struct) {
      const waiting = new AbortController()
      // not its end, which may be heard of before what it said last
      const gone = once(child, 'disconnect', { signal: waiting.signal }).then(() => {
        throw new Error(`${program} ended without a word`)
      })
      gone.catch(() => {})
      try {
        const [message] = await Promise.race([once(child, 'message', { signal: waiting.signal }), gone])
        return decode(message, struct, program)
      } finally {
        waiting.abort()
      }
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

/** In such a process: what it is to do, and later orders. */
export async function taskOf<T, S>(struct: Struct<T, S>, onOrder: (order: Order) => void): Promise<T> {
  // whoever started it is gone: nobody wants this load
  process.once('disconnect', () => process.exit())
  const [work] = await once(process, 'message')
  process.on('message', (message) => onOrder(decode(message, Order, 'order')))
  return decode(work, struct, 'work')
}

/** Says something to whoever started this process; resolves when all of it is on its way. */
export function say(answer: object): Promise<void> {
  return new Promise((resolve, reject) =>
    process.send?.(answer, undefined, undefined, (error) => (error ? reject(error) : resolve())),
  )
}

/** Nothing more is to be said or heard. */
export function leave(): void {
  process.removeAllListeners('disconnect')
  process.disconnect()
}
