import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { decodeJson } from '#machines/contracts/decode.ts'
import { encodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { encodeLiveFrame } from '#machines/contracts/live-frame.ts'
import { Recording } from '#machines/contracts/recording.ts'
import { linkMachine } from '#machines/link/link.machine.ts'
import { passwordFormMachine } from '#machines/password-form/password-form.machine.ts'
import { sessionMachine } from '#machines/session/session.machine.ts'
import type { SignIn, SignInAnswer } from '#machines/session/session.ts'
import { type Look, type Shown, timeMachine } from '#machines/time-machine/time-machine.machine.ts'
import { createWireTap } from '../../effects/wire-tap.ts'
import { frameOf, plainDevice, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { createInspection } from '../inspection.ts'
import { checked } from './check.ts'
import { MACHINES } from './machines.ts'
import { LIMIT, startRecorder } from './recorder.ts'
import { rerunOf } from './rerun.ts'
import { createRing, type RingLimit } from './ring.ts'
import { situationAt } from './situation.ts'

const SECRETS = {
  password: 'Fr0st#line24',
  access: 'aaaa.bbbb.cccc',
  refresh: 'refresh-secret',
  identity: 'identity-1',
}

const answer: SignInAnswer = {
  kind: 'signed-in',
  hasThings: true,
  session: {
    user: { _id: 'u1', name: 'Bilal', userName: 'b', groupId: 'g1', companyId: 'c1', exp: 1_800_000_000 },
    accessToken: SECRETS.access,
    refreshToken: SECRETS.refresh,
    identityId: SECRETS.identity,
    groupInfo: { depthLevel: 1, groupImage: null, name: 'Indus' },
    companyInfo: { groupId: 'g1', companyId: 'c1' },
    isSuperAdminUser: false,
  },
}

/** A portal in small: machines, wires and pages, recorded. */
function portal(limit: RingLimit = LIMIT) {
  const inspection = createInspection()
  inspection.allow(true)
  const wires = createWireTap()
  let now = 0
  let open = (_path: string) => {}
  const signIn = fromPromise<SignInAnswer, SignIn>(async () => answer)
  const session = createActor(sessionMachine.provide({ actors: { signIn } }), {
    input: { remembered: null },
    inspect: inspection.inspect,
  }).start()
  const devices = [plainDevice(1), plainDevice(2, { state: 4 })]
  const recorder = startRecorder(
    {
      inspection,
      wires,
      onRoute: (listener) => {
        open = listener
        return () => {}
      },
      monotonic: () => now++,
      app: { scenario: 'Test', seed: 7, clock: 1_780_000_000_000, speed: 1, timeZone: 'Asia/Karachi' },
      fleet: encodeFleetSnapshot(snapshotOf(10, devices)),
      path: '/login',
    },
    limit,
  )
  return {
    inspection,
    wires,
    session,
    recorder,
    go: (path: string) => open(path),
    frame: (seq: number, temperature: number) =>
      wires.hear({
        wire: 'live',
        way: 'in',
        data: encodeLiveFrame(frameOf(seq - 1, seq, [plainDevice(1, { temperature })])).slice().buffer,
      }),
    async signIn() {
      session.send({ type: 'sign-in.submit', username: 'b@indus.example', password: SECRETS.password })
      await waitFor(session, (state) => state.matches('authenticated'))
    },
    file(): { text: string; recording: Recording } {
      const text = recorder.stop().join('')
      return { text, recording: decodeJson(text, Recording, 'recording') }
    },
  }
}

/** Plays it again; answers what differs, and what could not be understood. */
const differences = (recording: Recording): string[] =>
  [...checked(recording, MACHINES)].filter((line) => line !== undefined)

describe('a session that was recorded', () => {
  test('is told step by step, and goes the same way when it is played again', async () => {
    const { signIn, wires, go, frame, file, session } = portal()
    await signIn()
    go('/')
    wires.hear({ wire: 'live', isOpen: true, reason: '' })
    wires.hear({ wire: 'live', way: 'out', data: { type: 'hello', token: SECRETS.access } })
    frame(11, 900)
    session.send({ type: 'session.ended-by-server', refreshToken: SECRETS.refresh, identityId: 'other' })
    const { recording } = file()
    expect(recording.steps.map((step) => (step.kind === 'event' ? step.event.type : step.kind))).toEqual([
      'sign-in.submit',
      'xstate.done.actor.signIn',
      'route',
      'wire',
      'message',
      'bytes',
      'session.ended-by-server',
    ])
    expect(recording.start.machines).toMatchObject([{ machine: 'session', state: 'idle' }])
    expect(recording.steps[1]).toMatchObject({ state: { authenticated: 'fresh' } })
    // the guard compared two tokens that are not in the file
    expect(recording.steps.at(-1)).toMatchObject({ state: { expired: 'byServer' } })
    expect(differences(recording)).toEqual([])
  })

  test('goes the same way across a look back, which is in it with what was shown and played', async () => {
    const { signIn, frame, go, file, inspection } = portal()
    await signIn()
    const past = createActor(
      timeMachine.provide({
        actors: { load: fromPromise<Shown, Look>(async ({ input }) => ({ shown: input.at })) },
      }),
      { inspect: inspection.inspect },
    ).start()
    const stands = () => waitFor(past, (state) => state.matches({ past: 'standing' }))
    const minute = 60_000
    past.send({ type: 'look.back', at: 10 * minute, now: 20 * minute })
    await stands()
    go('/?asOf=1970-01-01T05:10+05:00')
    // the live feed goes on behind
    frame(11, 900)
    past.send({ type: 'step', by: -minute, now: 20 * minute })
    await stands()
    past.send({ type: 'play' })
    past.send({ type: 'played', to: 10 * minute, shown: 10 * minute })
    past.send({ type: 'view.choose', view: 'now' })
    await stands()
    past.send({ type: 'leave' })
    frame(12, 950)
    const { recording } = file()
    expect(differences(recording)).toEqual([])
    const ofPast = recording.steps.flatMap((step) =>
      step.kind === 'event' && step.machine === 'time-machine' ? [step.event.type] : [],
    )
    expect(ofPast).toEqual([
      'xstate.init',
      'look.back',
      'xstate.done.actor.load',
      'step',
      'xstate.done.actor.load',
      'play',
      'played',
      'view.choose',
      'xstate.done.actor.load',
      'leave',
    ])
    const other = structuredClone(recording)
    const played = other.steps.find((step) => step.kind === 'event' && step.event.type === 'played')
    if (played?.kind === 'event') played.state = { past: 'standing' }
    expect(differences(other)).not.toEqual([])
  })

  test('holds no secret', async () => {
    const { signIn, wires, go, file, inspection } = portal()
    const form = createActor(passwordFormMachine, {
      input: { needsCode: true },
      inspect: inspection.inspect,
    }).start()
    go(`/user/activate/${SECRETS.refresh}`)
    form.send({ type: 'field.changed', field: 'code', value: 'code-4711' })
    wires.hear({
      wire: 'notifications',
      way: 'in',
      name: 'note',
      data: { line: `it is ${SECRETS.password}` },
    })
    await signIn()
    wires.hear({ wire: 'live', isOpen: false, reason: `4401 ${SECRETS.access}` })
    const { text, recording } = file()
    for (const secret of [...Object.values(SECRETS), 'code-4711']) expect(text).not.toContain(secret)
    expect(differences(recording)).toEqual([])
  })

  test('differs where a machine ends elsewhere than it did, and where a frame is not understood', async () => {
    const { signIn, frame, file } = portal()
    await signIn()
    frame(11, 900)
    const { recording } = file()
    const other = structuredClone(recording)
    for (const step of other.steps) {
      if (step.kind === 'event' && step.event.type === 'sign-in.submit') step.state = 'suspended'
      if (step.kind === 'bytes') step.data = `AAAA${step.data.slice(4)}`
    }
    const [submit, done] = other.steps
    const rerun = rerunOf(other.start, MACHINES)
    expect(submit?.kind === 'event' && rerun.send(submit)).toBe('It was suspended then, and is loading now.')
    // It goes on from where it was then.
    expect(done?.kind === 'event' && rerun.send(done)).toContain('is suspended now')
    const situation = situationAt(other.start)
    expect(other.steps.flatMap((step) => situation.take(step) ?? [])).toEqual([
      'live frame: kind 0 is not known',
    ])
  })

  test('that no longer fitted begins later, with all as it was then', () => {
    const { frame, go, file, inspection, session } = portal({ steps: 5, bytes: 1e6 })
    const link = createActor(linkMachine, { input: { at: 5 }, inspect: inspection.inspect }).start()
    for (let i = 1; i <= 6; i++) {
      frame(10 + i, 500 + i)
      link.send(i % 2 === 1 ? { type: 'opened' } : { type: 'closed', code: 1006, reason: 'cut', at: 7 + i })
    }
    session.send({ type: 'reset.resumed', token: 'reset-secret' })
    go('/groups')
    const { recording } = file()
    expect([recording.dropped, recording.steps.length]).toEqual([10, 5])
    expect(recording.start.machines.map(({ machine, state }) => [machine, state])).toEqual([
      ['session', 'idle'],
      ['link', 'backingOff'],
    ])
    const { fleet } = situationAt(recording.start)
    expect([fleet.seq, fleet.columns.temperature[fleet.rowOf(1)], fleet.counts.trouble]).toEqual([15, 505, 1])
    expect(differences(recording)).toEqual([])
  })
})

describe('what is kept of it', () => {
  test('is the newest, never more than fits, and all that made room is told in order', () => {
    fc.assert(
      fc.property(
        fc.record({ steps: fc.integer({ min: 1, max: 9 }), bytes: fc.integer({ min: 1, max: 40 }) }),
        fc.array(fc.string({ maxLength: 12 }), { maxLength: 60 }),
        (limit, texts) => {
          const out: string[] = []
          const ring = createRing(limit, (text) => out.push(text))
          for (const text of texts) {
            ring.push(text)
            expect(ring.size).toBeLessThanOrEqual(limit.steps)
            expect(ring.bytes).toBeLessThanOrEqual(limit.bytes)
          }
          expect([...out, ...ring.all()]).toEqual(texts)
          expect([ring.dropped, ring.size]).toEqual([out.length, texts.length - out.length])
        },
      ),
    )
  })
})
