import { is } from 'superstruct'
import { Line } from '../contracts/scalars.ts'
import { type Fault, firstFaults, REQUIRED } from './plain-text.ts'

/** What is wrong with a new key as it was typed, one fault a field. `now` and `expiresAt` in epoch ms. */
export const deviceKeyFaults = (
  form: { name: string; scopes: readonly string[]; expiresAt: number | null },
  now: number,
): Fault<'name' | 'scopes' | 'expiresAt'>[] =>
  firstFaults<'name' | 'scopes' | 'expiresAt'>([
    ['name', REQUIRED, form.name.trim() === ''],
    ['name', 'At most 200 characters', !is(form.name.trim(), Line)],
    ['scopes', 'Choose what the key is for', form.scopes.length === 0],
    ['expiresAt', 'That time is over', form.expiresAt !== null && form.expiresAt <= now],
  ])
