import type { FactOf } from '#machines/contracts/facts.ts'
import { versionOf } from '#machines/projections/reports.ts'
import { mailStateOf } from '#machines/projections/scheduled-mail.ts'
import { counted } from '#machines/rules/figures.ts'
import type { Block } from './layout.ts'
import { layOut } from './layout.ts'
import { type Letter, letterId, type Source } from './letter.ts'
import { durationInWords, instantInWords } from './time-in-words.ts'

const DAY = 24 * 60 * 60_000
/** After this the report is of little use in a mail; it stays in the log. */
const GOOD_FOR = 7 * DAY
/**
 * Bytes of all files together. A mail carries them as base64 in lines (RFC 2045, 6.8), 1.37 times as many, and Postfix as it is
 * shipped refuses a mail of more than 10,240,000 bytes (message_size_limit).
 */
const MOST_ATTACHED = 7 * 1024 * 1024

/** A scheduled report to one of those it is for: with its files, or where they are too large, links to them. */
export function reportLetter(fact: FactOf<'report.addressed'>, source: Source): Letter | undefined {
  const { directory, reportLinks, mailLinks, reportFile, publicUrl } = source
  const { reportId, scheduleId, to } = fact.data
  const report = directory.reports.get(reportId)
  if (report === undefined || report.files.length === 0) return undefined
  const company = directory.companies.get(report.companyId)
  const schedule = directory.schedules.get(scheduleId)
  const span = (at: number) => instantInWords(at, company?.timeZone)
  const day = (at: number) => span(at).split(' ')[0]
  const size = report.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const isAttached = size <= MOST_ATTACHED
  const goodUntil = fact.at + GOOD_FOR
  const isFirst = versionOf(report) === 1
  const links = report.files.map(
    ({ fileName }, n): Block => ({
      is: 'link',
      label: `Download ${fileName}`,
      href: `${publicUrl}${reportLinks.to(reportId, n, Math.floor(goodUntil))}`,
    }),
  )
  const unsubscribe = `${publicUrl}${mailLinks.to(report.companyId, to)}`
  return {
    id: letterId(reportId, fact.seq),
    kind: 'report',
    to: { name: '', address: to },
    unsubscribe,
    ...layOut(
      `${report.title}${isFirst ? '' : `, version ${versionOf(report)}`}, ${day(report.from)} to ${day(report.to - 1)}`,
      [
        {
          is: 'text',
          text: `Here is the ${report.title}${company ? ` of ${company.name}` : ''} from ${span(report.from)} to ${span(report.to)}, over ${counted(report.things.length, 'device')}.`,
        },
        ...(isFirst
          ? []
          : [
              {
                is: 'text' as const,
                text: `This is version ${versionOf(report)}: readings came in after version ${versionOf(report) - 1} was made. Both are kept in the log.`,
              },
            ]),
        ...(isAttached
          ? []
          : [
              {
                is: 'text' as const,
                text: `It is too large for a mail. The link works for ${durationInWords(GOOD_FOR)}, for whoever has it.`,
              },
              ...links,
            ]),
        {
          is: 'link',
          label: 'You get it because of a schedule; it is changed or ended here',
          href: `${publicUrl}/scheduleReport`,
          isAside: true,
        },
        {
          is: 'link',
          label: 'You do not want these mails any more? End them here, without signing in',
          href: unsubscribe,
          isAside: true,
        },
        { is: 'text', text: 'Frostline sent this by itself: nobody reads answers to this address.' },
      ],
    ),
    goodUntil,
    // whoever is taken off the schedule, or whose schedule is deleted, gets no more of it
    isWithdrawn:
      schedule?.emails.includes(to) !== true ||
      company?.suspended !== false ||
      mailStateOf(directory, report.companyId, to) === 'unsubscribed',
    ...(isAttached && {
      attachments: report.files.map(({ fileName, contentType }, n) => ({
        filename: fileName,
        contentType,
        content: () => reportFile(reportId, n),
      })),
    }),
  }
}
