import type { ProfileRule } from '#machines/contracts/entities/profiles.ts'
import type { FactOf } from '#machines/contracts/facts.ts'
import type { Device, Directory } from '#machines/projections/directory.ts'
import { profileAt } from '#machines/projections/profiles.ts'
import { exhaustedRuleWords } from '#machines/rules/budget-words.ts'
import type { AlertSource } from './concerned.ts'

/** A load as it stood when somebody was alerted that its budget is exhausted. */
export type ExhaustedLoad = {
  exhausted: FactOf<'load.exhausted'>
  reference: string
  profileName: string
  /** the rule, and how much of it was used by then */
  ruleUsed: string
  device: Device
  /** name of the device's group; null where it has none */
  groupName: string | null
}

const FACTS_A_STEP = 1000

/**
 * The loads an alert tells of, in the order they were published, and the facts of those that are left out; none where it is about
 * violations.
 */
export function exhaustedLoads(
  { seq, data: { about } }: FactOf<'alert.raised'>,
  { directory, log, isLeftOut }: AlertSource,
): { loads: ExhaustedLoad[]; leftOut: number[] } {
  const before = (about[0] as number) - 1
  if (log.readFacts(before, { limit: 1 })[0]?.type !== 'load.exhausted') return { loads: [], leftOut: [] }
  const wanted = new Set(about)
  const loads: ExhaustedLoad[] = []
  for (let from = before; from < seq; ) {
    const facts = log.readFacts(from, { types: ['load.exhausted'], limit: FACTS_A_STEP })
    for (const fact of facts)
      if (fact.type === 'load.exhausted' && wanted.has(fact.seq)) loads.push(...loadOf(fact, directory))
    from = facts.length < FACTS_A_STEP ? seq : (facts.at(-1)?.seq ?? seq)
  }
  const isMeant = ({ exhausted, device }: ExhaustedLoad) =>
    !isLeftOut?.(exhausted.seq, { device, type: 'BUDGET_EXHAUSTED' })
  return {
    loads: loads.filter(isMeant),
    leftOut: loads.filter((one) => !isMeant(one)).map(({ exhausted }) => exhausted.seq),
  }
}

function loadOf(exhausted: FactOf<'load.exhausted'>, directory: Directory): ExhaustedLoad[] {
  const { loadId, rule, used } = exhausted.data
  const load = directory.loads.byId.get(loadId)
  const device = load && directory.devices[load.deviceNo]
  if (load === undefined || device === undefined) return []
  const profile = profileAt(directory.profiles, load.companyId, load)
  const broken: ProfileRule | undefined = profile?.rules[rule]
  return [
    {
      exhausted,
      reference: load.reference,
      profileName: profile?.name ?? 'not known',
      ruleUsed: broken === undefined ? 'not known' : exhaustedRuleWords(broken, used),
      device,
      groupName: directory.groups.get(device.groupId ?? '')?.name ?? null,
    },
  ]
}
