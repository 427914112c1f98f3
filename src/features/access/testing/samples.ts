import type { HandOff, Session } from '#machines/session/session.ts'

export const operator: Session = {
  user: {
    _id: 'u1',
    name: 'Bilal Ahmed',
    userName: 'bilal',
    groupId: 'indus',
    companyId: 'indus',
    exp: 1_900_000_000,
  },
  accessToken: 'access',
  refreshToken: 'refresh',
  identityId: 's-1',
  groupInfo: { depthLevel: 1, groupImage: null, name: 'Indus Cold Chain' },
  companyInfo: { groupId: 'indus', companyId: 'indus' },
  isSuperAdminUser: false,
}

export const handOff: HandOff = {
  accessToken: 'access-9',
  refreshToken: 'refresh-9',
  identityId: 's-9',
  userId: 'admin',
  groupInfo: { depthLevel: 1, groupImage: null, name: 'Karakoram Foods' },
  companyInfo: { groupId: 'karakoram', companyId: 'karakoram' },
}

/** What the server says of that administrator. */
export const administrator = {
  _id: 'admin',
  name: 'Nadia Khan',
  userName: 'admin',
  groupId: 'karakoram',
  companyId: 'karakoram',
  exp: 1_900_000_000,
  companyName: 'Karakoram Foods',
  superAdmin: true,
  handoff: true,
}

export const GOOD = 'Fr0st#line25'
