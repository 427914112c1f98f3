/** What people there call their zone, where browsers say no more than `GMT+5`. */
const ZONE_LETTERS: Record<string, string> = {
  'Asia/Karachi': 'PKT',
  'Asia/Kolkata': 'IST',
  'Asia/Dubai': 'GST',
}

/** Letters of a time zone (IANA) at an instant (epoch ms): `PKT`, `GMT+5`. @throws RangeError for what is no zone */
export const zoneLetters = (at: number, zone: string): string =>
  ZONE_LETTERS[zone] ??
  new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ??
  zone
