import { any, array, boolean, coerce, type Infer, object, type as open, optional, string } from 'superstruct'
import { describedAs, named } from '../described.ts'
import { READING_FIELDS, type ReadingField } from '../readings.ts'
import { between, Count, Imei, Instant, listOf } from '../scalars.ts'
import { calls, LIST_BODY_BYTES } from './call.ts'

const measured = (field: ReadingField) =>
  optional(between(READING_FIELDS[field].min, READING_FIELDS[field].max))
/** 0 or 1, also as a boolean. */
const measuredFlag = (field: ReadingField) =>
  optional(
    describedAs(
      coerce(between(READING_FIELDS[field].min, READING_FIELDS[field].max), boolean(), (on) => (on ? 1 : 0)),
      boolean(),
      between(READING_FIELDS[field].min, READING_FIELDS[field].max),
    ),
  )

/** One reading as a sender writes it: units of READING_FIELDS, field names of the documents. `at`: the device's clock. */
export const IngestReading = object({
  imei: Imei,
  at: Instant,
  lat: measured('lat'),
  lng: measured('lng'),
  temperature: measured('temperature'),
  temperature2: measured('temperature2'),
  humidity: measured('humidity'),
  speed: measured('speed'),
  angle: measured('heading'),
  GSM_Signal: measured('gsmSignal'),
  GNSS_Status: measured('gnssStatus'),
  External_Voltage: measured('externalVoltage'),
  Battery_Voltage: measured('batteryVoltage'),
  Ignition: measuredFlag('ignition'),
  Unplug: measuredFlag('unplug'),
  /** of the cargo: 1 open, 0 closed */
  Door: measuredFlag('door'),
})
export type IngestReading = Infer<typeof IngestReading>

const Reading = named<IngestReading>('IngestReading', () => IngestReading)

/** `index`: of the reading in what was sent. */
export const IngestAnswer = open({
  accepted: Count,
  duplicates: Count,
  /** whose time is more than five minutes ahead: kept until it has come */
  held: Count,
  refused: array(open({ index: Count, reason: string() })),
  /** fields that no reading can have; the rest of it was taken */
  dropped: array(open({ index: Count, reason: string() })),
})
export type IngestAnswer = Infer<typeof IngestAnswer>

export const INGEST_CALLS = calls({
  ingest: {
    method: 'POST',
    path: '/ingest',
    summary:
      'Store readings; answers once they are safe. One wrong reading (see IngestReading) does not refuse the rest.',
    access: 'device-key',
    // each is decoded by itself: one that is wrong refuses no other
    body: object({ readings: listOf(describedAs(any(), Reading), 10_000) }),
    // with every field 10,000 readings are about 2.5 MB
    bodyBytes: LIST_BODY_BYTES,
    answer: IngestAnswer,
  },
})
