import { expect, test } from 'vitest'
import {
  keepDirectorMemory,
  readDirectorMemory,
  requestedMoment,
  requestedTools,
  toggled,
} from './director-memory.ts'

const at = (address: string) => requestedMoment(new URL(address, 'http://portal'))

test('an address with a scenario asks for a moment, and for its page without it', () => {
  expect(at('/groups?scenario=dairy-dawn&seed=7&t=5400')).toEqual({
    moment: { query: '?scenario=dairy-dawn&seed=7&t=5400', path: '/groups' },
  })
  expect(at('/notifications?thing=35&scenario=demo#list').moment?.path).toBe('/notifications?thing=35#list')
})

test('an address without one asks for none', () => {
  expect(at('/groups?seed=7&t=5400')).toEqual({})
})

test('what the tab keeps and is no such thing counts as nothing', () => {
  const holding = (text: string | null) => readDirectorMemory({ getItem: () => text })
  expect(holding('{"isOpen":true,"token":"abc"}')).toEqual({ isOpen: true, token: 'abc' })
  for (const text of [null, '', 'null', '{', '{"isOpen":"yes"}'])
    expect(holding(text)).toEqual({ isOpen: false })
})

test('the tools of the world come with ?demo, or with the panel, and stay when it closes', () => {
  const requested = (address: string) => requestedTools(new URL(address, 'http://portal'))
  expect(requested('/groups?demo')).toEqual({ hasTools: true })
  expect(requested('/groups?thing=demo')).toEqual({})
  const opened = toggled({ isOpen: false })
  expect(opened).toEqual({ isOpen: true, hasTools: true })
  expect(toggled(opened)).toEqual({ isOpen: false, hasTools: true })
  expect(toggled(opened, true).isOpen).toBe(true)
})

test('a tab that is full keeps nothing, and goes on', () => {
  const full = {
    setItem() {
      throw new DOMException('no room', 'QuotaExceededError')
    },
  }
  expect(() => keepDirectorMemory(full, { isOpen: true })).not.toThrow()
})
