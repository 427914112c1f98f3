import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useMemo, useState } from 'react'
import { type EventObject, fromCallback, fromPromise } from 'xstate'
import { decodeJson } from '#machines/contracts/decode.ts'
import { Recording } from '#machines/contracts/recording.ts'
import {
  type Opened,
  type Playback,
  type PlayerEvent,
  recordingPlayerMachine,
} from '#machines/recording-player/recording-player.machine.ts'
import { inspect } from './inspection.ts'
import { checked } from './recording/check.ts'
import { MACHINES } from './recording/machines.ts'
import { createWalker, type Scene } from './recording/walker.ts'
import { createStore, type Store, useStore } from './store.ts'

/** How far a recording has been played on the machines as they are now, and the steps that differ, by their index. */
export type Checks = { done: number; differences: ReadonlyMap<number, string> }

export type OpenedRecording = {
  recording: Recording
  /** what is so after a number of steps */
  sceneAt(taken: number): Scene
  checks: Store<Checks>
}

/** Real milliseconds of checking at a time: the page is not held up. */
const SLICE = 8

/** A player of recordings for a page. */
export function useRecordingPlayer() {
  const [opened] = useState(() => createStore<OpenedRecording | undefined>(undefined))
  const machine = useMemo(
    () =>
      recordingPlayerMachine.provide({
        actors: {
          open: fromPromise<Opened, { file: unknown }>(async ({ input: { file }, signal }) => {
            const made = await openRecording(file as Blob)
            if (!signal.aborted) opened.set(made)
            return { steps: made.recording.steps.length }
          }),
          playback: fromCallback<EventObject, Playback>(({ input, sendBack }) =>
            play(opened.get()?.recording.steps ?? [], input, (to) =>
              sendBack({ type: 'played', to } satisfies PlayerEvent),
            ),
          ),
        },
      }),
    [opened],
  )
  const actor = useActorRef(machine, { inspect })
  const snapshot = useSelector(actor, (state) => state)
  const there = useStore(opened)
  useEffect(() => there && checkInBackground(there), [there])
  return { snapshot, send: actor.send, opened: there }
}

/** @throws ContractError, RangeError saying what is wrong and where */
async function openRecording(file: Blob): Promise<OpenedRecording> {
  const recording = decodeJson(await file.text(), Recording, 'recording')
  return {
    recording,
    sceneAt: createWalker(recording),
    checks: createStore<Checks>({ done: 0, differences: new Map() }),
  }
}

/** Answers how to leave off. */
function checkInBackground({ recording, checks }: OpenedRecording): () => void {
  const steps = checked(recording, MACHINES)
  const differences = new Map<number, string>()
  let done = 0
  let timer = setTimeout(goOn)
  const notify = () => checks.set({ done, differences: new Map(differences) })
  function goOn(): void {
    const until = performance.now() + SLICE
    while (performance.now() < until) {
      const { value, done: isOver } = steps.next()
      if (isOver) {
        notify()
        return
      }
      if (value !== undefined) differences.set(done, value)
      done++
    }
    notify()
    timer = setTimeout(goOn)
  }
  return () => clearTimeout(timer)
}

/** Reports, as time goes by, how many steps have been taken by then; answers how to stop. */
function play(
  steps: Recording['steps'],
  { from, speed }: Playback,
  notify: (to: number) => void,
): () => void {
  const begun = performance.now()
  const first = steps[from === 0 ? 0 : from - 1]?.t ?? 0
  let taken = from
  // Nothing is in it: that is played at once.
  if (steps.length === 0) queueMicrotask(() => notify(0))
  let frame = requestAnimationFrame(goOn)
  function goOn(): void {
    const t = first + (performance.now() - begun) * speed
    let to = taken
    while (to < steps.length && (steps[to]?.t ?? 0) <= t) to++
    if (to !== taken) notify(to)
    taken = to
    if (taken < steps.length) frame = requestAnimationFrame(goOn)
  }
  return () => cancelAnimationFrame(frame)
}
