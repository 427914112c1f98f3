import { expect, test } from 'vitest'
import { filesBeforeSignIn } from './bundle-size.ts'

test('what the entry and a page before sign-in need counts, what other pages need does not', () => {
  const files = filesBeforeSignIn({
    'index.html': {
      file: 'main.js',
      isEntry: true,
      imports: ['_react.js'],
      dynamicImports: [
        'src/features/access/sign-in.tsx',
        'src/features/access/reset.tsx',
        'src/features/dashboard/dashboard.tsx',
      ],
    },
    '_react.js': { file: 'react.js' },
    '_kit.js': { file: 'kit.js', imports: ['_react.js'] },
    'src/features/access/sign-in.tsx': { file: 'sign-in.js', imports: ['_kit.js', 'index.html'] },
    'src/features/access/reset.tsx': { file: 'reset.js', imports: ['_react.js'] },
    'src/features/dashboard/dashboard.tsx': { file: 'dashboard.js', imports: ['_map.js'] },
    '_map.js': { file: 'map.js' },
  })
  expect(Object.fromEntries(files)).toEqual({
    'src/features/access/sign-in.tsx': ['main.js', 'react.js', 'sign-in.js', 'kit.js'],
    'src/features/access/reset.tsx': ['main.js', 'react.js', 'reset.js'],
  })
})

test('a build without an entry is an error', () => expect(() => filesBeforeSignIn({})).toThrow('no entry'))
