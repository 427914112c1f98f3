import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSimulatorConfig } from './config.ts'

test('with nothing set it is the demo, as it is written', () => {
  expect(readSimulatorConfig({})).toEqual({
    scenario: 'fixtures/scenarios/demo.json',
    isScenarioGiven: false,
    seed: undefined,
    devices: undefined,
    simSpeed: 1,
    simToken: undefined,
  })
})

test('reads what is set; a scenario is named or a file', () => {
  const read = readSimulatorConfig({
    SIM_SPEED: '0.5',
    DEVICES: '100000',
    SCENARIO: 'dairy-dawn',
    SEED: ' 7 ',
  })
  expect(read).toMatchObject({
    simSpeed: 0.5,
    devices: 100_000,
    seed: 7,
    scenario: 'fixtures/scenarios/dairy-dawn.json',
    isScenarioGiven: true,
  })
  expect(readSimulatorConfig({ SCENARIO: './my/own.json' }).scenario).toBe('./my/own.json')
})

test('names every bad variable and what it takes', () => {
  const refused = () => readSimulatorConfig({ DEVICES: '2e3', SIM_SPEED: '0' })
  expect(refused).toThrow('DEVICES takes a whole number from 1 to 1000000, got "2e3"')
  expect(refused).toThrow('SIM_SPEED takes a speed of more than 0, at most 10000, got "0"')
})

test('whatever is set, it is read or refused by name', () => {
  fc.assert(
    fc.property(fc.constantFrom('SEED', 'DEVICES', 'SIM_SPEED', 'SIM_TOKEN'), fc.string(), (name, value) => {
      try {
        readSimulatorConfig({ [name]: value })
      } catch (error) {
        expect((error as { names: string[] }).names).toEqual([name])
      }
    }),
  )
})
