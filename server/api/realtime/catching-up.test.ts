import { io, type Socket } from 'socket.io-client'
import { afterEach, expect, test } from 'vitest'
import { decode } from '#machines/contracts/decode.ts'
import { MOST_CATCHING_UP, SERVER_EVENTS, type ServerEvents } from '#machines/contracts/sockets.ts'
import { applyCatchingUp, catchingUpFrom } from '#machines/projections/catching-up.ts'
import { emptyLatest } from '#machines/projections/latest.ts'
import { columnsOf } from '../../evaluation/testing/small-fleet.ts'
import { followCatchingUp } from './catching-up.ts'
import type { Scope } from './scopes.ts'
import { openTestServer, START, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000

let server: TestServer
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect()
  await server.close()
})

/** Somebody who hears how far devices have come, and what they know by it. */
async function listen(token: string) {
  const socket = io(`http://127.0.0.1:${server.port}/notifications`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { token },
  })
  sockets.push(socket)
  const known = new Map<number, string>()
  let heard = () => {}
  const isIn = new Promise<void>((resolve) => socket.once('facts', () => resolve()))
  let messages = 0
  socket.on('catchingUp', (message: unknown) => {
    const { isWhole, devices }: ServerEvents['catchingUp'] = decode(
      message,
      SERVER_EVENTS.catchingUp,
      'catchingUp',
    )
    messages++
    if (isWhole) known.clear()
    for (const [no, came, of] of devices)
      if (of === 0) known.delete(no)
      else known.set(no, `${came} of ${of}`)
    heard()
  })
  await isIn
  return {
    known,
    messages: () => messages,
    async until(condition: () => boolean) {
      while (!condition())
        await new Promise<void>((resolve) => {
          heard = resolve
        })
    },
  }
}

const reading = (device: number, minute: number) => ({ device, at: START + minute * MINUTE })

/** Devices 0 (punjab) and 3 (karakoram) were silent for an hour and send the newest readings of it. */
function comeBack(): void {
  for (const device of [0, 3]) server.receive(START, reading(device, 0))
  server.receive(START + 60 * MINUTE, reading(0, 60), reading(3, 60))
  const newestFirst = [55, 50, 45, 40].flatMap((minute) => [reading(0, minute), reading(3, minute)])
  server.receive(START + 61 * MINUTE, ...newestFirst)
}

test('who sees a device is told how far it has come, and when it is over; nobody else', async () => {
  server = await openTestServer(4, { notificationLimits: { turn: 5, progress: 5 } })
  const hers = await listen('ayesha@indus')
  const his = await listen('bilal@karakoram')
  comeBack()
  await hers.until(() => hers.known.size > 0)
  await his.until(() => his.known.size > 0)
  expect([...hers.known]).toEqual([[0, '20 of 60']])
  expect([...his.known]).toEqual([[3, '20 of 60']])
  const theirs = his.messages()

  server.receive(START + 61 * MINUTE, reading(0, 35), reading(0, 30))
  await hers.until(() => hers.known.get(0) === '30 of 60')
  const late = await listen('chand@punjab')
  await late.until(() => late.known.size > 0)
  expect([...late.known]).toEqual([[0, '30 of 60']])
  expect(his.messages()).toBe(theirs)

  server.receive(START + 61 * MINUTE, ...[25, 20, 15, 10, 5].map((minute) => reading(0, minute)))
  await hers.until(() => hers.known.size === 0)
  server.clock.time = START + 64 * MINUTE
  await his.until(() => his.known.size === 0)
})

test('where no device is catching up nothing is said, not even to who comes', async () => {
  server = await openTestServer(4, { notificationLimits: { turn: 5, progress: 5, idle: 20 } })
  const hers = await listen('ayesha@indus')
  for (let minute = 0; minute < 30; minute++) server.receive(START + minute * MINUTE, reading(0, minute))
  comeBack()
  await hers.until(() => hers.known.size > 0)
  expect(hers.messages()).toBe(1)
})

test('of many thousands it is said in parts that each fit a message, the first of which begins anew', () => {
  const many = 2 * MOST_CATCHING_UP + 1
  const catchingUp = catchingUpFrom(emptyLatest(many))
  const receive = (minute: number, ...measured: number[]) => {
    const rows = Array.from({ length: many }, (_, no) => measured.map((at) => reading(no, at))).flat()
    applyCatchingUp(catchingUp, () => 5 * MINUTE, columnsOf(rows), START + minute * MINUTE)
  }
  receive(0, 0)
  receive(61, 61)
  receive(62, ...Array.from({ length: 38 }, (_, i) => 60 - i))
  const clock = { time: START + 62 * MINUTE, now: () => clock.time }
  const rows = followCatchingUp({ catchingUp }, clock)
  // all but the first device
  const scope = { devices: Uint32Array.from({ length: many - 1 }, (_, i) => i + 1) } as Scope
  expect(rows.look()).toBe(true)
  const heard = (messages: ServerEvents['catchingUp'][]) => {
    const known = new Map<number, string>()
    for (const message of messages) {
      const { isWhole, devices } = decode(message, SERVER_EVENTS.catchingUp, 'catchingUp')
      if (isWhole) known.clear()
      for (const [no, came, of] of devices) known.set(no, `${came} of ${of}`)
    }
    return known
  }
  for (const messages of [rows.whole(scope), rows.changed(scope)]) {
    const known = heard(messages)
    expect(known.size).toBe(many - 1)
    expect(new Set(known.values())).toEqual(new Set(['38 of 61']))
    expect(messages).toHaveLength(2)
  }
  expect(rows.look()).toBe(false)
  clock.time += 2 * MINUTE
  expect(rows.look()).toBe(true)
  expect(new Set(heard(rows.changed(scope)).values())).toEqual(new Set(['0 of 0']))
})
