/** The one clock of the server. With the device world on it is the world's; the portal asks the server. */
export type Clock = {
  /** epoch ms */
  now(): number
}
