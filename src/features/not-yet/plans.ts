/** A page that is planned: what will be there. */
export type Plan = { path: string; title: string; what: string; points: readonly string[] }

const observations = [
  'One device, a start and a duration in hours',
  'Rows with 100, 300 or 500 a page',
  'Download as a spreadsheet',
]

/** Pages of the portal's addresses that are not built yet, inside the shell. */
export const plans: readonly Plan[] = [
  {
    path: '/devices/chiller-observation',
    title: 'Temp Observations',
    what: 'Raw readings of one device as a table.',
    points: observations,
  },
  {
    path: '/devices/tempchiller-observation',
    title: 'Temp Observations with names',
    what: 'Raw readings of one device as a table, with its name.',
    points: observations,
  },
]
