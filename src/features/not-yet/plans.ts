/** A page that is planned: what will be there. */
export type Plan = { path: string; title: string; what: string; points: readonly string[] }

const observations = [
  'One device, a start and a duration in hours',
  'Rows with 100, 300 or 500 a page',
  'Download as a spreadsheet',
]
const reportRequest = [
  'Groups and devices, searchable, with all at once',
  'A range of up to one month',
  'Progress in Report Logs',
]

/** Pages of the portal's addresses that are not built yet, inside the shell. */
export const plans: readonly Plan[] = [
  {
    path: '/reports',
    title: 'Reports',
    what: 'What happened, as a file.',
    points: ['Distance, temperature, observation, event and power', 'Scheduled, by e-mail'],
  },
  {
    path: '/reports/:type',
    title: 'Report',
    what: 'Vehicles and interval of a report.',
    points: ['Vehicles or whole groups', 'Start and end'],
  },
  {
    path: '/distanceReport',
    title: 'Distance Report',
    what: 'The distance travelled in a time.',
    points: reportRequest,
  },
  {
    path: '/temperatureReport',
    title: 'Temperature Report',
    what: 'Temperatures over time.',
    points: reportRequest,
  },
  {
    path: '/observationReport',
    title: 'Observation Report',
    what: 'Every reading of chosen devices.',
    points: reportRequest,
  },
  { path: '/eventReport', title: 'Event Report', what: 'Violations by kind.', points: reportRequest },
  { path: '/powerReport', title: 'Power Report', what: 'When devices had power.', points: reportRequest },
  {
    path: '/scheduleReport',
    title: 'Schedule Report',
    what: 'Reports that come by themselves.',
    points: ['Daily, weekly, monthly or every ten days', 'By e-mail to whoever needs them'],
  },
  {
    path: '/download/reports',
    title: 'Report Logs',
    what: 'Reports asked for, and how far they are.',
    points: ['Pending and completed', 'A link to each file'],
  },
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
  {
    path: '/notifications',
    title: 'Notifications',
    what: 'What the fleet had to say.',
    points: ['By device, kind and date', 'Where it was, on a map', 'Comments'],
  },
  {
    path: '/visualization/violations',
    title: 'Violations',
    what: 'Violations by device, as a chart.',
    points: ['Four counters', 'A bar for each device', 'Download as an image'],
  },
  {
    path: '/visualization/summary',
    title: 'Summary',
    what: 'Devices with violations against those without.',
    points: ['Number of devices', 'Total of violations', 'Download as an image'],
  },
]
