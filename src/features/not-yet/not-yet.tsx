import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import type { Plan } from './plans.ts'

/** A page that is planned, and what will be on it: an outline of it rather than an apology. */
export default function NotYet({ plan }: { plan: Plan }) {
  return (
    <div className="flex min-h-full flex-col items-center justify-center gap-8 p-6">
      <Outline />
      <div className="max-w-110 text-center">
        <p className="mb-2 font-medium text-accent">Not yet</p>
        <h1 className="font-semibold text-title">{plan.title}</h1>
        <p className="mt-1 text-ink-soft">{plan.what} Here will be:</p>
        <ul className="mx-auto mt-4 flex w-fit flex-col gap-2 text-left">
          {plan.points.map((point) => (
            <li key={point} className="flex items-baseline gap-3">
              <span aria-hidden className="size-1.5 shrink-0 -translate-y-0.5 rounded-full bg-accent" />
              {point}
            </li>
          ))}
        </ul>
        <Link
          href="/"
          className="mt-8 inline-flex h-control items-center gap-2 rounded-small bg-hover px-4 font-medium hover:bg-line"
        >
          <ArrowLeft size={16} aria-hidden />
          Dashboard
        </Link>
      </div>
    </div>
  )
}

/** A page drawn in outline. */
function Outline() {
  return (
    <svg
      viewBox="0 0 240 132"
      className="w-60 text-line"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <rect x="1" y="1" width="238" height="130" rx="8" className="fill-surface" />
      <path
        d="M16 20h64M16 44h208M16 64h208M16 84h208M16 104h208"
        strokeLinecap="round"
        strokeDasharray="2 6"
      />
      <path
        d="M120 104c14 0 16-42 30-42s14 26 28 26 16-34 30-34 9 8 16 8"
        className="text-accent"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
