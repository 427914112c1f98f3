/** A file of one zone and what it imports; line n of the file is import n. No two zones share a file. */
export type Zone = { file: string; imports: string[] }

/** Rooms of the server, from the top; those of one line import each other no more than those above. */
const ROOMS = [
  ['admin'],
  ['api'],
  ['jobs'],
  ['ingest', 'evaluation'],
  ['commands'],
  ['auth'],
  ['read-models'],
  ['cluster'],
  ['store'],
  ['metrics', 'config', 'data'],
]
const isAllowed = (room: string, other: string): boolean =>
  ROOMS.findIndex((line) => line.includes(room)) < ROOMS.findIndex((line) => line.includes(other))
/** One file a room, with an import of each other room that is allowed, or each that is not. */
const roomZones = (name: string, isWanted: (room: string, other: string) => boolean): Zone[] =>
  ROOMS.flat().map((room) => ({
    file: `server/${room}/${name}`,
    imports: ROOMS.flat()
      .filter((other) => other !== room && isWanted(room, other))
      .map((other) => `../${other}/${other}.ts`),
  }))

/** Samples the linter must refuse. */
export const forbidden: Zone[] = [
  ...roomZones('upwards.ts', (room, other) => !isAllowed(room, other)),
  {
    file: 'machines/contracts/no.ts',
    imports: [
      '../rules/status.ts',
      '#machines/rules/status.ts',
      'xstate',
      'date-fns',
      '../session/session.machine.ts',
    ],
  },
  {
    file: 'machines/contracts/calls/no.ts',
    imports: ['../../rules/status.ts', '../../../src/main.tsx', 'xstate'],
  },
  {
    file: 'machines/rules/no.ts',
    imports: [
      '../projections/fleet.ts',
      '../violation/violation.machine.ts',
      'xstate',
      '../../server/store/store.ts',
    ],
  },
  {
    file: 'machines/projections/no.ts',
    imports: [
      '../violation/violation.machine.ts',
      'xstate',
      '#machines/violation/violation.machine.ts',
      'rxjs',
    ],
  },
  {
    file: 'machines/session/no.machine.ts',
    imports: [
      '../link/link.machine.ts',
      '#machines/link/link.machine.ts',
      '../projections/fleet.ts',
      '../testing/paths.ts',
      '../../src/effects/http.ts',
      'xstate/graph',
      '@xstate/test',
      'react',
    ],
  },
  { file: 'machines/session/no.samples.ts', imports: ['../link/link.samples.ts', 'vitest', 'node:fs'] },
  {
    file: 'machines/session/no.test.ts',
    imports: ['../link/link.machine.ts', 'xstate/graph', '@xstate/test'],
  },
  {
    file: 'machines/testing/no.ts',
    imports: ['xstate/graph', '@xstate/test', '../session/session.machine.ts'],
  },
  {
    file: 'server/ingest/no.ts',
    imports: [
      '../../tools/local-cluster/postgres.ts',
      '../../src/format/numbers.ts',
      '../../machines/contracts/facts.ts',
      'xstate/graph',
      'react',
    ],
  },
  {
    file: 'server/no.ts',
    imports: [
      '../tools/local-cluster/postgres.ts',
      '../src/main.tsx',
      '../simulator/plugin.ts',
      './testing/caller.ts',
      '#fixtures/corridors.ts',
    ],
  },
  { file: 'server/main.ts', imports: ['../simulator/world/world.ts', '../tools/bench/run.ts'] },
  {
    file: 'server/api/http/no.ts',
    imports: ['../../app.ts', '../../ports.ts', '../../../simulator/plugin.ts'],
  },
  {
    file: 'server/jobs/no.test.ts',
    imports: ['../../simulator/testing/start-demo.ts', '../../src/main.tsx'],
  },
  { file: 'server/store/postgres/no.ts', imports: ['../../../tools/local-cluster/test-database.ts'] },
  {
    file: 'server/jobs/notifier/sending/no.ts',
    imports: [
      '../mail/letter.ts',
      '../sms/texter.ts',
      '../alerts/alerts.ts',
      '#machines/rules/limits.ts',
      'nodemailer',
    ],
  },
  {
    file: 'server/jobs/reports/contents/no.ts',
    imports: [
      '../../../store/store.ts',
      '../queue.ts',
      '../../../../simulator/world/clock.ts',
      '../../../api/http/plugin.ts',
      'node:sqlite',
      'react',
    ],
  },
  {
    file: 'simulator/no.ts',
    imports: [
      '../server/store/store.ts',
      '../server/app.ts',
      '../src/main.tsx',
      '../machines/contracts/facts.ts',
      '@xstate/test',
      '../tools/local-cluster/postgres.ts',
    ],
  },
  {
    file: 'simulator/world/no.ts',
    imports: [
      '../../server/store/store.ts',
      '../registration.ts',
      '#machines/rules/status.ts',
      '#machines/violation/violation.machine.ts',
      '#fixtures/corridors.ts',
      'fastify',
    ],
  },
  {
    file: 'simulator/world/reefers/no.ts',
    imports: ['../../../server/store/store.ts', '../../registration.ts', '#machines/rules/status.ts'],
  },
  { file: 'simulator/world/no.test.ts', imports: ['../registration.ts', '#machines/rules/status.ts'] },
  {
    file: 'src/streams/no.ts',
    imports: [
      '../../server/store/store.ts',
      '../../machines/contracts/facts.ts',
      '#fixtures/corridors.ts',
      'xstate/graph',
      '@xstate/test',
    ],
  },
  {
    file: 'src/ui/no.tsx',
    imports: ['../features/dashboard/map.tsx', '../read-model/fleet.ts', '../effects/http.ts'],
  },
  {
    file: 'src/read-model/no.ts',
    imports: ['../effects/http.ts', '../features/dashboard/map.tsx', '../ui/button.tsx'],
  },
  {
    file: 'src/machine-chart/no.ts',
    imports: [
      '../ui/button.tsx',
      '../actors/root.ts',
      '#machines/session/session.machine.ts',
      '../../server/store/store.ts',
      'xstate/graph',
    ],
  },
  {
    file: 'src/features/dashboard/no.tsx',
    imports: [
      '../../effects/http.ts',
      '../../streams/fleet.ts',
      '../device-history/search.tsx',
      '../../features/device-history/search.tsx',
      '../../main.tsx',
      '#fixtures/corridors.ts',
      '../../../server/store/store.ts',
      'xstate/graph',
    ],
  },
  {
    file: 'src/features/dashboard/list/no.tsx',
    imports: [
      '../../../effects/http.ts',
      '../../device-history/search.tsx',
      '../../../../server/store/store.ts',
    ],
  },
  {
    file: 'fixtures/no.ts',
    imports: [
      '#machines/rules/status.ts',
      '../server/store/store.ts',
      '../src/main.tsx',
      'rxjs',
      '../machines/contracts/facts.ts',
    ],
  },
  {
    file: 'e2e/no.spec.ts',
    imports: [
      '../src/main.tsx',
      '../server/main.ts',
      '../machines/contracts/facts.ts',
      '../tools/local-cluster/run.ts',
    ],
  },
  { file: 'tools/bench/no.ts', imports: ['xstate/graph', '@xstate/test'] },
  {
    file: 'tools/faults/no.ts',
    imports: [
      '../../src/main.tsx',
      '../../machines/contracts/facts.ts',
      '../../fixtures/scenarios/demo.json',
      'xstate/graph',
    ],
  },
  {
    file: 'tools/local-cluster/no.ts',
    imports: ['../../src/main.tsx', '../../machines/contracts/facts.ts', 'xstate/graph'],
  },
]

/** Samples the linter must let pass: the rules would be worthless if they refused everything. */
export const allowed: Zone[] = [
  ...roomZones('downwards.ts', isAllowed),
  { file: 'machines/contracts/yes.ts', imports: ['./facts.ts', 'superstruct'] },
  {
    file: 'machines/contracts/calls/yes.ts',
    imports: ['./paging.ts', '../scalars.ts', '../entities/users.ts'],
  },
  { file: 'machines/rules/yes.ts', imports: ['./status.ts', '../contracts/facts.ts', 'date-fns'] },
  { file: 'machines/projections/yes.ts', imports: ['../contracts/facts.ts', '../rules/status.ts'] },
  {
    file: 'machines/session/yes.machine.ts',
    imports: ['xstate', '../contracts/http.ts', '../rules/password.ts', './a.ts'],
  },
  {
    file: 'machines/session/yes.paths.test.ts',
    imports: [
      '../testing/paths.ts',
      './session.machine.ts',
      'vitest',
      'fast-check',
      'node:fs',
      '#fixtures/messages.ts',
    ],
  },
  { file: 'machines/session/yes.samples.ts', imports: ['../testing/path-model.ts', './session.machine.ts'] },
  { file: 'machines/testing/paths.ts', imports: ['xstate', 'xstate/graph', '@xstate/test', './coverage.ts'] },
  {
    file: 'server/ingest/yes.ts',
    imports: [
      '../store/store.ts',
      '#machines/rules/status.ts',
      '#machines/violation/violation.machine.ts',
      'node:net',
      'fastify',
    ],
  },
  {
    file: 'server/jobs/notifier/sending/yes.ts',
    imports: [
      './pauses.ts',
      '../../../store/store.ts',
      '../../../read-models/read-models.ts',
      '#machines/contracts/facts.ts',
      'node:timers/promises',
    ],
  },
  {
    file: 'server/jobs/reports/contents/yes.ts',
    imports: [
      './workbook.ts',
      '../order.ts',
      '../../../evaluation/limits.ts',
      '../../../data/places.ts',
      '#machines/rules/limits.ts',
      'node:zlib',
      'pdfkit',
    ],
  },
  {
    file: 'simulator/world/yes.ts',
    imports: ['./clock.ts', '#machines/contracts/facts.ts', 'node:crypto', './reefers/heat.ts'],
  },
  {
    file: 'simulator/world/reefers/yes.ts',
    imports: ['../clock.ts', '../roads/ways.ts', '#machines/contracts/facts.ts'],
  },
  {
    file: 'simulator/world/yes.test.ts',
    imports: ['./clock.ts', 'vitest', 'fast-check', '#fixtures/corridors.ts'],
  },
  {
    file: 'src/actors/yes.ts',
    imports: ['../effects/http.ts', '../streams/fleet.ts', '#machines/session/session.machine.ts'],
  },
  {
    file: 'src/ui/yes.tsx',
    imports: ['react', 'react-aria-components', '../format/numbers.ts', './button.tsx', 'lucide-react'],
  },
  { file: 'src/read-model/yes.ts', imports: ['#machines/projections/fleet.ts', './columns.ts', 'rxjs'] },
  {
    file: 'src/machine-chart/yes.ts',
    imports: [
      './layout.ts',
      '#machines/testing/outline.ts',
      '#machines/contracts/calls/lab-calls.ts',
      'react',
    ],
  },
  {
    file: 'src/features/dashboard/yes.tsx',
    imports: [
      './map.tsx',
      './list/row.tsx',
      '../../read-model/fleet.ts',
      '../../actors/root.ts',
      '../../ui/button.tsx',
      '../../format/numbers.ts',
      '../../layout/page.tsx',
      '../../map/style.ts',
      '../../machine-chart/layout.ts',
      '#machines/rules/status.ts',
      'react',
    ],
  },
  {
    file: 'src/features/dashboard/list/yes.tsx',
    imports: [
      './row.tsx',
      '../map.tsx',
      '../panel/card.tsx',
      '../../../ui/button.tsx',
      '../../../read-model/fleet.ts',
    ],
  },
  {
    file: 'fixtures/yes.test.ts',
    imports: ['#machines/contracts/decode.ts', './corridors.ts', 'vitest', 'node:fs'],
  },
  {
    file: 'e2e/yes.spec.ts',
    imports: ['#machines/testing/paths.ts', '#fixtures/messages.ts', './app.ts', '@playwright/test'],
  },
  { file: 'e2e/yes.ts', imports: ['../tools/build/running-app.ts'] },
  {
    file: 'tools/faults/yes.ts',
    imports: [
      '#machines/contracts/facts.ts',
      '../../server/store/store.ts',
      '../build/running-app.ts',
      '../bench/figures.ts',
      '../local-cluster/postgres.ts',
    ],
  },
  {
    file: 'tools/local-cluster/yes.ts',
    imports: ['../build/running-app.ts', '../../server/testing/caller.ts', '#machines/contracts/facts.ts'],
  },
  { file: 'server/yes.ts', imports: ['./cluster/cluster.ts', './ports.ts'] },
  {
    file: 'server/jobs/yes.test.ts',
    imports: ['../testing/facts.ts', '../app.ts', '#fixtures/corridors.ts'],
  },
  {
    file: 'simulator/yes.ts',
    imports: ['../server/ports.ts', './world/world.ts', '#machines/contracts/facts.ts'],
  },
  {
    file: 'simulator/yes.test.ts',
    imports: ['../server/start-server.ts', '../tools/local-cluster/postgres.ts'],
  },
  {
    file: 'server/store/postgres/yes.ts',
    imports: ['../../config/config.ts', '#machines/contracts/facts.ts', 'postgres'],
  },
  {
    file: 'server/store/postgres/yes.test.ts',
    imports: ['../../../tools/local-cluster/test-database.ts'],
  },
]

/** Code that would make a machine depend on where and when it runs, each with the rule that must refuse it. */
export const impure: { file: string; code: string; rule: string }[] = [
  { file: 'machines/rules/node.ts', code: "import { readFileSync } from 'node:fs'", rule: 'noNodejsModules' },
  {
    file: 'machines/rules/clock.ts',
    code: 'export const now = Date.now()',
    rule: 'noJsRestrictedProperties',
  },
  {
    file: 'machines/rules/chance.ts',
    code: 'export const dice = Math.random()',
    rule: 'noJsRestrictedProperties',
  },
  { file: 'machines/rules/dom.ts', code: 'export const title = document.title', rule: 'noRestrictedGlobals' },
  { file: 'machines/rules/net.ts', code: "export const answer = fetch('/api')", rule: 'noRestrictedGlobals' },
  {
    file: 'machines/link/timer.ts',
    code: 'export const timer = setTimeout(() => {}, 1)',
    rule: 'noRestrictedGlobals',
  },
]
