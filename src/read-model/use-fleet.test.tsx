import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import type { FleetCounts } from './counts.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { frameOf, plainDevice, snapshotOf } from './testing/make-fleet.ts'
import { FleetContext, useFleet } from './use-fleet.ts'

let unmount = () => {}
afterEach(() => unmount())

const countsOf = (fleet: Fleet): FleetCounts => fleet.counts
const totalAndOffline = ({ counts }: Fleet) => [counts.total, counts.offline]
const isSame = (a: number[], b: number[]) => a.join() === b.join()

function Counts({ onRender }: { onRender: () => void }) {
  onRender()
  return <p>{useFleet(countsOf).online} online</p>
}

function Numbers({ onRender }: { onRender: () => void }) {
  onRender()
  return <p>{useFleet(totalAndOffline, isSame).join(' of ')}</p>
}

/** A page that shows counts twice, a fleet behind it, and the screen's next frame in the test's hands. */
function open() {
  const due: (() => void)[] = []
  const fleet = createFleet((draw) => due.push(draw))
  const renders = { counts: 0, numbers: 0 }
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  flushSync(() =>
    root.render(
      <FleetContext value={fleet}>
        <Counts onRender={() => renders.counts++} />
        <Numbers onRender={() => renders.numbers++} />
      </FleetContext>,
    ),
  )
  unmount = () => {
    root.unmount()
    place.remove()
  }
  const nextFrame = () =>
    flushSync(() => {
      for (const draw of due.splice(0)) draw()
    })
  return { fleet, renders, nextFrame, text: () => place.textContent }
}

test('a component follows what it selected, once a frame of the screen, and nothing else', () => {
  const { fleet, renders, nextFrame, text } = open()
  fleet.load(snapshotOf(10, [plainDevice(0), plainDevice(1)]))
  nextFrame()
  expect(text()).toBe('2 online2 of 0')
  const before = { ...renders }
  for (let seq = 10; seq < 20; seq++)
    fleet.merge(frameOf(seq, seq + 1, [plainDevice(0, { at: 2000 + seq, temperature: seq })]), 0)
  nextFrame()
  expect(renders).toEqual(before)
  fleet.merge(frameOf(20, 21, [plainDevice(0, { at: 3000, state: 1 })]), 0)
  fleet.merge(frameOf(21, 22, [plainDevice(1, { at: 3000, state: 1 })]), 0)
  nextFrame()
  expect(text()).toBe('0 online2 of 2')
  expect(renders).toEqual({ counts: before.counts + 1, numbers: before.numbers + 1 })
})
