import { DEFAULT_BOUNDS } from '../contracts/entities/groups.ts'
import type { GroupBasis } from '../rules/group-form.ts'
import { type Directory, evaluationOf, type Group } from './directory.ts'

/** Axes and sliders of a company, the documents' where it has no profile. */
export function boundsOf({ companies }: Pick<Directory, 'companies'>, companyId: string) {
  const { tmin, tmax, hmin, hmax } = companies.get(companyId) ?? DEFAULT_BOUNDS
  return { tmin, tmax, hmin, hmax }
}

/** What the form of a group is held against; `group` left out: of one that is to be made. */
export function groupBasis(
  directory: Pick<Directory, 'companies'>,
  companyId: string,
  group?: Pick<Group, 'evaluation'>,
): GroupBasis {
  return {
    ...boundsOf(directory, companyId),
    ...(group && evaluationOf(group)),
    companyEvaluation: directory.companies.get(companyId),
  }
}
