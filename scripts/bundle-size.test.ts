import { expect, test } from 'vitest'
import { filesBeforeSignIn } from './bundle-size.ts'

test('what the entry and the sign-in page need counts, what other pages need does not', () => {
  const files = filesBeforeSignIn({
    'index.html': {
      file: 'main.js',
      isEntry: true,
      imports: ['_react.js'],
      dynamicImports: ['src/features/access/sign-in.tsx', 'src/features/dashboard/dashboard.tsx'],
    },
    '_react.js': { file: 'react.js' },
    '_kit.js': { file: 'kit.js', imports: ['_react.js'] },
    'src/features/access/sign-in.tsx': { file: 'sign-in.js', imports: ['_kit.js', 'index.html'] },
    'src/features/dashboard/dashboard.tsx': { file: 'dashboard.js', imports: ['_map.js'] },
    '_map.js': { file: 'map.js' },
  })
  expect(files.sort()).toEqual(['kit.js', 'main.js', 'react.js', 'sign-in.js'])
})

test('a build without an entry is an error', () => expect(() => filesBeforeSignIn({})).toThrow('no entry'))
