import { string, type } from 'superstruct'
import { expect, test } from 'vitest'
import type { FormRecord } from '#machines/record-form/record-form.machine.ts'
import { CallRefused, Unreachable } from '../effects/call-failures.ts'
import { saveResultOf } from './save-result.ts'

const Group = type({ name: string(), version: string() })
type Group = { name: string; version: string }
const recordOf = (entity: Group): FormRecord => ({
  fields: { name: entity.name },
  version: entity.version,
  entity,
})
const after = (outcome: Promise<Group>) => saveResultOf(outcome, Group, recordOf)
const refused = (status: number, body: object) =>
  Promise.reject(new CallRefused(status, 'No', { code: status, message: 'No', ...body }, false))

test('what the server answers is the record from now on', async () => {
  const saved = { name: 'North', version: '8' }
  expect(await after(Promise.resolve(saved))).toEqual({ kind: 'saved', record: recordOf(saved) })
})

test.each([409, 422])('what is wrong with a field is told of that field (%i)', async (status) => {
  const errors = [{ path: 'email', message: 'A user with this email already exists' }]
  expect(await after(refused(status, { errors }))).toEqual({ kind: 'refused', message: 'No', faults: errors })
})

test.each([413, 415])('what is wrong with a file is told of the file (%i)', async (status) => {
  const faults = [{ path: 'file', message: 'No' }]
  expect(await after(refused(status, { path: 'file' }))).toEqual({ kind: 'refused', message: 'No', faults })
})

test('another version is a conflict, with who made it and when', async () => {
  const current = { name: 'Upper north', version: '9' }
  const at = '2026-01-01T10:00:00.000Z'
  expect(await after(refused(412, { current, by: { _id: 'u2', name: 'Bilal' }, at }))).toEqual({
    kind: 'conflict',
    theirs: { ...recordOf(current), by: 'Bilal', at },
  })
})

test('other refusals are told as they are', async () => {
  await expect(after(refused(409, {}))).rejects.toThrow('No')
  await expect(after(refused(403, {}))).rejects.toThrow('No')
})

test('no answer is told as that, without the address', async () => {
  const silence = Promise.reject(new Unreachable('PUT /api/users/7', new Error('cut')))
  await expect(after(silence)).rejects.toThrow(/^No answer from the server\.$/)
})
