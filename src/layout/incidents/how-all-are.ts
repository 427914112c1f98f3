import type { Fleet } from '../../read-model/fleet.ts'
import { isWell } from '../../read-model/rank.ts'

/** Whether each device shown is heard, and within its limits: nothing may be open of one that never was, or is not. */
export const areAllWell = ({ columns, names }: Fleet, isShown: (imei: string) => boolean): boolean =>
  columns.rank.subarray(0, columns.size).every((rank, row) => isWell(rank) || !isShown(names.of(row, 'imei')))

/** That, where nothing is open. */
export const howAllAre = (areWell: boolean): string =>
  areWell
    ? 'All devices shown are heard, and within their limits.'
    : 'Yet not all devices shown are heard and within their limits.'
