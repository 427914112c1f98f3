import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mailStateOf } from '#machines/projections/scheduled-mail.ts'
import { MAIL_PAGE } from '../../auth/mail-links.ts'
import { answerMail } from '../../commands/schedules/scheduled-mail.ts'
import type { HttpContext } from './context.ts'
import { notFound } from './refusals.ts'

type Deps = Pick<HttpContext, 'app' | 'access' | 'execute' | 'readModels'>

const BODY_BYTES = 1024
/** Looks and answers an address has a minute. */
const A_MINUTE = { max: 60, timeWindow: 60_000 }

/**
 * The page a scheduled mail leads to, for whoever has the mail. A look changes nothing, as mail servers look at links; a press
 * does, and so does the one click of a mail reader (RFC 8058).
 */
export async function mailPage({ app, access, execute, readModels: { directory } }: Deps): Promise<void> {
  await app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES },
      (_, body, done) => done(null, new URLSearchParams(String(body))),
    )
    const options = { bodyLimit: BODY_BYTES, config: { rateLimit: A_MINUTE } }

    pages.get(`${MAIL_PAGE}/:token`, options, async (request, reply) => show(reply, request))

    pages.post(`${MAIL_PAGE}/:token`, options, async (request, reply) => {
      const whose = access.mailLinks.read(tokenOf(request))
      if (whose === undefined) return show(reply, request)
      const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const wants = fields.get('want') === 'yes'
      if (!wants && fields.get('want') !== 'no' && fields.get('List-Unsubscribe') !== 'One-Click')
        return show(reply, request)
      await execute(
        `mails-${whose.companyId}`,
        { type: 'schedule-mail.answer', by: null, data: { ...whose, wants } },
        answerMail,
      )
      return show(reply, request)
    })
  })

  function show(reply: FastifyReply, request: FastifyRequest) {
    reply.type('text/html').headers(HEADERS)
    const whose = access.mailLinks.read(tokenOf(request))
    const company = whose && directory.companies.get(whose.companyId)
    const isRequestedByBrowser = request.headers.accept?.includes('text/html') === true
    if ((whose === undefined || company === undefined) && !isRequestedByBrowser) throw notFound()
    if (whose === undefined || company === undefined)
      return reply.code(404).send(page('This link leads nowhere', 'Open it as it stands in the mail.', []))
    const gets = `${whose.address} gets the mails that ${company.name} sends by itself (reports, the daily head of the record)`
    const state = mailStateOf(directory, whose.companyId, whose.address)
    if (state === 'sent') return reply.send(page('Scheduled mails', `${gets}.`, [['no', 'Send me no more']]))
    if (state === 'unsubscribed')
      return reply.send(
        page(
          'You get no more of these mails',
          `${whose.address} gets none that ${company.name} sends by itself.`,
          [['yes', 'Send them again']],
        ),
      )
    return reply.send(
      page('Do you want these mails?', `${gets}, if you say yes. None is sent before.`, [
        ['yes', 'Yes, send them'],
        ['no', 'No, and do not ask again'],
      ]),
    )
  }
}

const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token

const STYLE = `:root{color-scheme:light dark}
body{margin:0;font:1rem/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
p{overflow-wrap:anywhere}
button{font:inherit;min-height:2.75rem;padding:.5rem 1rem;cursor:pointer}`
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none';style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}';form-action 'self';base-uri 'none';frame-ancestors 'none'`,
}

/** Without a script; its one style is known to its content policy. */
const page = (title: string, text: string, buttons: readonly (readonly [string, string])[]): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<style>${STYLE}</style>
<meta name="robots" content="noindex">
<title>${escaped(title)} - Frostline</title>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
<form method="post">${buttons
    .map(([want, label]) => `<p><button name="want" value="${want}">${escaped(label)}</button></p>`)
    .join('')}</form>
</main>
</body>
</html>
`

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
