import { expect, test } from 'vitest'
import { webStorage } from './web-storage.ts'

test('where site data is blocked there is a storage that lasts as long as the page', () => {
  const blocked = {
    get localStorage(): Storage {
      throw new DOMException('The request was denied.', 'SecurityError')
    },
    get sessionStorage(): Storage {
      throw new DOMException('The request was denied.', 'SecurityError')
    },
  }
  const storage = webStorage(blocked, 'localStorage')
  expect(storage.getItem('user')).toBeNull()
  storage.setItem('user', 'ayesha')
  storage.setItem('draft name', 'Reefer')
  expect([storage.getItem('user'), Object.keys(storage)]).toEqual(['ayesha', ['user', 'draft name']])
  storage.removeItem('user')
  expect(storage.getItem('user')).toBeNull()
  storage.clear()
  expect(Object.keys(storage)).toEqual([])
})
