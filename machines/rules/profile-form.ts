import type { ProfileForm, TimeRule } from '../contracts/entities/profiles.ts'

type Fault = { path: string; message: string }

/** What is wrong with a profile beyond its shape, by field: for the form and for the server alike. */
export function profileFaults({ name, rules, surroundings }: ProfileForm): Fault[] {
  const faults: Fault[] = []
  if (name.trim() === '') faults.push({ path: 'name', message: 'Please give it a name' })
  if (surroundings.low >= surroundings.high)
    faults.push({ path: 'surroundings.high', message: 'It must be warmer than the coldest' })
  if (rules.filter(({ kind }) => kind === 'mkt').length > 1)
    faults.push({ path: 'rules', message: 'One mean kinetic temperature is enough' })
  for (const [i, rule] of rules.entries()) {
    const message = rule.kind === 'time' ? whyNotLonger(rule) : undefined
    if (message !== undefined) faults.push({ path: `rules.${i}.ifNeverBeyond`, message })
  }
  return faults
}

function whyNotLonger({ side, limit, minutes, ifNeverBeyond }: TimeRule): string | undefined {
  if (ifNeverBeyond === undefined) return undefined
  if (minutes === null) return 'Say first how long it may be'
  if (side === 'above' ? ifNeverBeyond.limit <= limit : ifNeverBeyond.limit >= limit)
    return 'This limit must be farther out than the other'
  return ifNeverBeyond.minutes < minutes ? 'This must be longer than the other' : undefined
}
