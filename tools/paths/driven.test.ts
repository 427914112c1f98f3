import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { driven } from '../../e2e/drivers/driven.ts'
import { machinesIn } from './machines.ts'

const machines = join(resolve(import.meta.dirname, '../..'), 'machines')

test('each machine has a driver, and each driver a machine', () =>
  expect(driven()).toEqual(machinesIn(machines)))
