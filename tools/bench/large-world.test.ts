import { expect, test } from 'vitest'
import { loadScenario } from '../../simulator/world/load-scenario.ts'
import { writeOneCompany } from './large-world.ts'

test('the demo with one company alone is a scenario that loads', async () => {
  const { companies, fleets, users } = await loadScenario(writeOneCompany('karakoram'))
  expect(companies.map(({ id }) => id)).toEqual(['karakoram'])
  expect(new Set([...fleets, ...users].map(({ companyId }) => companyId))).toEqual(new Set(['karakoram']))
})
