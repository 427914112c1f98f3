import { Check, Circle } from 'lucide-react'
import { type PasswordFault, passwordFaults } from '#machines/rules/password.ts'
import { type PasswordStrength, strengthOf } from '#machines/rules/password-strength.ts'
import { classNames } from '../../ui/class-names.ts'

const parts: readonly { fault: PasswordFault; words: string }[] = [
  { fault: 'length', words: '8 to 16 characters' },
  { fault: 'uppercase', words: 'An uppercase letter' },
  { fault: 'lowercase', words: 'A lowercase letter' },
  { fault: 'digit', words: 'A number' },
  { fault: 'symbol', words: 'A special character' },
  { fault: 'space', words: 'No spaces' },
]

const EASY_TO_GUESS =
  'Easy to guess: it is a word that many use, or has a name of yours or of your company in it. Choose another one.'

const strengths: Record<PasswordStrength, { bars: number; words: string }> = {
  none: { bars: 0, words: '' },
  refused: { bars: 0, words: 'Not complete yet' },
  fair: { bars: 1, words: 'Fair. It will do; longer is safer.' },
  good: { bars: 2, words: 'Good' },
  strong: { bars: 3, words: 'Strong' },
}

type Props = {
  id: string
  password: string
  /** it meets the rule, and the server refused it */
  isGuessable: boolean
}

/** What a password must have and has, while it is typed, and how strong it is. A hint: it keeps nobody from sending it. */
export function PasswordRule({ id, password, isGuessable }: Props) {
  const faults = passwordFaults(password)
  const { bars, words } = strengths[strengthOf(password)]
  return (
    <div id={id} className="mb-4 rounded-panel bg-ground p-3 text-dense">
      <p className="text-ink-soft">Use numbers, special characters, uppercase and lowercase letters.</p>
      <ul className="mt-2 grid grid-cols-2 gap-x-3 gap-y-1">
        {parts.map(({ fault, words: what }) => (
          <Part key={fault} isMet={password !== '' && !faults.includes(fault)}>
            {what}
          </Part>
        ))}
      </ul>
      <div aria-hidden className="mt-3 flex gap-1">
        {[1, 2, 3].map((bar) => (
          <span
            key={bar}
            className={classNames('h-1 flex-1 rounded-full', bar <= bars ? 'bg-ink-soft' : 'bg-line')}
          />
        ))}
      </div>
      <p role="status" aria-live="polite" className="mt-1 min-h-5 text-ink-soft">
        {isGuessable ? EASY_TO_GUESS : faults.includes('known') ? 'Everybody knows this one' : words}
      </p>
    </div>
  )
}

function Part({ isMet, children }: { isMet: boolean; children: string }) {
  return (
    <li className={classNames('flex items-center gap-2', isMet ? 'text-ink' : 'text-ink-soft')}>
      {isMet ? (
        <Check size={14} aria-hidden className="shrink-0" />
      ) : (
        <Circle size={14} aria-hidden className="shrink-0 text-ink-faint" strokeWidth={1.5} />
      )}
      <span>
        {children}
        <span className="sr-only">{isMet ? ', there' : ', missing'}</span>
      </span>
    </li>
  )
}
