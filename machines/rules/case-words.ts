import type { CaseEvent } from '../contracts/entities/violation-case.ts'

/** What happened to a violation, as people read it. */
export const CASE_EVENT_WORDS: Record<CaseEvent['what'], string> = {
  opened: 'Became a violation',
  found: 'Found in earlier readings',
  'found-late': 'Found late',
  revised: 'Known otherwise',
  ended: 'Over',
  acknowledged: 'Acknowledged',
  taken: 'Taken',
  released: 'Given up',
  shelved: 'Shelved',
  unshelved: 'Shelved no more',
  commented: 'Commented',
  closed: 'Closed',
}

/** Why an alarm was acknowledged, as one text: `Door open: back at 7`. */
export const whyAcknowledged = ({
  reason,
  comment,
}: {
  reason?: string | undefined
  comment: string
}): string => [reason ?? '', comment].filter((words) => words !== '').join(': ')
