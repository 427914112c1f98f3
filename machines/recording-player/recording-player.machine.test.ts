import { expect, test } from 'vitest'
import { createActor, fromCallback, fromPromise, waitFor } from 'xstate'
import { type Playback, recordingPlayerMachine } from './recording-player.machine.ts'

/** A player of a recording of three steps; `wrong.json` is none. Playing does what the test says. */
function player() {
  const played: Playback[] = []
  let emit = (_to: number) => {}
  const actor = createActor(
    recordingPlayerMachine.provide({
      actors: {
        open: fromPromise(async ({ input: { file } }: { input: { file: unknown } }) => {
          if (file === 'wrong') throw new Error('recording: at version: expected the literal `1`')
          return { steps: 3 }
        }),
        playback: fromCallback(
          ({
            input,
            sendBack,
          }: {
            input: Playback
            sendBack: (event: { type: 'played'; to: number }) => void
          }) => {
            played.push(input)
            emit = (to) => sendBack({ type: 'played', to })
          },
        ),
      },
    }),
  ).start()
  const where = () => [actor.getSnapshot().value, actor.getSnapshot().context.at]
  return {
    actor,
    played,
    where,
    emit: (to: number) => emit(to),
    async open(file = 'right') {
      actor.send({ type: 'file.chosen', name: `${file}.json`, file })
      await waitFor(actor, (state) => !state.matches('opening'))
    },
  }
}

const PAUSED = { open: 'paused' }
const PLAYING = { open: 'playing' }

test('opens at the start, and goes step by step without leaving the recording', async () => {
  const { actor, where, open } = player()
  await open()
  expect(where()).toEqual([PAUSED, 0])
  actor.send({ type: 'step.back' })
  expect(where()).toEqual([PAUSED, 0])
  for (let i = 0; i < 5; i++) actor.send({ type: 'step.forward' })
  expect(where()).toEqual([PAUSED, 3])
  actor.send({ type: 'jump', to: -7 })
  expect(where()).toEqual([PAUSED, 0])
  actor.send({ type: 'jump', to: 99 })
  expect(where()).toEqual([PAUSED, 3])
})

test('plays from where it is to the end and no further, and from the start when it is there', async () => {
  const { actor, played, where, emit, open } = player()
  await open()
  actor.send({ type: 'step.forward' })
  actor.send({ type: 'play' })
  emit(2)
  expect(where()).toEqual([PLAYING, 2])
  actor.send({ type: 'speed', speed: 10 })
  emit(5)
  expect(where()).toEqual([PAUSED, 3])
  actor.send({ type: 'play' })
  expect(where()).toEqual([PLAYING, 0])
  actor.send({ type: 'step.forward' })
  expect(where()).toEqual([PAUSED, 1])
  expect(played).toEqual([
    { from: 1, speed: 1 },
    { from: 2, speed: 10 },
    { from: 0, speed: 10 },
  ])
})

test('says why a file is none, and takes another', async () => {
  const { actor, where, open } = player()
  await open('wrong')
  expect(actor.getSnapshot().context).toMatchObject({
    name: 'wrong.json',
    failure: 'recording: at version: expected the literal `1`',
  })
  await open()
  expect([...where(), actor.getSnapshot().context.failure]).toEqual([PAUSED, 0, null])
})
