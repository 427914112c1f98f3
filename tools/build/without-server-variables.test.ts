import { expect, test } from 'vitest'
import { withoutServerVariables } from './without-server-variables.ts'

test('a server that is tried gets the machine, and nothing of a server that was set up', () => {
  const machine = { PATH: '/bin', CHROMIUM_PATH: '/opt/chromium', NODE_COMPILE_CACHE: '.cache' }
  const others = { DATABASE_URL: 'postgres://a/b', SMTP_URL: 'smtp://a', SEED: '7', SCENARIO: 'dairy-dawn' }
  expect(withoutServerVariables({ ...machine, ...others })).toEqual(machine)
})
