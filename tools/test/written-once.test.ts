import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
/** What writes a time or a number by itself, and what does it for everybody. */
const OWN_WAYS: readonly (readonly [RegExp, string])[] = [
  [/<time\b/, 'ui/time.tsx'],
  [/\.toLocale(Date|Time)?String\(/, 'format/numbers.ts, format/time.ts'],
  [/new Intl\.(DateTime|Number|RelativeTime)Format|Intl\.DateTimeFormat\(/, 'format/'],
  [/from '(date-fns|@date-fns\/tz)'/, 'format/time.ts'],
  [/\.toISOString\(\)\.(slice|split|substring)/, 'format/time.ts'],
  [
    /\$\{figure\([^`]*, 1\)\} °C|\.toFixed\(\d\)\} (°C|%|MB|kB)/,
    'format/numbers.ts, layout/measured/value.tsx',
  ],
]

test('the portal writes times and numbers in one way each', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => !file.startsWith('src/format/') && file !== 'src/ui/time.tsx')
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        OWN_WAYS.filter(([way]) => way.test(line)).map(
          ([, instead]) => `${file}:${i + 1} ${line.trim()} (take ${instead})`,
        ),
      ),
  )
  expect(found).toEqual([])
})
