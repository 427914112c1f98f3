import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Decoded, FrameError, type Tracker } from '../protocol.ts'
import { crcX25, frameLength, readFrame, writeFrame } from './frames.ts'
import { GT06 } from './protocol.ts'

const NOW = Date.UTC(2026, 0, 15, 8)
const TRACKER: Tracker = { imei: '752533678900242', no: 7, companyId: 'indus', utcOffset: 0 }
const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const hexOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && Buffer.from(bytes).toString('hex').toUpperCase()
const read = (hex: string, tracker: Tracker | undefined = TRACKER): Decoded =>
  GT06.read(bytesOf(hex), tracker, NOW)
const message = (type: number, content: string, serial = 1, isLong = false): Uint8Array =>
  writeFrame({ type, content: bytesOf(content), serial, isLong })
const readings = (decoded: Decoded) => (decoded.kind === 'readings' ? decoded.readings : [])

/** Frames printed in the manufacturers' protocol document. */
const PRINTED = {
  login: '78781101075253367890024270003201000512790D0A',
  heartbeat: '78780A134004040001000FDCEE0D0A',
  location: '787822220F0C1D023305C9027AC8180C46586000140001CC00287D001F71000001000820860D0A',
  alarm: '787825260F0C1D030B26C9027AC8180C4658600004000901CC00287D001F718004041302000C472A0D0A',
  fenceAlarm:
    '787826271004190 92D07C5027AC91C0C4658000005370900000000000000008002000C01FF00004DF60D0A'.replace(
      ' ',
      '',
    ),
  timeRequested: '7878058A000688290D0A',
}
/** As terminals sent them: 12.59 V; places in networks whose number has two bytes. */
const SENT = {
  voltage: '7878079404EB001C705D0D0A',
  location: '78782322110C070F1B0270000000000000000000040081360104CB8A00BEF3000000000523030D0A',
  alarm: '78782727110C0B0E170F850450059107F461AE001C7E0A81360104CB8A00BEF32806030C02FF000316B10D0A',
  alarmOf4G:
    '78782EA4110C0C02281BF6026C18720C38D22800149C1181CC00010000260E000000000615F8012C05041102FF001058FD0D0A',
}

describe('frames', () => {
  test('have the checksum of the published check value', () => {
    expect(crcX25(new TextEncoder().encode('123456789'))).toBe(0x906e)
  })

  test('as printed in the protocol read right, and answers are written as printed there', () => {
    for (const frame of Object.values(PRINTED)) expect(frameLength(bytesOf(frame))).toBe(frame.length / 2)
    expect(hexOf(message(0x01, '', 1))).toBe('787805010001D9DC0D0A')
    expect(hexOf(message(0x01, '', 5))).toBe('7878050100059FF80D0A')
    expect(hexOf(message(0x13, '', 0x100))).toBe('787805130100E1A00D0A')
    expect(hexOf(message(0x26, '', 0x1c))).toBe('78780526001C9D860D0A')
    expect(hexOf(message(0x8a, '0F0C1D000015', 6))).toBe('78780B8A0F0C1D0000150006F0860D0A')
  })

  test('long ones have a longer length', () => {
    const long = writeFrame({ type: 0x94, content: new Uint8Array(301), serial: 1 })
    expect([...long.subarray(0, 2)]).toEqual([0x79, 0x79])
    expect(readFrame(long).content).toHaveLength(301)
  })

  test.for([
    ['start', '00'],
    ['start', '7879'],
    ['length', '787804'],
    ['length', '79797fff'],
  ] as const)('cannot begin with a wrong %s: %s', ([fault, hex]) => {
    expect(() => frameLength(bytesOf(hex))).toThrow(expect.objectContaining({ fault }))
  })

  test('with a wrong checksum or stop are broken, and their length is known', () => {
    const frame = bytesOf(PRINTED.heartbeat)
    frame[5] = 0
    expect(() => readFrame(frame)).toThrow(expect.objectContaining({ fault: 'checksum' }))
    const endless = bytesOf(PRINTED.heartbeat)
    endless[endless.length - 1] = 0
    expect(() => readFrame(endless)).toThrow(expect.objectContaining({ fault: 'stop' }))
  })

  test('never bring anything but a FrameError, whatever the bytes', () => {
    const noise = fc.uint8Array({ maxLength: 300 })
    const sealed = fc
      .tuple(
        fc.constantFrom(0x01, 0x12, 0x13, 0x16, 0x22, 0x23, 0x26, 0x27, 0x8a, 0x94, 0x9b, 0xa0, 0xa4, 0x28),
        noise,
      )
      .map(([type, content]) => writeFrame({ type, content, serial: 9 }))
    fc.assert(
      fc.property(fc.oneof(noise, sealed), fc.boolean(), (bytes, isLetIn) => {
        try {
          if (frameLength(bytes) === bytes.length) GT06.read(bytes, isLetIn ? TRACKER : undefined, NOW)
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('messages', () => {
  test('a login says the IMEI, and is answered with its serial', () => {
    const decoded = read(PRINTED.login, undefined)
    expect(decoded).toMatchObject({ kind: 'login', imei: '752533678900242', refusal: undefined })
    expect(hexOf(decoded.kind === 'login' ? decoded.answer : undefined)).toBe('7878050100059FF80D0A')
    expect(() => GT06.read(message(0x01, 'ffffffffffffffff'), undefined, NOW)).toThrow(FrameError)
  })

  test('a location is where it was when, and has no answer', () => {
    const decoded = read(PRINTED.location)
    expect(decoded).toMatchObject({ answer: undefined })
    const [reading] = readings(decoded)
    expect(reading).toMatchObject({
      device: 7,
      at: Date.UTC(2015, 11, 29, 2, 51, 5),
      speed: 0,
      heading: 0,
      ignition: 0,
    })
    expect(reading?.lat).toBeCloseTo(23.111693, 6)
    expect(reading?.lng).toBeCloseTo(114.409298, 6)
  })

  test('a clock that is ahead of UTC is set right by so much', () => {
    const decoded = read(PRINTED.location, { ...TRACKER, utcOffset: 5 * 3600_000 })
    expect(readings(decoded)[0]?.at).toBe(Date.UTC(2015, 11, 28, 21, 51, 5))
  })

  test('west and south are negative; without a fix there is no place', () => {
    const at = '1A010F080000' + 'C9' + '0134FD90' + '0134FD90'
    const west = readings(GT06.read(message(0x12, `${at}3C185A01CC00287D001F71`), TRACKER, NOW))[0]
    expect([west?.lat, west?.lng, west?.speed, west?.heading]).toEqual([-11.25, -11.25, 60, 90])
    const none = readings(GT06.read(message(0x12, `${at}3C005A01CC00287D001F71`), TRACKER, NOW))[0]
    expect(none).toEqual({ device: 7, at: Date.UTC(2026, 0, 15, 8), gnssStatus: 2, ignition: undefined })
  })

  test.for([
    ['a network of one byte', '01CC00' + '0000287D' + '0000000000001F71'],
    ['a network of two', '81CC0001' + '0000287D' + '0000000000001F71'],
  ])('of 4G, with %s, the ignition stands behind a longer cell', ([, cell]) => {
    const frame = message(0xa0, `1A010F080000C90134FD900134FD903C145A${cell}010000`)
    expect(readings(GT06.read(frame, TRACKER, NOW))[0]?.ignition).toBe(1)
  })

  test.each([
    ['location', { ignition: 0 }],
    ['alarm', { ignition: 0, gsmSignal: 3 }],
    ['alarmOf4G', { ignition: 0, gsmSignal: 4 }],
  ] as const)('where the network has two bytes, the state stands behind a longer cell: %s', (name, state) => {
    expect(readings(read(SENT[name]))).toMatchObject([state])
  })

  test('alarms are places with the state of the terminal, answered with their own number', () => {
    const decoded = read(PRINTED.alarm)
    expect(readings(decoded)[0]).toMatchObject({
      at: Date.UTC(2015, 11, 29, 3, 11, 38, 1),
      ignition: 0,
      gsmSignal: 4,
    })
    expect(hexOf(decoded.answer as Uint8Array)).toBe(hexOf(message(0x26, '', 0x0c)))
    const fence = read(PRINTED.fenceAlarm)
    expect(readings(fence)[0]).toMatchObject({ at: Date.UTC(2016, 3, 25, 9, 45, 7, 1) })
    expect(fence.answer?.[3]).toBe(0x27)
  })

  test('heartbeats are of now, answered with their serial; the longer ones measure the battery', () => {
    const decoded = read(PRINTED.heartbeat)
    expect(readings(decoded)).toEqual([{ device: 7, at: NOW, ignition: 0, gsmSignal: 4 }])
    expect(hexOf(decoded.answer as Uint8Array)).toBe(hexOf(message(0x13, '', 0x0f)))
    const measured = GT06.read(message(0x23, '42019A040001'), TRACKER, NOW)
    expect(readings(measured)).toEqual([
      { device: 7, at: NOW, ignition: 1, gsmSignal: 4, batteryVoltage: 4.1 },
    ])
  })

  test('who asks for the time is told it', () => {
    expect(hexOf(read(PRINTED.timeRequested).answer as Uint8Array)).toBe(
      hexOf(message(0x8a, '1A010F080000', 6)),
    )
  })

  test.for([
    ['the vehicle’s voltage', 0x94, '00049F', { externalVoltage: 11.83 }],
    ['an open door', 0x94, '0501', { door: 1 }],
    ['a closed door', 0x94, '0504', { door: 0 }],
    [
      'a thermometer at the serial line',
      0x9b,
      `03${Buffer.from('-18.5').toString('hex')}`,
      { temperature: -18.5 },
    ],
  ] as const)('further messages tell of %s', ([, type, content, values]) => {
    expect(readings(GT06.read(message(type, content, 1, true), TRACKER, NOW))).toEqual([
      { device: 7, at: NOW, ...values },
    ])
  })

  test.for([
    [SENT.voltage, 12.59],
    [hexOf(message(0x94, '0501')) as string, 12.81],
  ] as const)('short information is the vehicle’s voltage, and no door: %s', ([frame, externalVoltage]) => {
    expect(readings(read(frame))).toEqual([{ device: 7, at: NOW, externalVoltage }])
  })

  test('a thermometer may say the unit and end the line', () => {
    // as a terminal sent it: 28.3, ℃ in GB 2312, CR, LF
    const sent = '7979000E9B0332382E33A1E60D0A0289BE490D0A'
    expect(readings(read(sent))).toEqual([{ device: 7, at: NOW, temperature: 28.3 }])
  })

  test('what is not read changes nothing: a card, cells, an answer to a command', () => {
    for (const frame of [
      message(0x9b, '0341424344'),
      message(0x28, '00'),
      message(0x94, '0a0102', 1, true),
      message(0x21, ''),
    ])
      expect(GT06.read(frame, TRACKER, NOW)).toMatchObject({ readings: [], answer: undefined })
  })
})
