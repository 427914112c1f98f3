import type { ReactNode } from 'react'

/** Nothing was beyond its limits: the documents' words under a picture, and what may be done. */
export function NoViolations({ children }: { children?: ReactNode }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-4 p-8 text-center">
      <QuietDay />
      <p className="font-semibold text-body">No Violations found.</p>
      {children && <div className="max-w-96 text-ink-soft">{children}</div>}
    </div>
  )
}

/** A line that stays between its limits all day, under a calm sky. */
function QuietDay() {
  return (
    <svg viewBox="0 0 240 120" className="w-60" fill="none" role="img" aria-label="A line within its limits">
      <rect x="1" y="1" width="238" height="118" rx="8" className="fill-sunken" />
      <rect x="12" y="38" width="216" height="44" rx="3" className="fill-chart-band" />
      <path d="M12 38h216M12 82h216" className="stroke-line" strokeWidth="1.5" strokeDasharray="2 5" />
      <path
        d="M12 62c14-10 22-10 34 0s22 8 34-3 22-8 34 3 22 8 34-2 22-7 34 2 28 6 46-4"
        className="stroke-chart-line"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="228" cy="58" r="4" className="fill-chart-line" />
      <circle cx="196" cy="20" r="7" className="stroke-ink-faint" strokeWidth="1.5" />
      <path
        d="M196 7v-1M196 34v-1M183 20h-1M210 20h-1M186.800 10.800l-.7-.7M205.900 29.900l-.7-.7M205.200 10.800l.7-.7M186.100 29.900l.7-.7"
        className="stroke-ink-faint"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <path
        d="M22 104h14M46 104h14M70 104h14M94 104h14M118 104h14M142 104h14M166 104h14M190 104h14"
        className="stroke-line"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
