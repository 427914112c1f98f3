import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'

/** What Debian asks before it starts a service it has just installed (policy-rc.d of invoke-rc.d). */
const MAY_START = '/usr/sbin/policy-rc.d'

/** Whether packages can be installed here: Debian or one of its kin, and this process is root's. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/**
 * Installs packages of Debian without what they recommend, and without the services they would start at once. The list
 * of packages is fetched where they are not known yet.
 * @returns why it could not be done, or undefined where it was
 */
export function installPackages(...names: readonly string[]): string | undefined {
  if (!canInstall()) return 'packages are installed on Debian alone, and as root'
  const mayAnyStart = existsSync(MAY_START)
  if (!mayAnyStart) {
    writeFileSync(MAY_START, '#!/bin/sh\nexit 101\n')
    chmodSync(MAY_START, 0o755)
  }
  try {
    const install = ['install', '-y', '--no-install-recommends', ...names]
    if (apt(install) === undefined) return undefined
    apt(['update'])
    return apt(install)
  } finally {
    if (!mayAnyStart) rmSync(MAY_START, { force: true })
  }
}

/** What went wrong, if anything did. Another run that installs at the moment is waited for. */
function apt(words: readonly string[]): string | undefined {
  console.error(`> apt-get ${words.join(' ')}`)
  const { status, stderr, error } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-q', ...words], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 2 ** 20,
  })
  return status === 0 ? undefined : (error?.message ?? stderr.trim().split('\n').at(-1))
}
