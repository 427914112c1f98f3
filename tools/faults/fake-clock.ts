import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needFile, run } from './needs.ts'

/** The system's clock as a process sees it: ahead of the real one, or behind it, by as much as is said. */
export type FakeClock = {
  env: Record<string, string>
  /** ms that are added to the real time from now on; a process notices within a second */
  setAhead(ms: number): void
  remove(): void
}

/**
 * A clock that can be set while somebody runs by it, as an operator or a time server sets that of a machine. What counts
 * time that only ever grows goes on as it does then.
 */
export function fakeClock(): FakeClock {
  const machine = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch as 'x64' | 'arm64']
  const library = `/usr/lib/${machine}/faketime/libfaketime.so.1`
  needFile(library, 'libfaketime')
  run('test', '-r', library)
  const folder = mkdtempSync(join(tmpdir(), 'frostline-clock-'))
  const file = join(folder, 'ahead')
  const setAhead = (ms: number): void => writeFileSync(file, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1000}\n`)
  setAhead(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_NO_CACHE: '0',
      NO_FAKE_STAT: '1',
    },
    setAhead,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
