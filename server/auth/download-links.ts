import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'

/**
 * Links to files of reports: good for whoever holds them, until they run out. Nothing of them is stored; what stands in
 * one is signed with a key derived from the server's own (docs/decisions/0030).
 */
export type DownloadLinks = {
  /** path and query of a file, counted from 0. @param expires epoch ms; some hours from now where left out */
  to(reportId: string, file: number, expires?: number): string
  check(link: { id: string; file: number; expires: number; signature: string }): 'good' | 'expired' | 'wrong'
}

const LASTS_MS = 4 * 3_600_000

/** @param secret the server's own; links are signed with a key derived from it */
export function createDownloadLinks(secret: string, clock: Clock): DownloadLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'frostline report files', 32))
  const sign = (id: string, file: number, expires: number): string =>
    createHmac('sha256', key).update(`file:${id}:${file}:${expires}`).digest('base64url')
  return {
    to(id, file, expires = Math.floor(clock.now()) + LASTS_MS) {
      const query = new URLSearchParams({ expires: `${expires}`, signature: sign(id, file, expires) })
      return `/api/reports/files/${id}?${file === 0 ? '' : `file=${file}&`}${query}`
    },
    check({ id, file, expires, signature }) {
      const right = Buffer.from(sign(id, file, expires))
      const given = Buffer.from(signature)
      if (right.length !== given.length || !timingSafeEqual(right, given)) return 'wrong'
      return expires > clock.now() ? 'good' : 'expired'
    },
  }
}
