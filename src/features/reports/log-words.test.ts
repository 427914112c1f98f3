import { expect, test } from 'vitest'
import { filesOf, selectionWords, stateOf, summaryOf } from './log-words.ts'
import { entryOf } from './testing.ts'

test('a server that tells no status tells by whether it is completed', () => {
  const { status: _, ...pending } = entryOf('a', { isCompleted: false, url: null })
  expect(stateOf(pending)).toEqual({ word: 'Pending', waits: undefined, progress: undefined })
  expect(stateOf({ ...pending, isCompleted: true, url: '/file' })).toEqual({
    word: 'Completed',
    gone: undefined,
  })
})

test('what waits has no progress, what is being made has', () => {
  const waiting = entryOf('a', { status: 'requested', isCompleted: false, url: null, progress: 0 })
  expect(stateOf(waiting)).toEqual({ word: 'Pending', waits: 'waits for its turn', progress: undefined })
  expect(stateOf({ ...waiting, status: 'pending', progress: 0.42 })).toEqual({
    word: 'Pending',
    waits: undefined,
    progress: 0.42,
  })
})

test('what waits says how many are made before it', () => {
  const waits = (ahead: number) =>
    stateOf(entryOf('a', { status: 'requested', isCompleted: false, url: null, ahead }))
  expect([0, 1, 1200].map(waits)).toMatchObject([
    { waits: 'waits for its turn, which is next' },
    { waits: 'waits for its turn, 1 report before it' },
    { waits: 'waits for its turn, 1,200 reports before it' },
  ])
})

test('what was chosen is one name in short, and each that is told in whole', () => {
  const none = { groups: [], groupCount: 0, devices: [], deviceCount: 0 }
  const words = (selection: object) => selectionWords(entryOf('a', { selection: { ...none, ...selection } }))
  expect(words({ devices: ['LES-1'], deviceCount: 1 })).toEqual({ short: 'LES-1', whole: 'Devices: LES-1' })
  expect(
    words({ groups: ['Lahore'], groupCount: 2, devices: ['LES-1', 'LES-2'], deviceCount: 10_000 }),
  ).toEqual({
    short: 'Lahore and 10,001 more',
    whole: 'Groups: Lahore and 1 more; Devices: LES-1, LES-2 and 9,998 more',
  })
  expect(words({ groupCount: 1 })).toEqual({ short: '1 chosen', whole: 'Groups: 1 chosen' })
  const { selection: _, ...unselected } = entryOf('a')
  expect(selectionWords(unselected)).toBeUndefined()
})

test('a file that is dropped is told of', () => {
  expect(stateOf(entryOf('a', { url: null, reason: 'Files are kept for 30 days.' }))).toEqual({
    word: 'Completed',
    gone: 'Files are kept for 30 days.',
  })
})

test('the log in a line', () => {
  expect(summaryOf([entryOf('a')], false)).toBe('1 report')
  const pending = entryOf('b', { status: 'pending', isCompleted: false, url: null })
  const failed = entryOf('c', { status: 'failed', isCompleted: false, url: null })
  expect(summaryOf([entryOf('a'), pending, failed, failed], false)).toBe('4 reports, 1 pending, 2 failed')
  expect(summaryOf([entryOf('a'), pending], true)).toBe('Newest 2 reports, 1 pending')
})

test('a line with two files has two links, one with none has none', () => {
  const file = (fileName: string) => ({ url: `/${fileName}`, fileName, contentType: '', size: 5 })
  const both = entryOf('a', { files: [file('T.xlsx'), file('T.pdf')] })
  expect(filesOf(both).map(({ ending, url }) => [ending, url])).toEqual([
    ['XLSX', '/T.xlsx'],
    ['PDF', '/T.pdf'],
  ])
  expect(filesOf(entryOf('b', { url: null, files: [] }))).toEqual([])
  expect(filesOf(entryOf('c', { fileName: null, size: null }))).toMatchObject([
    { fileName: 'Distance Report', ending: '', size: undefined },
  ])
})
