import { expect, test } from 'vitest'
import { ContractError } from '#machines/contracts/decode.ts'
import { CallRefused, CallTimedOut, Unreachable } from '../effects/call-failures.ts'
import { wordsOf } from './failure-words.ts'

test.each([
  [new Unreachable('/api/users/u-1', new TypeError('Failed to fetch')), /^No answer from the server\./],
  [new CallRefused(409, 'Somebody else was quicker', {}, false), /^Somebody else was quicker$/],
  [new CallTimedOut('/api/users'), /^A timeout happend on url /],
  [new ContractError('answer of GET /api/users', '0.name', 'no text'), /^Something went wrong$/],
  [new TypeError('Failed to fetch dynamically imported module: /assets/x.js'), /^Something went wrong$/],
  ['thrown as it was', /^Something went wrong$/],
])('a visitor is told of %s in words', (error, words) => expect(wordsOf(error)).toMatch(words))
