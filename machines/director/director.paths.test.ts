import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './director.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./director.paths.txt', import.meta.url), 'utf8')))
