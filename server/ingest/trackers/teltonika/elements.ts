/**
 * The elements of Teltonika records that are read, each once. docs/trackers.md lists them, and a test holds the two together.
 * Source: the manufacturer's AVL id lists (FMB, FMC, FMM, TAT series).
 */
type Value = 'unsigned' | 'signed' | 'list'

export type Element = {
  ids: readonly number[]
  /** what the manufacturer calls it */
  name: string
  value: Value
  /** widths it is defined in, bytes; of another width it is ignored. None: any */
  bytes: readonly number[]
  /** sent = in units × scale */
  scale: number
  unit: string
  /** numbers as sent that stand for «not measured» */
  faults: readonly number[]
  /** numbers as sent that do so where the same sensor measures no humidity either: else they are degrees */
  ambiguous: readonly number[]
  /** the largest number as sent that is a value */
  most: number
}

/** In tenths of °C: not ready (also as 85.0 °C), not readable, not connected, no id, not ready. */
const DALLAS_FAULTS = [850, 2000, 3000, 4000, 5000]
/** In hundredths of °C: not readable, not found, abnormal, as newer series say it. */
const EYE_FAULTS = [32765, 32766, 32767, -32768]
/** Older series say it so, which is 20, 30 and 40 °C too. */
const RADIO_FAULTS = [2000, 3000, 4000]
const ANY = Number.POSITIVE_INFINITY

const plain = { value: 'unsigned', scale: 1, unit: '', faults: [], ambiguous: [], most: ANY } as const
const flag = { ...plain, bytes: [1], most: 1 } as const
const volts = { ...plain, bytes: [2], scale: 1000, unit: 'V', most: 65_500 } as const
const temperature = { value: 'signed', unit: '°C', ambiguous: [], most: ANY } as const
const radioTemperature = { ...temperature, bytes: [2], scale: 100, faults: EYE_FAULTS } as const

export const ELEMENTS = {
  gsmSignal: { ids: [21], name: 'GSM signal', ...plain, bytes: [1], most: 5 },
  speed: { ids: [24], name: 'Speed', ...plain, bytes: [2], unit: 'km/h', most: 400 },
  externalVoltage: { ids: [66], name: 'External voltage', ...volts },
  batteryVoltage: { ids: [67], name: 'Battery voltage', ...volts },
  gnssStatus: { ids: [69], name: 'GNSS status', ...plain, bytes: [1], most: 4 },
  ignition: { ids: [239], name: 'Ignition', ...flag },
  unplug: { ids: [252], name: 'Unplug', ...flag },
  wiredTemperatures: {
    ids: [72, 73, 74, 75],
    name: 'Dallas temperature 1–4',
    ...temperature,
    bytes: [2, 4],
    scale: 10,
    faults: DALLAS_FAULTS,
  },
  radioTemperatures: {
    ids: [25, 26, 27, 28],
    name: 'BLE temperature 1–4',
    ...radioTemperature,
    ambiguous: RADIO_FAULTS,
  },
  eyeTemperatures: {
    ids: [10800, 10801, 10802, 10803],
    name: 'EYE temperature 1–4',
    ...radioTemperature,
  },
  probeTemperatures: {
    ids: [10644, 10645, 10646, 10647, 10648, 10649],
    name: 'Probe temperature 1–6',
    ...radioTemperature,
  },
  radioHumidities: {
    ids: [86, 104, 106, 108],
    name: 'BLE humidity 1–4',
    ...plain,
    bytes: [2],
    scale: 10,
    unit: '%',
    most: 1000,
  },
  eyeHumidities: {
    ids: [10804, 10805, 10806, 10807],
    name: 'EYE humidity 1–4',
    ...plain,
    bytes: [1],
    unit: '%',
    most: 100,
  },
  /** 1: the magnet is at the sensor, the door is closed */
  eyeMagnets: { ids: [10808, 10809, 10810, 10811], name: 'EYE magnet 1–4', ...flag },
  eyeLowBatteries: { ids: [10820, 10821, 10822, 10823], name: 'EYE low battery 1–4', ...flag },
  sensorLists: {
    ids: [548, 10828, 10829, 10831, 11317],
    name: 'List of sensors',
    ...plain,
    value: 'list',
    bytes: [],
  },
} as const satisfies Record<string, Element>
