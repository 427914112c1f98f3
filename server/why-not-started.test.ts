import { expect, test } from 'vitest'
import { whyNotStarted } from './why-not-started.ts'

const systemError = (of: object) => Object.assign(new Error('EACCES: permission denied'), of)

test('an address is refused by its port, a file by its path', () => {
  const code = 'EACCES'
  const listening = { code, syscall: 'listen', address: '127.0.0.1', port: 80 }
  expect(whyNotStarted(systemError(listening))).toBe('cannot listen on 127.0.0.1 port 80: EACCES')
  expect(whyNotStarted(systemError({ code, syscall: 'mkdir', path: '/var/lib/frostline' }))).toMatch(
    /^cannot mkdir \/var\/lib\/frostline: EACCES; see that the user of the server may/,
  )
})

test('a fault of ours is shown whole', () => {
  const fault = new TypeError('undefined is not a function')
  expect(whyNotStarted(fault)).toBe(fault)
})
