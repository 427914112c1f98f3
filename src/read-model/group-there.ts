import type { Fleet } from './fleet.ts'

/** The id of a group, '' where it went meanwhile; as it is while it is not known which there are. */
export const groupThere = ({ seq, groups }: Pick<Fleet, 'seq' | 'groups'>, id: string): string =>
  seq === undefined || groups.indexOf(id) >= 0 ? id : ''
