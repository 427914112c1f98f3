import { describe, expect, test } from 'vitest'
import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { group } from '../../testing/facts.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { createGroup, MOST_GROUPS } from './create-group.ts'
import { deleteGroup } from './delete-group.ts'
import { MOST_LEVELS } from './depth.ts'
import { adjustGroup, updateGroup } from './update-group.ts'

const imeiOf = (no: number) => String(350_000_000_000_000 + no)
const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
}
const origin = { at: 7, companyId: 'indus', by: 'u1' }
const NOT_FOUND = { facts: [], refused: { status: 404, message: 'Not found' } }
const into = (no: number, groupId: string): NewFact => ({
  ...origin,
  type: 'device.updated',
  data: { imei: imeiOf(no), groupId },
})

describe('creating a group', () => {
  const data = {
    groupId: 'g1',
    parentId: 'punjab',
    companyId: 'indus',
    name: ' Multan ',
    description: '',
    ...limits,
    things: [imeiOf(2), imeiOf(2), imeiOf(3)],
  }
  const create = (
    changes: Partial<CommandOf<'group.create'>['data']> = {},
    topId = 'indus',
    facts = twoCompanies,
  ) =>
    given(...facts).when(
      (directory, command: CommandOf<'group.create'>) => createGroup(directory, command, topId),
      {
        type: 'group.create',
        at: 7,
        by: 'u1',
        data: { ...data, ...changes },
      },
    )

  test('puts it below its parent and its devices into it, in one commit', () => {
    const { things: _, ...made } = data
    expect(create()).toEqual({
      facts: [
        { ...origin, type: 'group.created', data: { ...made, name: 'Multan' } },
        into(2, 'g1'),
        into(3, 'g1'),
      ],
    })
  })

  test.each([
    ['a parent above the own group', { parentId: 'indus', things: [] }, 'punjab'],
    ['a parent of another company', { parentId: 'karakoram', things: [] }, 'indus'],
    ['another company', { companyId: 'karakoram' }, 'indus'],
    ['a device of a sister group', { things: [imeiOf(3)] }, 'punjab'],
    ['a device of another company', { things: [imeiOf(4)] }, 'indus'],
    ['a device nobody has', { things: [imeiOf(99)] }, 'indus'],
  ])('with %s finds nothing', (_, changes, topId) => expect(create(changes, topId)).toEqual(NOT_FOUND))

  test('tells every field that is wrong, in the words of the form', () => {
    expect(create({ name: 'x'.repeat(31), description: '#', parentId: '' }).refused).toEqual({
      status: 422,
      message: 'Max 30 characters are allowed in name',
      extra: {
        path: 'name',
        errors: [
          { path: 'name', message: 'Max 30 characters are allowed in name' },
          { path: 'description', message: 'Description should be alphanumeric' },
          { path: 'parentId', message: 'Please select a parent group' },
        ],
      },
    })
  })

  test('leaves room for the margin of its company where it has none of its own', () => {
    const narrow = { lowHumidityThreshold: 48, highHumidityThreshold: 51 }
    expect(create(narrow).refused).toMatchObject({ status: 422, extra: { path: 'highHumidityThreshold' } })
    expect(create({ ...narrow, clearMarginHumidity: null }).refused).toMatchObject({
      extra: { path: 'clearMarginHumidity' },
    })
    expect(create({ ...narrow, clearMarginHumidity: 1 }).refused).toBeUndefined()
  })

  test('ends where a company has as many as are kept, and those of others count for nothing', () => {
    const many = (companyId: string, count: number) =>
      Array.from({ length: count }, (_, no) => group(`${companyId}-${no}`, companyId, companyId))
    const others = [...twoCompanies, ...many('karakoram', MOST_GROUPS)]
    const own = twoCompanies.filter(
      ({ type, companyId }) => type === 'group.created' && companyId === 'indus',
    )
    const full = [...others, ...many('indus', MOST_GROUPS - own.length)]
    expect(create({}, 'indus', full)).toMatchObject({ facts: [], refused: { status: 409 } })
    expect(create({}, 'indus', full.slice(0, -1)).refused).toBeUndefined()
  })

  test('ends where the tree is as deep as it may be', () => {
    const chain = Array.from({ length: MOST_LEVELS - 1 }, (_, i) =>
      group(`d${i}`, 'indus', i === 0 ? 'indus' : `d${i - 1}`),
    )
    const at = (level: number) =>
      create({ parentId: `d${level}` }, 'indus', [...twoCompanies, ...chain]).refused
    expect(at(MOST_LEVELS - 3)).toBeUndefined()
    expect(at(MOST_LEVELS - 2)).toMatchObject({ status: 422, extra: { path: 'parentId' } })
  })
})

const form = { groupId: 'lahore', name: 'lahore', description: '', ...limits, ifVersion: null }
const update = (changes: Partial<CommandOf<'group.update'>['data']>, topId = 'indus', facts = twoCompanies) =>
  given(...facts).when(
    (directory, command: CommandOf<'group.update'>) => updateGroup(directory, command, topId),
    {
      type: 'group.update',
      at: 7,
      by: 'u1',
      data: { ...form, ...changes },
    },
  )

describe('changing a group', () => {
  test('tells what is another now, and nothing else', () => {
    expect(update({ name: ' Lahore ', highTemperatureThreshold: 9 })).toEqual({
      facts: [
        {
          ...origin,
          type: 'group.updated',
          data: { groupId: 'lahore', name: 'Lahore', highTemperatureThreshold: 9 },
        },
      ],
    })
    expect(update({})).toEqual({ facts: [] })
  })

  test('tells how its limits are evaluated as a fact of its own, all of it, where it is another now', () => {
    const data = { groupId: 'lahore', violationDelaySeconds: 600, clearMarginHumidity: null }
    const set: NewFact = {
      ...origin,
      type: 'group.evaluation-set',
      data: { ...data, clearMarginTemperature: 0.2 },
    }
    const given = { violationDelaySeconds: 600, clearMarginTemperature: 0.2 }
    expect(update(given)).toEqual({ facts: [set] })
    expect(update(given, 'indus', [...twoCompanies, set])).toEqual({ facts: [] })
    expect(update({ violationDelaySeconds: null }, 'indus', [...twoCompanies, set]).facts[0]?.data).toEqual({
      ...set.data,
      violationDelaySeconds: null,
    })
    expect(update({ clearMarginTemperature: 99 }).refused).toMatchObject({
      status: 422,
      extra: { path: 'clearMarginTemperature' },
    })
  })

  test('takes the devices that are listed, and leaves the others to the group above', () => {
    expect(update({ things: [imeiOf(3)] }).facts).toEqual([into(3, 'lahore'), into(2, 'punjab')])
    expect(update({ things: [] }).facts).toEqual([into(2, 'punjab')])
    expect(update({ things: undefined }).facts).toEqual([])
  })

  test('moves it, and what it gives up with it', () => {
    expect(update({ parentId: 'sindh', things: [] }).facts).toEqual([
      { ...origin, type: 'group.updated', data: { groupId: 'lahore', parentId: 'sindh' } },
      into(2, 'sindh'),
    ])
  })

  test.each(['punjab', 'lahore'])('does not move it below itself: %s', (parentId) => {
    expect(update({ groupId: 'punjab', name: 'punjab', parentId }).refused).toMatchObject({
      status: 422,
      extra: { path: 'parentId' },
    })
  })

  test.each([
    ['a group above', { groupId: 'indus' }, 'punjab'],
    ['a group beside', { groupId: 'sindh' }, 'punjab'],
    ['a group of another company', { groupId: 'karakoram' }, 'indus'],
    ['a parent above the own group', { parentId: 'indus' }, 'punjab'],
    ['a device out of topId', { things: [imeiOf(3)] }, 'punjab'],
  ])('%s is not found', (_, changes, topId) => expect(update(changes, topId)).toEqual(NOT_FOUND))

  test.each(['indus', 'punjab'])('leaves the own group of who sits at %s to their account', (own) => {
    expect(update({ groupId: own, name: own }, own).refused).toEqual({
      status: 403,
      message: 'Your own group is changed under Account',
    })
  })

  test('is refused to who saw an older one, in what they change', () => {
    const renamed: NewFact = { ...origin, type: 'group.updated', data: { groupId: 'lahore', name: 'Lhr' } }
    const { directory } = given(...twoCompanies)
    const seen = directory.groups.get('lahore')
    const version = `${seen?.version}.${seen?.devicesVersion}`
    const ask = (facts: NewFact[], data: Partial<CommandOf<'group.update'>['data']>) =>
      update({ name: 'L', ifVersion: version, ...data }, 'indus', facts).refused?.status
    expect(ask(twoCompanies, {})).toBeUndefined()
    expect(ask([...twoCompanies, renamed], {})).toBe(412)
    expect(ask([...twoCompanies, into(3, 'lahore')], {})).toBeUndefined()
    expect(ask([...twoCompanies, into(3, 'lahore')], { things: [] })).toBe(412)
    // a device of it that is gone meanwhile, and the group above it
    const gone: NewFact = { ...origin, type: 'device.retired', data: { no: 2, imei: imeiOf(2) } }
    expect(ask([...twoCompanies, gone], { things: [imeiOf(2)] })).toBe(412)
    const moved: NewFact = {
      ...origin,
      type: 'group.updated',
      data: { groupId: 'lahore', parentId: 'indus' },
    }
    const deleted: NewFact = { ...origin, type: 'group.deleted', data: { groupId: 'punjab' } }
    expect(ask([...twoCompanies, moved, deleted], { parentId: 'punjab' })).toBe(412)
  })
})

describe('adjusting a group', () => {
  const adjust = (
    data: Partial<CommandOf<'group.adjust'>['data']>,
    topId = 'indus',
    facts: readonly NewFact[] = twoCompanies,
  ) =>
    given(...facts).when(
      (directory, command: CommandOf<'group.adjust'>) => adjustGroup(directory, command, topId),
      {
        type: 'group.adjust',
        at: 7,
        by: 'u1',
        data: { groupId: 'indus', ifVersion: null, ...data },
      },
    )

  test('is for the own group too, and changes what is given', () => {
    expect(adjust({ name: 'Indus Cold' }).facts).toEqual([
      { ...origin, type: 'group.updated', data: { groupId: 'indus', name: 'Indus Cold' } },
    ])
  })

  test('changes how its limits are evaluated, of the own group too', () => {
    expect(adjust({ violationDelaySeconds: 0 }).facts).toEqual([
      {
        ...origin,
        type: 'group.evaluation-set',
        data: {
          groupId: 'indus',
          violationDelaySeconds: 0,
          clearMarginTemperature: null,
          clearMarginHumidity: null,
        },
      },
    ])
    expect(adjust({ clearMarginTemperature: 15 }).refused).toMatchObject({
      status: 422,
      extra: { path: 'clearMarginTemperature' },
    })
  })

  test('sees one end of a band against the other as it is', () => {
    expect(adjust({ lowTemperatureThreshold: 9 }).refused).toMatchObject({
      status: 422,
      extra: { path: 'highTemperatureThreshold' },
    })
    expect(adjust({ lowTemperatureThreshold: 7 }).facts).toHaveLength(1)
  })

  test('leaves room for the margin in force between two limits, of the group or of its company', () => {
    const set: NewFact = {
      ...origin,
      type: 'group.evaluation-set',
      data: {
        groupId: 'indus',
        violationDelaySeconds: null,
        clearMarginTemperature: 3,
        clearMarginHumidity: null,
      },
    }
    const facts = [...twoCompanies, set]
    const temperature = { lowTemperatureThreshold: 4, highTemperatureThreshold: 6 }
    expect(adjust(temperature, 'indus', facts).refused).toMatchObject({
      status: 422,
      message: 'Must be at least twice the margin of 3 °C above the low one',
      extra: { path: 'highTemperatureThreshold' },
    })
    expect(adjust(temperature).facts).toHaveLength(1)
    expect(adjust({ lowHumidityThreshold: 48, highHumidityThreshold: 51 }).refused).toMatchObject({
      status: 422,
      message: 'Must be at least twice the margin of 2 % above the low one',
      extra: { path: 'highHumidityThreshold' },
    })
    expect(adjust({ name: 'Indus', description: 'x' }, 'indus', facts).facts).toHaveLength(1)
  })

  test('gives up its own margin only where that of its company leaves room', () => {
    const own: NewFact = {
      ...origin,
      type: 'group.evaluation-set',
      data: {
        groupId: 'indus',
        violationDelaySeconds: null,
        clearMarginTemperature: null,
        clearMarginHumidity: 1,
      },
    }
    const narrow: NewFact = {
      ...origin,
      type: 'group.updated',
      data: { groupId: 'indus', lowHumidityThreshold: 48, highHumidityThreshold: 51 },
    }
    const facts = [...twoCompanies, own, narrow]
    expect(adjust({ clearMarginHumidity: null }, 'indus', facts).refused).toMatchObject({
      status: 422,
      message: 'The company’s 2 % is more than half of what is between the thresholds',
      extra: { path: 'clearMarginHumidity' },
    })
    expect(adjust({ clearMarginHumidity: 1, violationDelaySeconds: 60 }, 'indus', facts).facts).toHaveLength(
      1,
    )
  })

  test('a group above the own is not found', () => {
    expect(adjust({ name: 'x' }, 'punjab')).toEqual(NOT_FOUND)
  })
})

describe('deleting a group', () => {
  const remove = (groupId: string, topId = 'indus') =>
    given(...twoCompanies).when(
      (directory, command: CommandOf<'group.delete'>) => deleteGroup(directory, command, topId),
      {
        type: 'group.delete',
        at: 7,
        by: 'u1',
        data: { groupId },
      },
    )

  test('leaves its devices, users and the groups below it to the group above', () => {
    expect(remove('punjab')).toEqual({
      facts: [
        into(1, 'indus'),
        { ...origin, type: 'user.updated', data: { userId: 'u2', groupId: 'indus' } },
        { ...origin, type: 'group.updated', data: { groupId: 'lahore', parentId: 'indus' } },
        { ...origin, type: 'group.deleted', data: { groupId: 'punjab' } },
      ],
    })
  })

  test.each(['indus', 'punjab'])('is not for the own: %s', (own) => {
    expect(remove(own, own).refused).toEqual({ status: 403, message: 'Your own group cannot be deleted' })
  })

  test.each([
    ['indus', 'punjab'],
    ['sindh', 'punjab'],
    ['karakoram', 'indus'],
    ['nowhere', 'indus'],
  ])('%s is not found from %s', (groupId, topId) => expect(remove(groupId, topId)).toEqual(NOT_FOUND))
})
