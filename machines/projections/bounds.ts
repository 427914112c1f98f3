import { DEFAULT_BOUNDS } from '../contracts/entities/groups.ts'
import type { Directory } from './directory.ts'

/** Axes and sliders of a company, the documents' where it has no profile. */
export function boundsOf({ companies }: Pick<Directory, 'companies'>, companyId: string) {
  const { tmin, tmax, hmin, hmax } = companies.get(companyId) ?? DEFAULT_BOUNDS
  return { tmin, tmax, hmin, hmax }
}
