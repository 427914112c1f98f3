import { expect, test } from 'vitest'
import { filesBeforeSignIn, filesUntilMarkers } from './bundle-size.ts'

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

test('until the first markers every file counts once, however many parts need it', () => {
  const files = filesUntilMarkers({
    'index.html': { file: 'main.js', isEntry: true },
    'src/layout/shell.tsx': { file: 'shell.js', imports: ['_portal.js'] },
    'src/actors/live.ts': { file: 'live.js', imports: ['_portal.js'] },
    'src/features/dashboard/dashboard.tsx': {
      file: 'dashboard.js',
      imports: ['_portal.js'],
      dynamicImports: ['src/features/dashboard/device-update.tsx'],
    },
    'src/features/dashboard/device-update.tsx': { file: 'device-update.js' },
    'src/features/dashboard/map/base-map.tsx': { file: 'base-map.js' },
    '_portal.js': { file: 'portal.js' },
  })
  expect(files).toEqual(['main.js', 'shell.js', 'portal.js', 'live.js', 'dashboard.js', 'base-map.js'])
})

test('a part that is not a file of its own any more is an error', () =>
  expect(() => filesUntilMarkers({ 'index.html': { file: 'main.js', isEntry: true } })).toThrow('shell.tsx'))
