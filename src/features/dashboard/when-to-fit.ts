/**
 * When the map goes to what the filters leave: while words are typed, in the pause after them; never away from the device
 * it goes along with.
 * @param before what was searched for when the map went there last
 */
export function whenToFit(
  words: string,
  before: string,
  isFollowed: boolean,
): 'now' | 'in a pause' | 'never' {
  if (isFollowed) return 'never'
  return words !== '' && words !== before ? 'in a pause' : 'now'
}
