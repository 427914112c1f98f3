/**
 * How live the screen is. `since`: when it went offline; `dataAt`: the instant the data shown is of; both epoch ms by
 * the server's clock, null where it is not known. `hindrance`: why it is not live, where that is known: no network here,
 * `trying` to be let in, `waiting` before the next try, `crowded` by other windows of the same user, the fleet or the
 * notifications were asked for and did not come, or the window is older than the server.
 */
export type LinkStatus = {
  state: 'live' | 'catching-up' | 'offline'
  since: number | null
  dataAt: number | null
  hindrance?: 'no-network' | 'trying' | 'waiting' | 'crowded' | 'no-answer' | 'outdated' | undefined
  /** the fleet is live, and only notifications do not come */
  isUnnotified?: boolean
}

/** Whether what others change is told, also where notifications do not come. */
export const isLinked = ({ state, isUnnotified }: Pick<LinkStatus, 'state' | 'isUnnotified'>): boolean =>
  state === 'live' || isUnnotified === true

export const notYetLinked: LinkStatus = { state: 'catching-up', since: null, dataAt: null }
