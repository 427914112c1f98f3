import { formatHumidity, formatTemperature } from '../../format/numbers.ts'
import { classNames } from '../../ui/class-names.ts'
import { type GlyphState, STATE_INK, STATE_WORDS, StateGlyph } from '../../ui/state-glyph.tsx'
import { BAND, HIGH, LOW, path, spells } from './sample-day.ts'

/** A day of a chilled truck beside the form: what Frostline watches, in its own shapes. Decoration, not data. */
export default function ColdChain() {
  return (
    <div aria-hidden="true" className="absolute inset-0 select-none">
      <Isotherms />
      <div className="absolute inset-0 flex flex-col justify-center gap-4 p-12 wall:p-24">
        <div className="w-full max-w-220 self-center rounded-panel bg-surface p-6 shadow-soft">
          <div className="flex items-baseline gap-3">
            <StateGlyph state="hot" size={14} />
            <span className="font-semibold">LEA-4817</span>
            <span className="text-ink-soft">Multan to Lahore</span>
            <span className="tabular ml-auto font-semibold text-figure tracking-tight text-hot">
              {formatTemperature(10.2)}
            </span>
          </div>
          <Day />
          <p className="text-dense text-ink-soft">Above {HIGH} °C for 34 minutes since 14:02</p>
        </div>
        <div className="w-full max-w-220 self-center rounded-panel bg-surface p-2 shadow-soft">
          {rows.map((row) => (
            <div key={row.plate} className="tabular flex h-9 items-center gap-3 px-4 text-dense">
              <StateGlyph state={row.state} />
              <span className="w-20 font-medium">{row.plate}</span>
              <span className={classNames('hidden flex-1 wall:block', STATE_INK[row.state])}>
                {STATE_WORDS[row.state]}
              </span>
              <span className="flex-1 truncate text-ink-soft">{row.place}</span>
              <span className="w-20 text-right">{formatTemperature(row.temperature)}</span>
              <span className="w-20 text-right text-ink-soft">{formatHumidity(row.humidity)}</span>
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

const rows: {
  state: GlyphState
  plate: string
  place: string
  temperature: number | null
  humidity: number | null
}[] = [
  { state: 'cold', plate: 'TKB-209', place: 'Sukkur', temperature: -1.6, humidity: 61.25 },
  { state: 'humid', plate: 'Store 3', place: 'Faisalabad', temperature: 4.1, humidity: 93.5 },
  { state: 'offline', plate: 'LES-7710', place: 'Bahawalpur', temperature: 5.3, humidity: 58 },
  { state: 'fine', plate: 'RIZ-5521', place: 'Islamabad', temperature: 3.9, humidity: 64.75 },
  { state: 'fine', plate: 'KHI-0934', place: 'Hyderabad', temperature: 4.6, humidity: 66.1 },
]

const { width, height } = BAND

function Day() {
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} className="my-3 w-full overflow-visible">
      <rect width={width} y={path.y(HIGH)} height={path.y(LOW) - path.y(HIGH)} className="fill-ground" />
      {[HIGH, LOW].map((limit) => (
        <g key={limit}>
          <line
            x2={width}
            y1={path.y(limit)}
            y2={path.y(limit)}
            className="stroke-accent"
            strokeDasharray="2 4"
          />
          <text
            x={width}
            y={path.y(limit) - 5}
            textAnchor="end"
            className="tabular fill-ink-faint text-[11px]"
          >
            {limit} °C
          </text>
        </g>
      ))}
      {spells.map(({ d, isBeyond }) => (
        <path
          key={d}
          d={d}
          fill="none"
          strokeWidth="2"
          strokeLinejoin="round"
          strokeLinecap="round"
          className={isBeyond ? 'stroke-hot' : 'stroke-ink-soft'}
        />
      ))}
    </svg>
  )
}

/** Lines of equal temperature, far behind. */
function Isotherms() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1200 1000"
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full text-line"
      fill="none"
      stroke="currentColor"
    >
      {isotherms.map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  )
}

const isotherms = Array.from({ length: 15 }, (_, line) => {
  const points = Array.from({ length: 61 }, (__, i) => {
    const x = i * 20
    const swell =
      60 * Math.sin(x / 210 + line / 5) + 36 * Math.sin(x / 97 - line / 3) + 90 * Math.sin(x / 400 + line / 9)
    return `${x} ${(line * 84 - 60 + swell).toFixed(1)}`
  })
  return `M${points.join('L')}`
})
