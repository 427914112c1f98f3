import { describe, expect, test } from 'vitest'
import { viewsOf } from '#machines/projections/views.ts'
import { user } from '../../testing/facts.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { MANAGERS_SAVE, removeView, saveView, TOO_MANY_VIEWS } from './views.ts'

type Viewer = Parameters<typeof saveView>[2]
const viewer = (userId: string, groupId: string, companyId = 'indus'): Viewer => ({
  ...{ userId, groupId, companyId },
  superAdmin: false,
})
const danish = viewer('u2', 'punjab')
const ayesha = viewer('u1', 'indus')
const laila = viewer('u8', 'punjab')
const driver = user('u8', 'indus', 'punjab', 'laila', { type: 'Driver' })

const save = (viewId: string, name: string, path = '/', isGroups = false, by = danish) => ({
  command: { type: 'view.save' as const, at: 1, by: by.userId, data: { viewId, name, path, isGroups } },
  by,
})
const record = () => {
  const { store, when, directory } = given(...twoCompanies, driver)
  return {
    directory,
    save: ({ command, by }: ReturnType<typeof save>) => {
      const { facts, refused } = when((state, one: typeof command) => saveView(state, one, by), command)
      store({ facts })
      return refused ?? facts.map(({ data }) => data)
    },
    remove: (viewId: string, by: Viewer) => {
      const command = { type: 'view.remove' as const, at: 2, by: by.userId, data: { viewId } }
      const { facts, refused } = when((state, one: typeof command) => removeView(state, one, by), command)
      store({ facts })
      return refused ?? facts.map(({ data }) => data)
    },
    own: (by: Viewer) =>
      viewsOf(directory.views, { ...by, groupId: null }).map(({ name, path }) => [name, path]),
    groups: (groupId: string) => viewsOf(directory.views, { ...danish, groupId }).map(({ name }) => name),
  }
}

describe('a saved view', () => {
  test('is its saver’s own, under its name without the blanks around it', () => {
    const views = record()
    views.save(save('vw-1', ' Reefers ', '/?q=reefer'))
    expect(views.own(danish)).toEqual([['Reefers', '/?q=reefer']])
    expect(views.own(ayesha)).toEqual([])
    expect(views.own({ ...danish, companyId: 'karakoram' }), 'of another company one enters').toEqual([])
  })

  test('of a name there is takes its place; the same again is nothing', () => {
    const views = record()
    views.save(save('vw-1', 'Reefers', '/?q=reefer'))
    expect(views.save(save('vw-2', 'reefers', '/?q=cold'))).toMatchObject([{ viewId: 'vw-1' }])
    expect(views.own(danish)).toEqual([['reefers', '/?q=cold']])
    expect(views.save(save('vw-3', 'reefers', '/?q=cold'))).toEqual([])
    views.save(save('vw-4', 'Reefers', '/', true))
    expect([views.own(danish).length, views.groups('punjab')], 'the group’s are others').toEqual([
      1,
      ['Reefers'],
    ])
  })

  test('of the group is saved by managers, and seen in that group alone', () => {
    const views = record()
    expect(views.save(save('vw-1', 'Night', '/', true, laila))).toEqual({
      status: 403,
      message: MANAGERS_SAVE,
    })
    views.save(save('vw-1', 'Night', '/', true))
    expect([views.groups('punjab'), views.groups('indus')]).toEqual([['Night'], []])
  })

  test('is bounded in number', () => {
    const views = record()
    for (let i = 0; i < 50; i++) views.save(save(`vw-${i}`, `View ${i}`))
    expect(views.save(save('vw-50', 'One more'))).toEqual({ status: 409, message: TOO_MANY_VIEWS })
    expect(views.save(save('vw-51', 'View 7', '/groups')), 'one that is there may change').toHaveLength(1)
  })

  test('is removed by its saver, of a group by its managers, and is not there for others', () => {
    const views = record()
    views.save(save('own', 'Mine'))
    views.save(save('ours', 'Ours', '/', true))
    expect(views.remove('own', ayesha)).toMatchObject({ status: 404 })
    expect(views.remove('ours', ayesha), 'of another group').toMatchObject({ status: 404 })
    expect(views.remove('ours', laila)).toEqual({ status: 403, message: MANAGERS_SAVE })
    expect(views.remove('ours', viewer('u9', 'punjab'))).toMatchObject({ status: 403 })
    views.remove('own', danish)
    views.remove('ours', danish)
    expect([views.own(danish), views.groups('punjab')]).toEqual([[], []])
    expect(views.remove('own', danish)).toMatchObject({ status: 404 })
  })

  test('goes with whose it is; the group keeps what is the group’s until the group goes', () => {
    const { directory, store } = given(...twoCompanies)
    const saved = (viewId: string, groupId: string | null) => ({
      ...{ type: 'view.saved' as const, at: 1, companyId: 'indus' },
      data: { viewId, userId: 'u2', companyId: 'indus', groupId, name: viewId, path: '/' },
    })
    store({ facts: [saved('own', null), saved('ours', 'punjab')] })
    store({ facts: [{ type: 'user.deleted', at: 2, companyId: 'indus', data: { userId: 'u2' } }] })
    expect([...directory.views.keys()]).toEqual(['ours'])
    store({ facts: [{ type: 'group.deleted', at: 3, companyId: 'indus', data: { groupId: 'punjab' } }] })
    expect([...directory.views.keys()]).toEqual([])
  })
})
