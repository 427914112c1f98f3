import type { CallName } from './calls.ts'

/** A request of a call and what a server answers to it: in the description, and sent by a test to a server of this company. */
export type CallExample = {
  call: CallName
  /** what it shows, in a few words */
  title: string
  headers?: Record<string, string>
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
  status: number
  answer: unknown
}

/** Known to the company of the examples; its key is `EXAMPLE_KEY`. */
export const EXAMPLE_IMEI = '356307042441013'
export const EXAMPLE_KEY = 'your-device-key'
const KEY = { 'x-device-key': EXAMPLE_KEY }

export const EXAMPLES: readonly CallExample[] = [
  {
    call: 'ingest',
    title: 'Two readings, one of a device that is not known',
    headers: KEY,
    body: {
      readings: [
        {
          imei: EXAMPLE_IMEI,
          at: '2026-03-01T08:59:30.000Z',
          lat: 31.5204,
          lng: 74.3587,
          speed: 43,
          angle: 270,
          temperature: 4.2,
          humidity: 61,
          Ignition: true,
        },
        { imei: '860000000000001', at: '2026-03-01T08:59:30.000Z', temperature: 4 },
      ],
    },
    status: 200,
    answer: {
      accepted: 1,
      duplicates: 0,
      held: 0,
      refused: [{ index: 1, reason: 'unknown device' }],
      dropped: [],
    },
  },
  {
    call: 'ingest',
    title: 'A key that is not known',
    headers: { 'x-device-key': 'another-key' },
    body: { readings: [] },
    status: 401,
    answer: { code: 401, message: 'Unknown device key' },
  },
  {
    call: 'events',
    title: 'What happened after position 40',
    headers: KEY,
    query: { after: 40, limit: 2 },
    status: 200,
    answer: {
      events: [
        {
          seq: 41,
          type: 'device-status.changed',
          at: '2026-03-01T08:41:00.000Z',
          recordedAt: '2026-03-01T09:00:00.000Z',
          data: { imei: EXAMPLE_IMEI, from: 'offline', to: 'online', lat: 31.5204, lng: 74.3587 },
        },
        {
          seq: 42,
          type: 'violation.opened',
          at: '2026-03-01T08:52:00.000Z',
          recordedAt: '2026-03-01T09:00:00.000Z',
          data: {
            violationId: 'v1',
            imei: EXAMPLE_IMEI,
            type: 'HIGH_TEMPERATURE_DETECTED',
            threshold: 8,
            delaySeconds: 60,
            since: 1772355060000,
            value: 9.4,
            lat: 31.5204,
            lng: 74.3587,
          },
        },
      ],
      next: 42,
      hasMore: true,
    },
  },
  {
    call: 'events',
    title: 'A key that is not known',
    headers: { 'x-device-key': 'another-key' },
    status: 401,
    answer: { code: 401, message: 'Unknown device key' },
  },
  {
    call: 'login',
    title: 'A password that is not theirs',
    body: { username: 'ayesha', password: 'not hers' },
    status: 401,
    answer: { code: 401, message: 'Invalid username or password' },
  },
]
