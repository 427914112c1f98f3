import { afterEach, beforeEach } from 'vitest'

let complaints: string[] = []
const original = console.error

// React, the kit and the map report misuse on the console and carry on; a test that let that pass would hide it.
// A test that expects an error says so with vi.spyOn(console, 'error'), which takes this one's place.
beforeEach(() => {
  complaints = []
  console.error = (...parts: unknown[]) => {
    complaints.push(parts.map(String).join(' '))
    original(...parts)
  }
})

afterEach(() => {
  console.error = original
  if (complaints.length > 0) throw new Error(`The console was told of an error:\n${complaints.join('\n')}`)
})
