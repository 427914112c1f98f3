/**
 * How live the screen is. `since`: when it went offline; `dataAt`: the instant the data shown is of; both epoch ms by
 * the server's clock, null where it is not known.
 */
export type LinkStatus = {
  state: 'live' | 'catching-up' | 'offline'
  since: number | null
  dataAt: number | null
}

export const notYetLinked: LinkStatus = { state: 'catching-up', since: null, dataAt: null }
