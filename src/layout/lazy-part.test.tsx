import { Component, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { lazyPart } from './lazy-part.ts'

class Boundary extends Component<{ children: ReactNode }> {
  override state: { error?: Error } = {}
  static getDerivedStateFromError = (error: Error) => ({ error })
  override render = () => (this.state.error ? `failed: ${this.state.error.message}` : this.props.children)
}

const room = document.createElement('div')
let root: Root
afterEach(() => root.unmount())
function show(what: ReactNode): void {
  root = createRoot(room, { onCaughtError: () => {} })
  flushSync(() => root.render(<Boundary>{what}</Boundary>))
}

const Greeting = ({ who }: { who: string }) => `Hello ${who}`
const arrives = async () => ({ default: Greeting })
const never = () => Promise.reject(new Error('Failed to fetch dynamically imported module'))

test('what was fetched ahead is there in the first frame', async () => {
  const Part = lazyPart(arrives, 'waiting')
  await Part.fetchPart()
  show(<Part who="Imran" />)
  expect(room.textContent).toBe('Hello Imran')
})

test('what was not is waited for, then shown', async () => {
  const Part = lazyPart(arrives, 'waiting')
  show(<Part who="Ayesha" />)
  expect(room.textContent).toBe('waiting')
  await expect.poll(() => room.textContent).toBe('Hello Ayesha')
})

test.each([
  ['needed, is a failure of what shows it', true, 'failed: A part of the portal did not arrive.'],
  ['not needed, is left out with its room', false, ''],
])('what does not arrive and is %s', async (_, isNeeded, seen) => {
  const Part = lazyPart<typeof Greeting>(never, 'waiting', isNeeded)
  show(<Part who="Bilal" />)
  await Part.fetchPart().catch(() => {})
  await expect.poll(() => room.textContent).toBe(seen)
})
