import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { need, needRoot, run } from './needs.ts'

/** A file system of its own that can fill up or lose its power. */
export type Disk = {
  /** where it is mounted */
  dir: string
  unmount(): void
}

/** A disk in memory of so many megabytes. */
export function smallDisk(megabytes: number): Disk {
  needRoot('to mount a small disk')
  need('mount')
  const dir = mkdtempSync(join(tmpdir(), 'frostline-small-'))
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir)
  return unmounted(dir)
}

/** Makes the image of an empty disk: ext4, as Debian makes it. */
export function makeImage(image: string, megabytes: number): void {
  needRoot('to mount the image of a disk')
  need('mkfs.ext4', 'mount', 'losetup')
  run('truncate', '-s', `${megabytes}M`, image)
  run('mkfs.ext4', '-q', image)
}

/**
 * Mounts the image of a disk; what its journal holds is brought in, as after a power cut. It brings nothing to the disk by
 * itself for ten minutes: what nobody asked to be safe is not.
 */
export function mountImage(image: string): Disk {
  const dir = mkdtempSync(join(tmpdir(), 'frostline-disk-'))
  run('mount', '-o', 'loop,commit=600,noauto_da_alloc', image, dir)
  mkdirSync(join(dir, 'data'), { recursive: true })
  return unmounted(dir)
}

function unmounted(dir: string): Disk {
  return {
    dir,
    unmount() {
      run('umount', dir)
      rmSync(dir, { recursive: true })
    },
  }
}
