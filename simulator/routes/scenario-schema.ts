/** What a scenario file may hold, as JSON Schema: published for editors, in the tree and by the app. */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Struct } from 'superstruct'
import { ScenarioFile } from '#machines/contracts/scenario.ts'
import { schemaOf } from '../../server/ports.ts'

type Node = { description?: string; properties?: Record<string, Node>; items?: Node; oneOf?: Node[] }

/** What an editor shows beside a field; by its path, arrays and alternatives passed over. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  name: 'The title people see.',
  story: 'One or two sentences: what there is to see.',
  seed: 'The same file and seed give the same facts.',
  start: 'When the scenario starts, ISO 8601 with zone. All minutes below count from here.',
  timeZone: 'Of every company, e.g. Asia/Karachi: schedules and reports go by it.',
  utcOffsetMinutes: "The zone's offset, for the rhythm of the day.",
  historyDays: 'Days before the start that can be asked for.',
  reportSeconds: 'Seconds between two readings of a device.',
  password: 'Of every account.',
  corridorFiles: 'Roads, relative to this file or to the scenarios that are shipped.',
  placeFiles: 'Places, relative to this file or to the scenarios that are shipped.',
  'companies.groups':
    'Parents before children; the first is the top. Devices are evaluated by the thresholds of their own group.',
  'companies.patienceSeconds': 'How long a silent device still counts as online.',
  'companies.violationDelaySeconds': 'How long a threshold must be crossed before it is a violation.',
  'companies.tmin': 'Lower end of axes and sliders, °C; hmin, hmax and tmax likewise.',
  users: 'Accounts; those with a note are offered on the sign-in page.',
  fleets: 'Devices of one kind in one group.',
  'fleets.count': "At the scenario's own size; scaled where DEVICES says another one.",
  'fleets.tac': 'First eight digits of their IMEIs, of no other fleet.',
  'fleets.name': 'A pattern: {n} the ordinal, {n:3} padded to three digits, {A} a letter, {9} a digit.',
  'fleets.home': 'Where its stores stand and its vehicles live.',
  'fleets.destinations': 'Where a vehicle drives to, and back from.',
  'thermalProfiles.insulation': 'Heat that leaks in, W for each K between outside and inside.',
  'thermalProfiles.thermalMass': 'kJ to warm the box by 1 K.',
  'thermalProfiles.compressorPower': 'W it can remove.',
  'thermalProfiles.heatLoss': 'Share of its power the compressor loses with each K outside above 35 °C.',
  incidents: 'What goes wrong by itself: how often a day for each device, and for how long.',
  dayRhythm: 'Share of incidents that start in each hour of the local day.',
  weather: 'Hotter or colder than the season has it, at some places or everywhere.',
  scriptedFaults: 'Of one device (fleet and device, or imei), of a share of a fleet, or of a share of all.',
  'scriptedFaults.startsOverMinutes': 'Not all at once: each begins up to so much later.',
  'scriptedFaults.endsOverMinutes': 'Not all at once: each ends up to so much later.',
  'scriptedFaults.aheadMinutes': 'Of clock-skew: by how much the clock is ahead until the fault ends.',
  backlogs:
    'Trackers that do not send what they kept from the oldest reading on; the first entry that is about a device counts.',
  'backlogs.sort':
    'newest: the newest first. priority: what has a high priority first, then the rest from the oldest.',
  events: 'What happens that is no fault of a device.',
  'events.profileId': 'Of a profile that is shipped, or that a profile.set before it makes.',
  outcomes: 'What must have happened: npm run scenarios -- --run <name> and npm test look whether it has.',
  'outcomes.knownBetween': 'When it must be told of: long after it opened where it is found late.',
  'outcomes.usedBetween': 'How much of the budget of its load is used, %.',
  'outcomes.of': 'The devices meant: all that fit everything given; all where it is left out.',
}

/** JSON Schema, 2020-12. What only a name elsewhere can tell (whether a fleet exists) is not in it. */
export function scenarioSchema(): Record<string, unknown> {
  const schema = schemaOf(ScenarioFile as unknown as Struct<unknown>, 'written')
  for (const [path, text] of Object.entries(DESCRIPTIONS))
    for (const node of nodesAt(schema as Node, path.split('.'))) node.description = text
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A scenario of Frostline',
    ...schema,
  }
}

/** As it lies in the tree. */
export const scenarioSchemaText = (): string => `${JSON.stringify(scenarioSchema(), null, 2)}\n`

function nodesAt(node: Node, [name, ...rest]: string[]): Node[] {
  if (name === undefined) return [node]
  const within = [node, ...(node.items ? [node.items] : [])].flatMap((each) => [each, ...(each.oneOf ?? [])])
  return within.flatMap(({ properties }) => {
    const next = properties?.[name]
    return next ? nodesAt(next, rest) : []
  })
}

/** Always the same; written when it is first asked for. */
let written: string | undefined

async function published(app: FastifyInstance): Promise<void> {
  app.get('/sim/scenario.schema.json', async (_, reply) => {
    written ??= scenarioSchemaText()
    return reply.type('application/schema+json; charset=utf-8').send(written)
  })
}

/** `GET /sim/scenario.schema.json`: holds nothing but what the tree holds too, so anybody may read it. */
export const scenarioSchemaPlugin = fp(published, { name: 'scenario-schema', fastify: '5.x' })
