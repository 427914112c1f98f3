/**
 * Who asks. `child` sits in the group below the top, `top` above it, `other` in another company, `suspended` in one that
 * was suspended after they had signed in; `admin` is the server's own super admin, `handed` the same inside the company of
 * `top`. The last three had their say once: a token that ran out, one for setting a password alone, one whose session was
 * ended.
 */
export const WHO = [
  'nobody',
  'child',
  'top',
  'other',
  'suspended',
  'admin',
  'handed',
  'expired',
  'reset',
  'ended',
] as const
export type Who = (typeof WHO)[number]

/** Whose the thing asked for is, as `child` sees it; the table writes their first letters. */
export const WHOSE = ['own', 'child', 'parent', 'sibling', 'foreign', 'random'] as const
export type Whose = (typeof WHOSE)[number]

/** What there is to ask for in one place of the tree. */
export type Ids = { group: string; imei: string; user: string; userName: string; company: string }

const ids = (company: string, group: string, user: string, userName: string, device: number): Ids => ({
  company,
  group,
  user,
  userName,
  imei: String(350_000_000_000_000 + device),
})

export const IDS: Record<Whose, Ids> = {
  own: ids('indus', 'punjab', 'u2', 'danish', 1),
  child: ids('indus', 'lahore', 'u8', 'laila', 2),
  parent: ids('indus', 'indus', 'u1', 'ayesha', 0),
  sibling: ids('indus', 'sindh', 'u9', 'sana', 3),
  foreign: ids('karakoram', 'karakoram', 'u3', 'karim', 4),
  random: ids('lemuria', 'atlantis', 'u999', 'nemo', 999),
}

/** What is certainly somebody's own: written where another id of the same request is the one that is tried. */
export const HOME: Record<Who, Ids> = {
  nobody: IDS.own,
  child: IDS.own,
  top: IDS.parent,
  other: IDS.foreign,
  suspended: ids('thar', 'thar', 'u5', 'tahir', 999),
  admin: ids('frostline', 'frostline', 'u7', 'nadia', 999),
  handed: IDS.parent,
  expired: IDS.own,
  reset: { ...IDS.parent, user: 'u6', userName: 'rabia' },
  ended: IDS.own,
}
